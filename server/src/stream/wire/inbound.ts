import type { Readable } from "node:stream";
import { streamLimits } from "@tapewire/contract/stream.ts";

/** What may still come behind a close, from clients that were just sending. */
const behindCloseBytes = 64 * 1024;

interface Inbound {
  /** false: a close has begun. */
  readonly isOpen: () => boolean;
  /** @param isOpen false: its close is not answered but with more */
  readonly onTooMuch: (isOpen: boolean) => void;
}

/**
 * Bounds what a client sends, whatever it is made of: ws answers pings, drops pongs and joins fragments by the million,
 * and goes on unpacking behind a close.
 */
export function boundInbound(socket: Readable, { isOpen, onTooMuch }: Inbound): void {
  let wasOpen = true;
  let sinceMs = performance.now();
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => {
    const open = isOpen();
    const nowMs = performance.now();
    if (wasOpen !== open || (open && nowMs - sinceMs >= streamLimits.receivedWindowMs)) {
      sinceMs = nowMs;
      bytes = 0;
    }
    wasOpen = open;
    bytes += chunk.length;
    if (bytes > (open ? streamLimits.receivedBytes : behindCloseBytes)) onTooMuch(open);
  });
}
