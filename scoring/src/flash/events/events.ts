import type { PhraseMatch } from "../words/phrase-index.ts";
import type { Word } from "../words/scan.ts";
import { SentenceContext } from "./context.ts";
import { sizeIn } from "./sizes.ts";
import { asSaid } from "./speakers.ts";
import { surprises } from "./surprise.ts";
import {
  type Cause,
  type EventKind,
  type EventRole,
  kindByName,
  marketGroups,
  type Proof,
  proofs,
} from "./table.ts";
import { withoutTickers } from "./tickers.ts";

export { worthOf } from "./sizes.ts";
export type { EventKind, EventRole } from "./table.ts";
export { eventGroups, eventKinds, kindByName, marketGroups } from "./table.ts";

/** A sentence with its words. */
export interface ReadSentence {
  readonly words: readonly Word[];
  readonly start: number;
  readonly end: number;
  readonly inTitle: boolean;
}

/** A kind of event that a sentence tells of. */
export interface FoundEvent {
  readonly kind: EventKind;
  /** What proves it, as offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** Index of its sentence, and the sentence's span. */
  readonly sentence: number;
  readonly sentenceStart: number;
  readonly sentenceEnd: number;
  /** Nobody is named before it in its sentence. */
  readonly opens: boolean;
  /** Its clause: the words around it up to the next colon, semicolon, dash or bracket. */
  readonly clauseStart: number;
  readonly clauseEnd: number;
  readonly inTitle: boolean;
  /** 1 for a plain fact; less where it is only possible or told again. */
  readonly strength: number;
  /** The roles of the companies before and after it are exchanged. */
  readonly turned: boolean;
  /** 0..1: how much it counts among the item's events. */
  readonly weight: number;
}

/** Offsets of the clause of the words [from, to). */
function clauseOf(
  words: readonly Word[],
  from: number,
  to: number,
): { clauseStart: number; clauseEnd: number } {
  let first = from;
  while (first > 0 && (words[first]?.gap ?? 0) < 2) first -= 1;
  let last = to - 1;
  while (last + 1 < words.length && (words[last + 1]?.gap ?? 0) < 2) last += 1;
  return { clauseStart: words[first]?.start ?? 0, clauseEnd: words[last]?.end ?? 0 };
}

const weaker = 0.5;
const stronger = 1.5;
/** In the body later sentences are details of what the headline tells. */
const placeOf = (bodySentence: number, inTitle: boolean): number =>
  inTitle ? 1 : Math.max(0.25, 0.75 - 0.1 * bodySentence);

function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

type Match = PhraseMatch<Proof>;
interface Sized {
  readonly match: Match;
  /** Words that prove it. */
  readonly size: number;
}

/** Words that two matches both take. */
function sharedWords(a: Match, b: Match): number {
  const by = b.from - a.from;
  if (by >= 32 || by <= -32) return 0;
  return bitCount(by >= 0 ? (a.mask >>> by) & b.mask : a.mask & (b.mask >>> -by));
}

/**
 * Where two kinds rest on the same words, the one that more words prove is meant: "fails to meet its endpoint" is no
 * "meets its endpoint". Equally proven kinds of two groups both stand. A shared verb alone parts nothing: "cuts dividend and outlook" is two events.
 */
function mostProven(matches: readonly Match[]): readonly Match[] {
  if (matches.length < 2) return matches;
  const kept: Sized[] = [];
  const ordered = matches
    .map((match): Sized => ({ match, size: bitCount(match.mask) }))
    .sort(
      ({ match: a, size: sizeA }, { match: b, size: sizeB }) =>
        sizeB - sizeA || a.to - a.from - (b.to - b.from) || a.order - b.order || a.from - b.from,
    );
  for (const { match, size } of ordered) {
    const clash = kept.some(
      (other) =>
        other.match.value.kind !== match.value.kind &&
        // A kind that may turn out to stand beside nothing takes no words from others.
        other.match.value.kind.beside.size === 0 &&
        (other.size > size || other.match.value.kind.group === match.value.kind.group) &&
        sharedWords(other.match, match) * 2 > size,
    );
    if (!clash) kept.push({ match, size });
  }
  return kept.map(({ match }) => match);
}

