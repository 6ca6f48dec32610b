import type { IdentityRules } from "./append-request.ts";
import type { KnownItem } from "./item-keys.ts";

/** Whether the source may have the item that another, or a push, brought. What was removed does not come back. */
export function isTakenOver(rules: IdentityRules, owner: KnownItem, form: string, sourceId: string): boolean {
  return owner.stored && rules.takesOver(sourceId, form, owner.sourceId);
}
