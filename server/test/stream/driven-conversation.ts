/** A conversation by hand: no socket, and no clock but the times it is told. */
import { clientFrame } from "@tapewire/contract/stream.ts";
import { type Action, Conversation } from "../../src/stream/conversation.ts";
import { dictionary } from "../support/dictionary.ts";

const schema = clientFrame(dictionary);
export const newConversation = () => new Conversation(schema, { nowMs: 0, jitter: 1 });

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

export function receive(conversation: Conversation, frame: unknown, nowMs = 0): string[] {
  return conversation.receive(JSON.stringify(frame), nowMs).map(short);
}