interface Judged {
  readonly kind: EventKind;
  readonly strength: number;
}

/** Of the amount from the first to the last word of a kind's proofs: of "to pay $48 million to settle claims" one has the sum, another not. */
function sizeOf(kind: EventKind, matches: readonly Match[], words: readonly Word[], worth: number) {
  if (kind.small.length === 0) return null;
  const own = matches.filter(({ value }) => value.kind === kind);
  const first = Math.min(...own.map(({ from }) => from));
  const last = Math.max(...own.map(({ to }) => to));
  return sizeIn(kind.small, words, first, last, worth);
}

/** The kind that remains once its context is heard; null when nothing does. */
function inContext({ kind, faint, far }: Proof, causes: readonly Cause[]): Judged | null {
  let judged: Judged = { kind, strength: faint === true ? weaker : far === true ? stronger : 1 };
  for (const said of causes) {
    const effect = kind.effects[said];
    if (effect === "void") return null;
    if (effect === "stays") continue;
    if (effect === "weaker") judged = { ...judged, strength: judged.strength * weaker };
    else {
      const other = kindByName.get(effect);
      if (other !== undefined) return { kind: other, strength: 1 };
    }
  }
  return judged;
}

/** Words of the name of an authority that is told by its last one: "US Supreme Court sides with". */
const noName = new Set(
  "the a an uk us u.s eu top supreme high highest appeals federal state district".split(" "),
);

/** "Denies it weighs a bid": the parties of a bid stand the other way round in the row of its denial. */
const isExchanged = (proven: EventKind, judged: EventKind): boolean =>
  proven.before !== proven.after && judged.before === proven.after && judged.after === proven.before;

function eventsOfSentence(
  sentence: ReadSentence,
  index: number,
  bodySentence: number,
  worth: number,
): FoundEvent[] {
  const words = asSaid(withoutTickers(sentence.words));
  const { matches: surprising, settled, forecasts } = surprises(words);
  // "$0.45 beats $0.41 estimate, sales miss $1.95B": its figures say what each of them is, and no phrase reaches across.
  const isSettled = ({ value, from, to }: Match): boolean =>
    (settled.length > 1 &&
      value.kind.surprise !== null &&
      settled.some(([first, last]) => from < last && first < to)) ||
    (value.kind.group === "guidance" && forecasts.some(([first, last]) => from < last && first < to));
  const phrased = proofs.matches(words);
  const told =
    settled.length < 2 && forecasts.length === 0 ? phrased : phrased.filter((match) => !isSettled(match));
  const all = surprising.length === 0 ? told : [...told, ...surprising];
  if (all.length === 0) return [];
  const context = new SentenceContext(
    words,
    all.map(({ value }) => value.kind),
  );
  // "CPI rises 0.2% vs 0.3% expected": a figure that is compared says nothing by its level.
  const isLevel = ({ value, from, to }: Match): boolean =>
    value.kind.group === "economy" &&
    value.kind.surprise === null &&
    surprising.some((other) => other.value.kind.group === "economy" && other.from <= from && to <= other.to);
  const matches = mostProven(all.filter((match) => !context.isVoid(match.value.kind) && !isLevel(match)));
  const place = placeOf(bodySentence, sentence.inTitle);
  return matches.flatMap(({ value, from, to }) => {
    const said = context.of(from, to);
    const size = sizeOf(value.kind, matches, words, worth);
    const judged = inContext(value, size === null ? said : [...said, size]);
    if (judged === null) return [];
    const { kind, strength } = judged;
    const { clauseStart, clauseEnd } = clauseOf(words, from, to);
    return {
      kind,
      strength,
      start: words[from]?.start ?? sentence.start,
      end: words[to - 1]?.end ?? sentence.end,
      sentence: index,
      sentenceStart: sentence.start,
      sentenceEnd: sentence.end,
      opens: words.slice(0, from).every(({ word }) => noName.has(word)),
      clauseStart,
      clauseEnd,
      inTitle: sentence.inTitle,
      turned: value.turned !== isExchanged(value.kind, kind),
      weight: (0.02 + kind.move) * strength * place,
    };
  });
}

