/** Who has won a lawsuit and who has lost it, by the words around a name. */
import type { EventRole, FoundEvent } from "./events/events.ts";

/** "To pay Veldric $300 million", "jury awards Veldric": who gets the money. */
const payee =
  /\b(?:pay|pays|paid|paying|compensate|refund|awards|awarded|award|damages to|million to|mln to|billion to) (?:the )?$/i;
const sued = /\bagainst (?:the )?$/i;
const awarding = /\bawards?(?:ed)?\b/i;

const legalRoles: readonly EventRole[] = ["subject", "plaintiff", "defendant", "rival"];

/** The side of a lawsuit that an event is good (1) or bad (-1) for. */
const sideOf = ({ kind }: FoundEvent, sign: number): EventRole | undefined =>
  legalRoles.find((role) => Math.sign(kind.directions.get(role)?.[0] ?? 0) === sign);

/** Who is paid has won, whoever is named first: "Jury orders Norvik to pay Veldric". */
export function partInCourt(event: FoundEvent, place: number, text: string): EventRole | undefined {
  if (event.kind.group !== "legal") return undefined;
  const before = text.slice(Math.max(event.sentenceStart, place - 100), place);
  if (payee.test(before)) return sideOf(event, 1);
  return sued.test(before) && awarding.test(before) ? sideOf(event, -1) : undefined;
}
