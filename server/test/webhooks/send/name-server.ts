import { createSocket } from "node:dgram";

export interface Records {
  readonly A: readonly string[];
  /** Null: silence. */
  readonly AAAA: readonly string[] | null;
}

/** Answers questions for A and AAAA from a zone; a name that is not in it gets silence. */
export async function nameServer(zone: ReadonlyMap<string, Records>) {
  const socket = createSocket("udp4");
  socket.on("message", (question, { port, address }) => {
    const labels: string[] = [];
    let end = 12;
    for (let length = question[end] ?? 0; length > 0; length = question[end] ?? 0) {
      labels.push(question.subarray(end + 1, end + 1 + length).toString());
      end += 1 + length;
    }
    const type = question.readUInt16BE(end + 1) === 28 ? "AAAA" : "A";
    const known = zone.get(labels.join(".").toLowerCase())?.[type];
    if (known === undefined || known === null) return;
    const records = known.map((ip) => {
      const data = type === "A" ? Buffer.from(ip.split(".").map(Number)) : sixteenBytes(ip);
      return Buffer.concat([
        Buffer.of(0xc0, 12, 0, type === "A" ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length),
        data,
      ]);
    });
    const head = Buffer.from(question.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, question.subarray(12, end + 5), ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    port: socket.address().port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

/** @param ip with `::` and at most one group on either side */
function sixteenBytes(ip: string): Buffer {
  const [head = "", tail = ""] = ip.split("::");
  const bytes = Buffer.alloc(16);
  bytes.writeUInt16BE(Number.parseInt(head || "0", 16), 0);
  bytes.writeUInt16BE(Number.parseInt(tail || "0", 16), 14);
  return bytes;
}
