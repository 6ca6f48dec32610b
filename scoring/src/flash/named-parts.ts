/** The words around a name that tell its part: who has won a lawsuit, and who only tells who another one is. */
import type { EventRole, FoundEvent } from "./events/events.ts";

/** "To pay Veldric $300 million", "jury awards Veldric": who gets the money. */
const payee =
  /\b(?:pay|pays|paid|paying|compensate|refund|awards|awarded|award|damages to|million to|mln to|billion to) (?:the )?$/i;
/** "Infringed Veldric's patent": whose patent it is. */
const infringed = /\binfring(?:es|ed|ing) (?:on |upon )?(?:the |a |an )?$/i;
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
  if (payee.test(before) || infringed.test(before)) return sideOf(event, 1);
  return sued.test(before) && awarding.test(before) ? sideOf(event, -1) : undefined;
}

const rivalBefore = /\b(?:rival|competitor|peer) (?:the )?$/i;
const ownRival =
  /\p{Lu}[\p{L}\p{N}.&-]{0,30}(?:['’]s?)? (?:main |biggest |largest |top |chief )?(?:rival|competitor|peer) $/u;

/** "Falls as rival Veldric": the rival of who was named; in "Norvik rival Veldric" the second one is the subject. */
export function isRivalBehind(place: number, text: string): boolean {
  const before = text.slice(Math.max(0, place - 60), place);
  return rivalBefore.test(before) && !ownRival.test(before);
}

/** "Target of Norvik rival Veldric raised": Norvik only tells who Veldric is. */
const apposed =
  /^[\p{L}\p{N}.&-]{1,40}(?:['’]s?)? (?:(?!as |after )[\p{L}-]{1,20} ){0,2}(?:rival|peer|competitor|challenger|supplier|partner|customer|backer|spin-?off)\b/u;

const adjective = "(?:(?:main|biggest|largest|top|chief|key|smaller|larger) )?";
const kin = "(rival|peer|competitor|challenger|supplier|partner)";
/** The same where nothing but a name follows: "Norvik beats rival Veldric" is no such case; "Norvik-backed Veldric" is. */
const plainlyApposed = new RegExp(
  `^[\\p{L}\\p{N}.&-]{1,40}?(?: [\\p{Lu}&][\\p{L}\\p{N}.&-]{0,30}?){0,2}(?:(?:['’]s?)? ${adjective}${kin}|-(?:backed|owned|controlled)) \\p{Lu}`,
  "u",
);
const capitalBefore = new RegExp(`\\p{Lu}[\\p{L}\\p{N}.&-]{0,30}(?:['’]s?)? ${adjective}$`, "u");

/** Whether every mention of a company in a title only tells who the next one is. */
export const isNamedBeside = (mentions: readonly number[], title: string): boolean => {
  const inTitle = mentions.filter((at) => at < title.length);
  return inTitle.length > 0 && inTitle.every((at) => plainlyApposed.test(title.slice(at, at + 150)));
};

/** "Norvik rival Veldric closes plant": Veldric is the subject, so that no row on the deeds of a rival holds. */
export const isOwnRival = ({ kind, start }: FoundEvent, text: string): boolean =>
  /^(?:rival_|recall_of_other$)/.test(kind.name) &&
  /^(?:rival|competitor|peer) \p{Lu}/u.test(text.slice(start, start + 20)) &&
  capitalBefore.test(text.slice(Math.max(0, start - 60), start));

const ofRaters = new Set(["analysts", "credit"]);
/** The part of a company that only tells who another one is; undefined for one that does more. */
export function partBeside({ kind }: FoundEvent, place: number, text: string): EventRole | undefined {
  if (place < 0) return undefined;
  const from = text.slice(place, place + 150);
  if (ofRaters.has(kind.group)) return apposed.test(from.slice(0, 90)) ? "other" : undefined;
  const found = plainlyApposed.exec(from);
  if (found === null) return undefined;
  const [, relation] = found;
  if (relation === undefined) return "other";
  const role = relation === "supplier" ? "customer" : relation === "partner" ? "partner" : "rival";
  // In court a rival is the other side, which such a company need not be.
  return kind.group !== "legal" && kind.directions.has(role) ? role : "other";
}
