import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * The connections of a server, to end them with it. Node knows those that speak HTTP only; one that was upgraded, or
 * whose upgrade was refused, would keep the server open for as long as its client likes.
 */
export class Closing implements AsyncDisposable {
  readonly #server: Server;
  readonly #drainMs: number;
  readonly #open = new Set<Socket>();

  /**
   * @param server that has no connection yet
   * @param drainMs for requests under way
   */
  constructor(server: Server, drainMs: number) {
    this.#server = server;
    this.#drainMs = drainMs;
    server.on("connection", (socket) => {
      this.#open.add(socket);
      socket.once("close", () => this.#open.delete(socket));
    });
  }

  /** Lets requests under way finish, then cuts what is left. */
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
