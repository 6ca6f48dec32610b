import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";

const listening = (server: Server, port: number) =>
  new Promise<void>((done) => server.listen(port, "127.0.0.1", done));

/** A receiver that answers with one status until it is told another; it may also not listen at all. */
export async function receiver() {
  let status = 200;
  let received = 0;
  const server: Server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      received++;
      response.writeHead(status).end("answered");
    });
  });
  await listening(server, 0);
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const { port } = address;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    answer: (next: number) => {
      status = next;
    },
    received: () => received,
    leave: async () => {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
    comeBack: () => listening(server, port),
    [Symbol.asyncDispose]: async () => void server.close().closeAllConnections(),
  };
}
