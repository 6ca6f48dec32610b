/** A session by hand: no socket, and no clock but the times it is told. */
import { readFileSync } from "node:fs";
import { clientFrame } from "@tapewire/contract/stream.ts";
import { tagDictionary } from "@tapewire/contract/tags.ts";
import { type Action, Session } from "../../src/stream/session.ts";

export const dictionary = tagDictionary.parse(
  JSON.parse(readFileSync(new URL("../../../config/tags.json", import.meta.url), "utf8")),
);
const schema = clientFrame(dictionary);
export const newSession = () => new Session(schema, { nowMs: 0, jitter: 1 });

/** An action in a word: what a table of cases can hold. */
export function short(action: Action): string {
  switch (action.do) {
    case "send":
      return action.frame.type === "error"
        ? `error ${action.frame.code}${action.frame.fatal ? " fatal" : ""}`
        : action.frame.type;
    case "close":
      return `close ${action.code}`;
    default:
      return action.do;
  }
}

export function receive(session: Session, frame: unknown, nowMs = 0): string[] {
  return session.receive(JSON.stringify(frame), nowMs).map(short);
}
