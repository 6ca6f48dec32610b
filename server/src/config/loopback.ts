const loopbackHost = /^(?:localhost|::1|127(?:\.\d{1,3}){3})$/;

/** Whether only this machine reaches a service that listens there. */
export const isLoopback = (host: string): boolean => loopbackHost.test(host);
