import type { Server } from "node:http";
import type { Socket } from "node:net";

const drainMs = 4_000;

/**
 * The connections of a server, to end them with it. Node knows those that speak HTTP only; one that was upgraded, or
 * whose upgrade was refused, would keep the server open for as long as its client likes.
 */
export class Closing implements AsyncDisposable {
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  /** @param server that has no connection yet */
  constructor(server: Server) {
    this.#server = server;
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
    }, drainMs);
    await promise;
    clearTimeout(cut);
  }
}
