const loopbackHost = /^(?:localhost|::1|\[::1\]|127(?:\.\d{1,3}){3})$/;

/** Whether only this machine reaches a service that listens there. @param host as in a setting, or as in a URL */
export const isLoopback = (host: string): boolean => loopbackHost.test(host);
