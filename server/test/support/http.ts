import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { connect } from "node:net";

/** A server on a port of its own of this machine; closed when disposed. */
export async function listening(server: Server): Promise<{ origin: string } & AsyncDisposable> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("not listening on a port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function listenLocally(listener: RequestListener): Promise<{ origin: string } & AsyncDisposable> {
  return listening(createServer(listener));
}

/** What comes back for bytes that no client would send, until the server closes. */
export async function rawAnswer(url: string, text: string): Promise<string> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  let answer = "";
  socket.on("data", (data) => {
    answer += data;
  });
  socket.write(text);
  await once(socket, "close");
  return answer;
}
