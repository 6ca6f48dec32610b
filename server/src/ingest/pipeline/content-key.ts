import { createHash } from "node:crypto";
import type { RawItem } from "../raw-item.ts";

/**
 * Digest of what a source says of an item; a different one under a known identity is a revision. A filing never changes
 * once accepted, since an amendment is a filing of its own; but a list page may show only some of its parties.
 */
export function contentKey({ title, body, filing, retracted }: RawItem): string {
  const parties = filing?.parties.map(({ cik, role }) => `${cik} ${role}`).sort();
  return createHash("sha256")
    .update(JSON.stringify(parties ?? [title, body, retracted]))
    .digest("base64url")
    .slice(0, 16);
}
