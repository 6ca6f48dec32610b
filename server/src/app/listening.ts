import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "../config/config.ts";
import { StartError } from "../runtime/start-error.ts";

/** @throws {StartError} when the address is in use, or is not an address of this machine */
export function listen(server: Server, { host, port }: Config): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const message = `cannot listen on ${host}:${port} (${cause.message}): set TAPEWIRE_PORT or TAPEWIRE_HOST`;
      reject(new StartError(message, { cause }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new TypeError("not listening on a port"));
      else resolve(address);
    });
  });
}

/** `host:port` for clients on this machine. */
export function shownAddress({ host }: Config, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `127.0.0.1:${port}`;
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
