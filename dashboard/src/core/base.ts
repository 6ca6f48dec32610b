/** Where the page was loaded from, whatever prefix a proxy adds: scripts lie in `<base>assets/`. */
const script = new URL(import.meta.url).pathname;

/** Path of the dashboard, with a slash at both ends: `/app/`. */
export const base = script.includes("/assets/") ? script.replace(/assets\/[^/]*$/, "") : "/app/";

/** Path of the service, with a slash at both ends. */
export const root = base.replace(/app\/$/, "");

/** Whether anybody on the way can read what is sent: this machine needs no encryption. */
export const isOpenToOthers =
  location.protocol === "http:" && !/^(localhost|127\.|\[::1\])/.test(location.hostname);
