import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** An upgrade that was refused, a request that is never whole, and a connection that says nothing; none ends by itself. */
export async function stubbornSockets(url: string): Promise<Disposable> {
  const { port, host } = new URL(url);
  const says = [
    `GET /v1/stream HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    `POST /v1/score HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\n{`,
    "",
  ];
  const open = says.map((text) => {
    const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => {}).on("data", () => {});
    if (text !== "") socket.write(text);
    return socket;
  });
  await sleep(200);
  return {
    [Symbol.dispose]: () => {
      for (const socket of open) socket.destroy();
    },
  };
}
