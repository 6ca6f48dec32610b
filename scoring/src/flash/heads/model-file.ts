/** The file of the trained heads: a JSON header in front of the tables of n-gram weights, kept as base64 with a checksum. */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { ExpertHead, Heads, Probabilities } from "./heads.ts";
import type { LinearHead } from "./linear.ts";

export const modelFile = z.object({ version: z.string(), sha256: z.string(), payload: z.string() });
export type ModelFile = z.infer<typeof modelFile>;
const probabilities = z.tuple([z.number(), z.number(), z.number()]);
const linear = z.object({
  classes: z.int().min(2),
  names: z.array(z.string()),
  weights: z.array(z.array(z.number())),
  bias: z.array(z.number()),
  gramScale: z.number(),
  gramBytes: z.int(),
  temperature: z.number(),
});
const expert = linear.extend({ prior: probabilities });
const header = z.object({
  kind: linear,
  headlines: expert,
  tweets: expert,
  general: linear,
  action: linear,
  actionFrom: z.number(),
  group: linear,
  groupNames: z.array(z.string()),
});
type Header = z.infer<typeof header>;

const lengthBytes = 4;

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const pack = (head: LinearHead): z.infer<typeof linear> => ({
  classes: head.classes,
  names: [...head.weights.keys()],
  weights: [...head.weights.values()].map((row) => [...row]),
  bias: [...head.bias],
  gramScale: head.gramScale,
  gramBytes: head.grams.length,
  temperature: head.temperature,
});

const packExpert = (head: ExpertHead): z.infer<typeof expert> => ({ ...pack(head), prior: [...head.prior] });

export function encodeModel(heads: Heads, version: string): ModelFile {
  const { kind, headlines, tweets, general, action, group } = heads;
  const facts: Header = {
    kind: pack(kind),
    headlines: packExpert(headlines),
    tweets: packExpert(tweets),
    general: pack(general),
    action: pack(action),
    actionFrom: heads.actionFrom,
    group: pack(group),
    groupNames: [...heads.groupNames],
  };
  const head = Buffer.from(JSON.stringify(facts));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(head.length);
  const tables = [kind, headlines, tweets, general, action, group].map(({ grams }) =>
    Buffer.from(grams.buffer),
  );
  const bytes = Buffer.concat([length, head, ...tables]);
  return { version, sha256: sha256(bytes), payload: bytes.toString("base64") };
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
  let at = lengthBytes + bytes.readUInt32LE(0);
  const facts = header.parse(JSON.parse(bytes.toString("utf8", lengthBytes, at)));
  const unpack = (head: z.infer<typeof linear>): LinearHead => {
    const grams = new Int8Array(bytes.subarray(at, at + head.gramBytes));
    at += head.gramBytes;
    const { classes, bias, gramScale, temperature } = head;
    const weights = new Map(head.names.map((name, index) => [name, head.weights[index] ?? []]));
    return { classes, weights, bias, grams, gramScale, temperature };
  };
  const unpackExpert = (head: z.infer<typeof expert>): ExpertHead => {
    const prior: Probabilities = head.prior;
    return { ...unpack(head), prior };
  };
  return {
    version,
    // In the order of the tables.
    heads: {
      kind: unpack(facts.kind),
      headlines: unpackExpert(facts.headlines),
      tweets: unpackExpert(facts.tweets),
      general: unpack(facts.general),
      action: unpack(facts.action),
      actionFrom: facts.actionFrom,
      group: unpack(facts.group),
      groupNames: facts.groupNames,
    },
  };
}
