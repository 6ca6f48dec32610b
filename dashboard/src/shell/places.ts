import { at } from "../core/address.ts";

export interface Place {
  readonly name: string;
  readonly path: string;
  /** After `g`. */
  readonly key: string;
  readonly group: "Watch" | "Build" | "Account" | "Operator";
}

export const places: readonly Place[] = [
  { name: "Live", path: at("feed"), key: "f", group: "Watch" },
  { name: "Replay", path: at("replay"), key: "t", group: "Watch" },
  { name: "Symbols", path: at("symbol"), key: "s", group: "Watch" },
  { name: "Views", path: at("views"), key: "v", group: "Watch" },
  { name: "Webhooks", path: at("webhooks"), key: "w", group: "Build" },
  { name: "Score a text", path: at("score"), key: "c", group: "Build" },
  { name: "Keys", path: at("keys"), key: "k", group: "Account" },
  { name: "Usage", path: at("usage"), key: "u", group: "Account" },
  { name: "People", path: at("account"), key: "p", group: "Account" },
  { name: "Overview", path: at("overview"), key: "o", group: "Operator" },
  { name: "Sources", path: at("sources"), key: "r", group: "Operator" },
  { name: "Accounts", path: at("accounts"), key: "a", group: "Operator" },
];
