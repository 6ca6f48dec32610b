import type { Socket } from "node:net";

/**
 * Bounds the bytes of each response on a connection that has one request at a time: whatever comes after the last byte
 * that was written belongs to the response. Interim responses, endless status lines and chunk extensions are neither
 * headers nor body, so no other limit counts them.
 * @param onTooMuch must end the connection
 */
export function boundResponses(socket: Socket, maxBytes: number, onTooMuch: () => void): void {
  let written = socket.bytesWritten;
  let before = socket.bytesRead;
  let seen = before;
  socket.on("readable", () => {
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      before = seen;
    }
    seen = socket.bytesRead;
    if (seen - before > maxBytes) onTooMuch();
  });
}
