/** The files of the table of events: scoring/events/*.toml. Their README tells how a row is written. */
import { readdirSync, readFileSync } from "node:fs";
import { eventRoles } from "@tapewire/contract/feeds.ts";
import { parse } from "smol-toml";
import { z } from "zod";

const folder = new URL("../../../events/", import.meta.url);
const wordsFile = "words.toml";

const direction = z.int().min(-5).max(5);
const role = z.enum(eventRoles);

/** What the words around a proof may say of it. */
export const contexts = ["denied", "hypothetical", "history", "preview", "law_firm", "repeated"] as const;
export type Context = (typeof contexts)[number];
/** What changes a proof's meaning: words around it, or an amount that is small for its kind or its company. */
const causes = [...contexts, "small", "modest"] as const;
export type Cause = (typeof causes)[number];
export const defaultEffects: Readonly<Record<Cause, string>> = {
  denied: "void",
  hypothetical: "weaker",
  history: "void",
  preview: "void",
  law_firm: "void",
  repeated: "weaker",
  small: "weaker",
  modest: "weaker",
};

const phrases = z.string().trim();
const score = z.int().min(0).max(100);
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
  act: z.tuple([score, score]).default([0, 100]),
  proof: phrases.default(""),
  turned: phrases.default(""),
  void: phrases.default(""),
  need: phrases.default(""),
  small: phrases.default(""),
  beside: z.string().default(""),
  surprise: z.enum(["above", "below", "in_line"]).optional(),
  measure: phrases.default(""),
  when: z.partialRecord(z.enum(causes), z.string()).default({}),
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
export type Row = z.infer<typeof kindRow>;
export type Group = z.infer<typeof groupFile> & { readonly file: string };

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

/** Lists that hold in all files, and the phrases of contexts. */
export const readWords = (): z.infer<typeof words> => parsed(words, wordsFile);

export const readGroups = (): readonly Group[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".toml") && file !== wordsFile)
    .toSorted()
    .map((file) => ({ file, ...parsed(groupFile, file) }));