const lawFirmKind = "law_firm_notice";

/** That a manager is quoted is an event only where nothing else is told. */
const remarks = new Set(["executive_speech", "executive_comment"]);

/** The events of a text, the one that names the item first; each kind once. @param worth as of sizeIn */
export function eventsOf(sentences: readonly ReadSentence[], worth: number): readonly FoundEvent[] {
  const inTitle = sentences.filter((sentence) => sentence.inTitle).length;
  const all = sentences.flatMap((sentence, index) =>
    eventsOfSentence(sentence, index, Math.max(0, index - inTitle), worth),
  );
  const ordered = all.sort((a, b) => b.weight - a.weight || a.start - b.start);
  const notice = ordered.find(({ kind, inTitle: titled }) => titled && kind.name === lawFirmKind);
  if (notice !== undefined) return [notice];
  const seen = new Set<EventKind>();
  const isMore = ordered.some(({ kind }) => kind.group !== "notices" && !remarks.has(kind.name));
  const titled = new Set(ordered.flatMap(({ kind, inTitle: isTitled }) => (isTitled ? [kind.name] : [])));
  return ordered.filter(
    ({ kind }) =>
      (kind.beside.size === 0 || [...kind.beside].some((name) => titled.has(name))) &&
      !(isMore && remarks.has(kind.name)) &&
      !seen.has(kind) &&
      seen.add(kind),
  );
}

/**
 * The part of the company that is named at `offset`; companies inside the proof count as named after its verb, but one that the proof
 * begins with stands before it: "Berkshire buys another 2 million Norvik shares".
 */
export function roleAt({ kind, start, turned }: FoundEvent, offset: number): EventRole {
  return offset <= start === !turned ? kind.before : kind.after;
}

/** An event of markets with a direction for suppliers tells what happens to the price of a good, whatever company has a part in it. */
export const isOfGoods = ({ group, directions }: EventKind): boolean =>
  marketGroups.has(group) && directions.has("supplier");

/**
 * The part of the company that the sentence is about: the one before the proof, unless it opens the sentence. "Fed cuts rates" and
 * "Strike at the mine" name no other company, so they are about the subject.
 */
export function leadingRole({ kind, opens, turned }: FoundEvent): EventRole {
  const [first, second] = turned ? [kind.after, kind.before] : [kind.before, kind.after];
  const role = opens ? second : first;
  return role === "other" ? (role === first ? second : first) : role;
}

/** The part of whoever stands on the other side of the proof than a role does. */
export const otherSide = ({ before, after }: EventKind, role: EventRole): EventRole =>
  before === role ? after : before;

/** "US judge dismisses suit against Veldric": an authority is no company, so the item is about the other side; so is a broker's move. */
export function partyRole(event: FoundEvent): EventRole {
  const role = leadingRole(event);
  return role === "regulator" || role === "broker" ? otherSide(event.kind, role) : role;
}

/** The same for an item on no company: of what happens to a good, it is the good's part. */
export const ownRole = (event: FoundEvent): EventRole =>
  isOfGoods(event.kind) ? "supplier" : partyRole(event);

const none = [0, 0] as const;

/** Short and long direction, -5..5, of an event for a company in a role. */
export function directionFor({ kind, strength }: FoundEvent, role: EventRole): readonly [number, number] {
  const [short, long] = kind.directions.get(role) ?? none;
  return [short * strength, long * strength];
}
