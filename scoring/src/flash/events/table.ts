/** The table of events: scoring/events/*.toml, read once at the start. Its README tells how a row is written. */
import { readdirSync, readFileSync } from "node:fs";
import { eventRoles } from "@tapewire/contract/feeds.ts";
import { parse } from "smol-toml";
import { z } from "zod";
import { PhraseIndex } from "../words/phrase-index.ts";

const folder = new URL("../../../events/", import.meta.url);
const wordsFile = "words.toml";

const direction = z.int().min(-5).max(5);
const role = z.enum(eventRoles);

/** What the words around a proof may say of it. */
export const contexts = ["denied", "hypothetical", "history", "preview", "law_firm", "repeated"] as const;
export type Context = (typeof contexts)[number];
const defaultEffects: Readonly<Record<Context, string>> = {
  denied: "void",
  hypothetical: "weaker",
  history: "void",
  preview: "void",
  law_firm: "void",
  repeated: "weaker",
};

const phrases = z.string().trim();
const kindRow = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]{2,60}$/),
  // Quotes in a comment are words of the text.
  label: z.string().regex(/^[^':]{3,60}$/),
  meaning: z.string().min(10).max(200),
  move: z.number().min(0).max(1),
  short: direction.default(0),
  long: direction.default(0),
  before: role.default("subject"),
  after: role.default("other"),
  roles: z.partialRecord(role, z.tuple([direction, direction])).default({}),
  echo: z.boolean().default(false),
  sure: z.boolean().default(false),
  proof: phrases.default(""),
  turned: phrases.default(""),
  void: phrases.default(""),
  surprise: z.enum(["above", "below", "in_line"]).optional(),
  measure: phrases.default(""),
  when: z.partialRecord(z.enum(contexts), z.string()).default({}),
  examples: z.array(z.string()).min(3),
  near_misses: z.array(z.string()).min(2),
});
const groupFile = z.strictObject({
  group: z.string().regex(/^[a-z_]+$/),
  label: z.string(),
  lists: z.record(z.string(), z.string()).default({}),
  kind: z.array(kindRow).min(1),
});
const words = z.strictObject({
  lists: z.record(z.string(), z.string()),
  contexts: z.record(z.enum([...contexts, "denied_after"]), phrases),
});

export type EventRole = z.infer<typeof role>;
type Row = z.infer<typeof kindRow>;

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
  readonly surprise: "above" | "below" | "in_line" | null;
  readonly effects: Readonly<Record<Context, string>>;
  readonly examples: readonly string[];
  readonly nearMisses: readonly string[];
}

export interface Proof {
  readonly kind: EventKind;
  /** The company before the proof has the role that is told for the one after it, and the other way round. */
  readonly turned: boolean;
  /** A figure that came out a hair from the expected one: it says half as much. */
  readonly faint?: boolean;
}

const readToml = (file: string): unknown => parse(readFileSync(new URL(file, folder), "utf8"));

/** @throws {Error} that names the file and the row */
function parsed<T>(schema: z.ZodType<T>, file: string): T {
  const found = schema.safeParse(readToml(file));
  if (found.success) return found.data;
  const issue = found.error.issues[0];
  throw new Error(
    `scoring/events/${file}: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is no table"}`,
  );
}

function kindOf(row: Row, group: string): EventKind {
  const directions = new Map<EventRole, readonly [number, number]>([["subject", [row.short, row.long]]]);
  for (const [name, pair] of Object.entries(row.roles))
    if (pair !== undefined) directions.set(role.parse(name), pair);
  return {
    name: row.name,
    group,
    label: row.label,
    meaning: row.meaning,
    move: row.move,
    directions,
    before: row.before,
    after: row.after,
    echo: row.echo,
    sure: row.sure,
    surprise: row.surprise ?? null,
    effects: { ...defaultEffects, ...row.when },
    examples: row.examples,
    nearMisses: row.near_misses,
  };
}

const shared = parsed(words, wordsFile);
const files = readdirSync(folder)
  .filter((file) => file.endsWith(".toml") && file !== wordsFile)
  .toSorted();
const groups = files.map((file) => ({ file, ...parsed(groupFile, file) }));
const rows = groups.flatMap((group) =>
  group.kind.map((row) => ({ row, lists: group.lists, file: group.file, kind: kindOf(row, group.group) })),
);

export const eventGroups: ReadonlyMap<string, string> = new Map(
  groups.map(({ group, label }) => [group, label]),
);
export const eventKinds: readonly EventKind[] = rows.map(({ kind }) => kind);
export const kindByName: ReadonlyMap<string, EventKind> = new Map(
  eventKinds.map((kind) => [kind.name, kind]),
);

function checkNames(): void {
  if (kindByName.size !== eventKinds.length) {
    const twice = eventKinds.find((kind) => kindByName.get(kind.name) !== kind);
    throw new Error(`scoring/events: ${twice?.name ?? ""} is there twice`);
  }
  const effects = new Set(["void", "weaker", "stays", ...kindByName.keys()]);
  for (const { kind, file } of rows)
    for (const effect of Object.values(kind.effects))
      if (!effects.has(effect))
        throw new Error(`scoring/events/${file}: ${kind.name}: "${effect}" is no kind`);
}
checkNames();

type RowOf = (typeof rows)[number];
type Member = "proof" | "turned" | "measure";

/** @throws {Error} that names the file and the row of a phrase that cannot be read */
function addPhrases<T>(index: PhraseIndex<T>, value: T, { file, kind, lists }: RowOf, source: string): void {
  try {
    index.add(value, source, lists);
  } catch (error) {
    throw new Error(`scoring/events/${file}: ${kind.name}: ${error instanceof Error ? error.message : ""}`);
  }
}

/** Phrases of one member of all rows; a list of a file counts in that file before one of words.toml. */
function indexOf<T>(value: (row: RowOf, member: Member) => T, members: readonly Member[]): PhraseIndex<T> {
  const index = new PhraseIndex<T>([], shared.lists);
  for (const row of rows)
    for (const member of members)
      if (row.row[member] !== "") addPhrases(index, value(row, member), row, row.row[member]);
  return index;
}

export const proofs = indexOf<Proof>(
  ({ kind }, member) => ({ kind, turned: member === "turned" }),
  ["proof", "turned"],
);
/** Measures whose figure is compared with the expected one. */
export const measures = indexOf<EventKind>(({ kind }) => kind, ["measure"]);

/** What words around a proof say: a context, or a kind of event that they rule out. */
export type Said = Context | "denied_after" | EventKind;
export const saidPhrases = new PhraseIndex<Said>(
  Object.entries(shared.contexts).map(([name, source]) => [
    z.enum([...contexts, "denied_after"]).parse(name),
    source,
  ]),
  shared.lists,
);
for (const row of rows) if (row.row.void !== "") addPhrases(saidPhrases, row.kind, row, row.row.void);
