import { createHash } from "node:crypto";
import type { RawItem } from "../raw-item.ts";

/**
 * Digest of what a source says of an item. Another one under a known identity is a revision. A filing does not change
 * after it was accepted, an amendment is a filing of its own; but a page of a list may show some of its parties only.
 */
export function contentKey({ title, body, filing, retracted }: RawItem): string {
  const parties = filing?.parties.map(({ cik, role }) => `${cik} ${role}`).sort();
  return createHash("sha256")
    .update(JSON.stringify(parties ?? [title, body, retracted]))
    .digest("base64url")
    .slice(0, 16);
}
