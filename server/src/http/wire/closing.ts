import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Ends the connections of a server together with it. Node tracks only HTTP connections; an upgraded connection, or one
 * whose upgrade was refused, would keep the server open for as long as the client likes.
 */
export class Closing implements AsyncDisposable {
  readonly #server: Server;
  readonly #drainMs: number;
  readonly #open = new Set<Socket>();

  /**
   * @param server must not have connections yet
   * @param drainMs time for requests under way
   */
  constructor(server: Server, drainMs: number) {
    this.#server = server;
    this.#drainMs = drainMs;
    server.on("connection", (socket) => {
      this.#open.add(socket);
      socket.once("close", () => this.#open.delete(socket));
    });
  }

  /** Lets requests under way finish, then cuts the remaining connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeIdleConnections();
    const cut = setTimeout(() => {
      for (const socket of this.#open) socket.destroy();
    }, this.#drainMs);
    await promise;
    clearTimeout(cut);
  }
}
