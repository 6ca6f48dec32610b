import { writeSync } from "node:fs";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";

/**
 * The descriptor to write to a socket's peer with; -1: there is none (on Windows), or what is written to it is not what
 * the peer would read (TLS). Node does not document where a socket has it, so it may be gone one day.
 */
export function descriptorOf(socket: Duplex): number {
  if (!(socket instanceof Socket) || socket instanceof TLSSocket) return -1;
  const handle: unknown = Reflect.get(socket, "_handle");
  const fd = typeof handle === "object" && handle !== null && "fd" in handle ? handle.fd : null;
  return typeof fd === "number" ? fd : -1;
}

/**
 * Gives bytes to the kernel, past Node's stream: that takes as long again for each of them as everything else that is
 * done for a delivery. Only for a socket that is open and has nothing unsent: a closed one's descriptor may be another's.
 * @returns how many it took; what it did not is for the socket, which finds out why
 */
export function writeDirectly(fd: number, bytes: Buffer): number {
  if (fd < 0) return 0;
  try {
    return writeSync(fd, bytes, 0, bytes.length, null);
  } catch {
    return 0;
  }
}
