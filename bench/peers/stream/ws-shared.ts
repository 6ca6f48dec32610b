/** A typical server: ws, and every item sent to every socket from one Buffer. No filter, no count, no key. */
import { createInterface } from "node:readline";
import { WebSocketServer } from "ws";

const payload = Buffer.alloc(Number(process.argv[2]), "x");
const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
createInterface({ input: process.stdin }).on("line", (line) => {
  for (let n = 0; n < Number(line); n++)
    for (const socket of server.clients) socket.send(payload, { binary: false });
});
server.on("listening", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") console.log(`port ${address.port}`);
});
