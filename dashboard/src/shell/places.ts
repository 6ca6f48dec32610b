import { at } from "../core/address.ts";

export interface Place {
  readonly name: string;
  readonly path: string;
  /** After `g`. */
  readonly key: string;
  readonly group: "Watch" | "Build" | "Account" | "Operator";
}

const place = (group: Place["group"], key: string, path: string, name: string): Place => ({
  name,
  path: at(path),
  key,
  group,
});

export const places: readonly Place[] = [
  place("Watch", "f", "feed", "Live"),
  place("Watch", "t", "replay", "Replay"),
  place("Watch", "s", "symbol", "Symbols"),
  place("Watch", "v", "views", "Views"),
  place("Build", "w", "webhooks", "Webhooks"),
  place("Build", "c", "score", "Score a text"),
  place("Account", "k", "keys", "Keys"),
  place("Account", "u", "usage", "Usage"),
  place("Account", "p", "account", "People"),
  place("Operator", "o", "overview", "Overview"),
  place("Operator", "r", "sources", "Sources"),
  place("Operator", "a", "accounts", "Accounts"),
];
