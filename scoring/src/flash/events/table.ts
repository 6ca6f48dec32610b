/** The table of events, read once at the start (rows.ts). What the files say is not kept beside what is made of it. */
import { eventRoles } from "@tapewire/contract/feeds.ts";
import { z } from "zod";
import { ownString } from "../../kept-strings.ts";
import { PhraseIndex } from "../words/phrase-index.ts";
import {
  type Cause,
  type Context,
  contexts,
  defaultEffects,
  type EventRole,
  type Group,
  type Row,
  readGroups,
  readWords,
} from "./rows.ts";
import { type SmallSize, smallSizesOf } from "./sizes.ts";

export { type Cause, type Context, contexts, type EventRole } from "./rows.ts";

/** A kind of event: a row of the table. */
export interface EventKind {
  readonly name: string;
  readonly group: string;
  readonly label: string;
  readonly meaning: string;
  /** Judged probability, 0..1, that the share (or market) moves unusually. */
  readonly move: number;
  /** Short and long direction, -5..5, for a company in a role. */
  readonly directions: ReadonlyMap<EventRole, readonly [number, number]>;
  /** Roles of the companies named before and after the proof. */
  readonly before: EventRole;
  readonly after: EventRole;
  /** Reports a move that has happened: nothing is left to act on. */
  readonly echo: boolean;
  /** A headline that tells it as a plain fact has its direction, whatever the wording suggests. */
  readonly sure: boolean;
  /** Least and most score of actionability of a headline that tells it as a plain fact. */
  readonly act: readonly [number, number];
  /** It counts only beside one of these kinds, of which it tells a detail; empty: it stands by itself. */
  readonly beside: ReadonlySet<string>;
  readonly surprise: "above" | "below" | "in_line" | null;
  readonly effects: Readonly<Record<Cause, string>>;
  /** Amounts that make it a small event; empty where its size is not weighed. */
  readonly small: readonly SmallSize[];
  /** It is found only where the sentence has one of the words that it needs. */
  readonly needs: boolean;
}

/** Groups whose events are about economies. */
export const marketGroups: ReadonlySet<string> = new Set(["economy", "policy", "markets"]);

export interface Proof {
  readonly kind: EventKind;
  /** The company before the proof has the role that is told for the one after it, and the other way round. */
  readonly turned: boolean;
  /** A figure that came out a hair from the expected one: it says half as much. */
  readonly faint?: boolean;
  /** A figure far from the expected one: it says half as much again. */
  readonly far?: boolean;
}

/** Effects can be names of kinds. */
const whenOf = ({ when }: Row): Row["when"] =>
  Object.fromEntries(Object.entries(when).map(([cause, effect]) => [cause, ownString(effect)]));

function kindOf(row: Row, group: string): EventKind {
  const directions = new Map<EventRole, readonly [number, number]>([["subject", [row.short, row.long]]]);
  for (const [name, pair] of Object.entries(row.roles))
    if (pair !== undefined) directions.set(z.enum(eventRoles).parse(name), pair);
  return {
    name: ownString(row.name),
    group: ownString(group),
    label: ownString(row.label),
    meaning: ownString(row.meaning),
    move: row.move,
    directions,
    before: row.before,
    after: row.after,
    echo: row.echo,
    sure: row.sure,
    act: row.act,
    beside: new Set(row.beside === "" ? [] : row.beside.split("|").map(ownString)),
    surprise: row.surprise ?? null,
    effects: { ...defaultEffects, ...whenOf(row) },
    small: smallSizesOf(row.small),
    needs: row.need !== "",
  };
}

interface RowOf {
  readonly row: Row;
  readonly lists: Group["lists"];
  readonly file: string;
  readonly kind: EventKind;
}

function checkNames(rows: readonly RowOf[]): void {
  const names = new Set(rows.map(({ kind }) => kind.name));
  const twice = rows.find(({ kind }, at) => rows.findLastIndex((row) => row.kind.name === kind.name) !== at);
  if (twice !== undefined) throw new Error(`scoring/events: ${twice.kind.name} is there twice`);
  const effects = new Set(["void", "weaker", "stays", ...names]);
  for (const { kind, file } of rows)
    for (const beside of kind.beside)
      if (!names.has(beside)) throw new Error(`scoring/events/${file}: ${kind.name}: "${beside}" is no kind`);
  for (const { kind, file } of rows)
    for (const effect of Object.values(kind.effects))
      if (!effects.has(effect))
        throw new Error(`scoring/events/${file}: ${kind.name}: "${effect}" is no kind`);
}

type Member = "proof" | "turned" | "measure" | "void" | "need";

/** A kind of event that words of its sentence rule out, or that needs them. */
export interface Bound {
  readonly kind: EventKind;
  readonly by: "void" | "need";
}

/** What words around a proof say. */
export type Said = Context | "denied_after" | Bound;

/** Adds the phrases of one member of all rows; a list of a file counts in that file before one of words.toml. */
function addPhrases<T>(
  index: PhraseIndex<T>,
  rows: readonly RowOf[],
  members: readonly Member[],
  value: (row: RowOf, member: Member) => T,
): PhraseIndex<T> {
  for (const row of rows)
    for (const member of members.filter((each) => row.row[each] !== ""))
      try {
        index.add(value(row, member), row.row[member], row.lists);
      } catch (error) {
        const { file, kind } = row;
        const why = error instanceof Error ? error.message : "";
        throw new Error(`scoring/events/${file}: ${kind.name}: ${why}`);
      }
  return index;
}

function readTable() {
  const shared = readWords();
  const groups = readGroups();
  const rows = groups.flatMap(({ group, kind, lists, file }) =>
    kind.map((row) => ({ row, lists, file, kind: kindOf(row, group) })),
  );
  checkNames(rows);
  const said = Object.entries(shared.contexts).map(([name, source]): [Said, string] => [
    z.enum([...contexts, "denied_after"]).parse(name),
    source,
  ]);
  return {
    groups: new Map(groups.map(({ group, label }) => [ownString(group), ownString(label)])),
    kinds: rows.map(({ kind }) => kind),
    proofs: addPhrases(
      new PhraseIndex<Proof>([], shared.lists),
      rows,
      ["proof", "turned"],
      ({ kind }, member) => ({ kind, turned: member === "turned" }),
    ),
    measures: addPhrases(new PhraseIndex<EventKind>([], shared.lists), rows, ["measure"], ({ kind }) => kind),
    said: addPhrases(
      new PhraseIndex<Said>(said, shared.lists),
      rows,
      ["void", "need"],
      ({ kind }, member): Bound => ({ kind, by: member === "need" ? "need" : "void" }),
    ),
  };
}

const table = readTable();

export const eventGroups: ReadonlyMap<string, string> = table.groups;
export const eventKinds: readonly EventKind[] = table.kinds;
export const kindByName: ReadonlyMap<string, EventKind> = new Map(
  eventKinds.map((kind) => [kind.name, kind]),
);
export const proofs = table.proofs;
/** Measures whose figure is compared with the expected one. */
export const measures = table.measures;
export const saidPhrases = table.said;
