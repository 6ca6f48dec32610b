import type { IdentityRules } from "./append-request.ts";
import type { KnownItem } from "./item-keys.ts";

/** Whether the source may take over an item that another, or a push, brought. Removed items do not come back. */
export function isTakenOver(rules: IdentityRules, owner: KnownItem, form: string, sourceId: string): boolean {
  return owner.stored && rules.takesOver(sourceId, form, owner.sourceId);
}
