import { createHash } from "node:crypto";
import type { RawItem } from "./raw-item.ts";

/**
 * Digest of what a source says of an item. Another one under a known identity is a revision. A filing does not change
 * after it was accepted: an amendment is a filing of its own.
 */
export function contentKey({ title, body, filing, retracted }: RawItem): string {
  if (filing !== null) return "filing";
  return createHash("sha256")
    .update(JSON.stringify([title, body, retracted]))
    .digest("base64url")
    .slice(0, 16);
}
