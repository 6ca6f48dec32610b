import { createHash } from "node:crypto";
import { z } from "zod";
import type { ExpertHead, GramHead, Heads, Mixture, NamedHead, Probabilities } from "./heads.ts";

/** The trained heads as stored in scoring/model: one base64 text, so that the file is plain JSON. */
export const modelFile = z.object({
  version: z.string(),
  /** Of the bytes that `payload` encodes. */
  sha256: z.string(),
  payload: z.string(),
});
export type ModelFile = z.infer<typeof modelFile>;

const probabilities = z.tuple([z.number(), z.number(), z.number()]);
const named = z.object({
  names: z.array(z.string()),
  weights: z.array(probabilities),
  bias: probabilities,
  temperature: z.number().positive(),
});
const gram = named.extend({ gramScale: z.number().positive(), gramBytes: z.int().positive() });
const expert = gram.extend({ prior: probabilities });
const mixture = z.object({
  rules: z.number(),
  transfer: z.number(),
  experts: z.number(),
  prior: probabilities,
});
/** Precedes the n-gram weights, which follow in the order kind, headlines, tweets. */
const header = z.object({
  kind: gram,
  headlines: expert,
  tweets: expert,
  transfer: named,
  ruleTable: z.array(probabilities).length(11),
  mixtures: z.object({ sentence: mixture, headline: mixture, unworded: mixture }),
});
type Header = z.infer<typeof header>;

const lengthBytes = 4;

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const packNamed = ({ weights, bias, temperature }: NamedHead): z.infer<typeof named> => ({
  names: [...weights.keys()],
  weights: [...weights.values()].map(([a, b, c]) => [a, b, c]),
  bias: [...bias],
  temperature,
});

const packGram = (head: GramHead): z.infer<typeof gram> => ({
  ...packNamed(head),
  gramScale: head.gramScale,
  gramBytes: head.grams.length,
});

const packExpert = (head: ExpertHead): z.infer<typeof expert> => ({
  ...packGram(head),
  prior: [...head.prior],
});

const packMixture = (found: Mixture): z.infer<typeof mixture> => ({ ...found, prior: [...found.prior] });

export function encodeModel(heads: Heads, version: string): ModelFile {
  const { kind, headlines, tweets, transfer, ruleTable, mixtures } = heads;
  const facts: Header = {
    kind: packGram(kind),
    headlines: packExpert(headlines),
    tweets: packExpert(tweets),
    transfer: packNamed(transfer),
    ruleTable: ruleTable.map(([a, b, c]) => [a, b, c]),
    mixtures: {
      sentence: packMixture(mixtures.sentence),
      headline: packMixture(mixtures.headline),
      unworded: packMixture(mixtures.unworded),
    },
  };
  const head = Buffer.from(JSON.stringify(facts));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(head.length);
  const tables = [kind, headlines, tweets].map(({ grams }) => Buffer.from(grams.buffer));
  const bytes = Buffer.concat([length, head, ...tables]);
  return { version, sha256: sha256(bytes), payload: bytes.toString("base64") };
}

function unpackNamed({ names, weights, bias, temperature }: z.infer<typeof named>): NamedHead {
  const rows = weights.map(([a, b, c]): Probabilities => [a, b, c]);
  return {
    weights: new Map(names.map((name, at) => [name, rows[at] ?? [0, 0, 0]])),
    bias: [...bias],
    temperature,
  };
}

/**
 * @param file the parsed content of scoring/model/flash.json
 * @throws {Error} when it is no model file, or its bytes have changed since it was written
 */
export function decodeModel(file: unknown): { readonly heads: Heads; readonly version: string } {
  const { version, sha256: stated, payload } = modelFile.parse(file);
  const bytes = Buffer.from(payload, "base64");
  if (sha256(bytes) !== stated)
    throw new Error("scoring/model/flash.json: the weights do not fit their checksum");
  const from = lengthBytes + bytes.readUInt32LE(0);
  const facts = header.parse(JSON.parse(bytes.toString("utf8", lengthBytes, from)));
  let at = from;
  const table = (size: number): Int8Array => {
    const values = new Int8Array(bytes.subarray(at, at + size));
    at += size;
    return values;
  };
  const unpackGram = (head: z.infer<typeof gram>): GramHead => ({
    ...unpackNamed(head),
    gramScale: head.gramScale,
    grams: table(head.gramBytes),
  });
  const unpackExpert = (head: z.infer<typeof expert>): ExpertHead => ({
    ...unpackGram(head),
    prior: head.prior,
  });
  return {
    version,
    heads: {
      kind: unpackGram(facts.kind),
      headlines: unpackExpert(facts.headlines),
      tweets: unpackExpert(facts.tweets),
      transfer: unpackNamed(facts.transfer),
      ruleTable: facts.ruleTable.map(([a, b, c]): Probabilities => [a, b, c]),
      mixtures: facts.mixtures,
    },
  };
}
