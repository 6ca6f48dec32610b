import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { proVersion } from "@tapewire/scoring/pro/pro.ts";
import { z } from "zod";
import { ConfigError } from "../../config/config.ts";
import { readConfigFile } from "../../config/files.ts";
import { type Calibration, calibrationFile } from "./calibration.ts";
import { positionsOf } from "./labels.ts";
import { classNames, type ModelFiles } from "./types.ts";

/** A folder with a model, checked as far as is possible without running the model. */
export interface ModelFolder extends ModelFiles {
  readonly path: string;
  /** The verdict says onnx:<name>. */
  readonly name: string;
  /** Digest of the model and its tokenizer, which a calibration belongs to. */
  readonly digest: string;
  /** null: there is none. */
  readonly calibration: Calibration | null;
  /** Differs when the verdicts may differ: the model, its settings, its calibration or pro's rules have changed. */
  readonly version: string;
}

/** In the order of preference: a quantized model takes half the time. */
const modelNames = [
  "model_quantized.onnx",
  "onnx/model_quantized.onnx",
  "model.onnx",
  "onnx/model.onnx",
] as const;

/** The runtime keeps a model in one buffer of WebAssembly. */
const largestBytes = 2 ** 31 - 1;
const mostTokens = 512;

/** Members that no reader needs are left alone: the file has dozens. */
const modelConfig = z.object({
  id2label: z.record(z.string(), z.string()),
  model_type: z.string().optional(),
  max_position_embeddings: z.number().int().positive().optional(),
  pad_token_id: z.number().int().nonnegative().nullish(),
});
/** transformers writes 1e30 where a tokenizer has no limit. */
const tokenizerConfig = z.object({ model_max_length: z.number().positive().optional() });

/** tapewire.json, the operator's own words on the model. */
const ownSettings = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]{1,64}$/, "must be 1 to 64 letters, digits, '.', '_' or '-'")
    .optional(),
  file: z.string().min(1).optional(),
  labels: z.record(z.string(), z.enum(classNames)).default({}),
  max_tokens: z.int().min(8).max(mostTokens).default(mostTokens),
});

/**
 * @param options calibrated false: without its calibration, which is to be made
 * @throws {ConfigError} naming the file that is missing or wrong
 */
export async function readModelFolder(
  folder: string,
  { calibrated = true }: { readonly calibrated?: boolean } = {},
): Promise<ModelFolder> {
  const path = resolve(folder);
  if (!((await statOf(path))?.isDirectory() ?? false))
    throw new ConfigError(`${path}: is not a folder with a model`);
  const settingsPath = await existing(path, "tapewire.json");
  const own = settingsPath === null ? ownSettings.parse({}) : readConfigFile(settingsPath, ownSettings);
  const modelFile = await modelFileOf(path, own.file);
  const configPath = await needed(path, "config.json", "the classes of the model");
  const config = readConfigFile(configPath, modelConfig);
  const positions = positionsOf(config.id2label, own.labels);
  if (typeof positions === "string") throw new ConfigError(`${configPath}: ${positions}`);
  const tokenizerFile = await needed(
    path,
    "tokenizer.json",
    "the tokenizer; save it by a fast tokenizer of transformers",
  );
  const tokenizerConfigFile = await existing(path, "tokenizer_config.json");
  const limits = tokenizerConfigFile === null ? {} : readConfigFile(tokenizerConfigFile, tokenizerConfig);
  const calibrationPath = calibrated ? await existing(path, "calibration.json") : null;
  const calibration = calibrationPath === null ? null : readConfigFile(calibrationPath, calibrationFile);
  const files = [modelFile, configPath, tokenizerFile, tokenizerConfigFile, settingsPath];
  const digest = await digestOf(files.filter((file) => file !== null));
  if (calibration !== null && calibration.model !== digest)
    throw new ConfigError(
      `${calibrationPath}: belongs to another model; make it again with tapewire calibrate, or delete it`,
    );
  const version = createHash("sha256")
    .update(JSON.stringify([digest, calibration]))
    .digest("hex");
  return {
    ...{ path, modelFile, tokenizerFile, tokenizerConfigFile, positions, digest, calibration },
    name: own.name ?? nameOf(path),
    maxTokens: Math.min(own.max_tokens, positionsIn(config), limits.model_max_length ?? mostTokens),
    version: `${proVersion}-${version.slice(0, 12)}`,
  };
}

/** RoBERTa and its relatives number positions from behind the padding. */
function positionsIn({
  model_type = "",
  max_position_embeddings,
  pad_token_id,
}: z.infer<typeof modelConfig>) {
  if (max_position_embeddings === undefined) return mostTokens;
  const offset = /roberta|camembert|bertweet/.test(model_type) ? (pad_token_id ?? 1) + 1 : 0;
  return max_position_embeddings - offset;
}

/** Label values and logs carry the name, so it has no odd characters. */
const nameOf = (path: string): string =>
  basename(path)
    .replaceAll(/[^\w.-]+/g, "-")
    .slice(0, 64) || "model";

async function modelFileOf(path: string, file: string | undefined): Promise<string> {
  for (const name of file === undefined ? modelNames : [file]) {
    const found = await existing(path, name);
    if (found === null) continue;
    const size = (await stat(found)).size;
    if (size <= largestBytes) return found;
    throw new ConfigError(`${found}: is larger than 2 GB; quantize the model (docs/own-model.md)`);
  }
  const looked = file === undefined ? "model.onnx, onnx/model.onnx or model_quantized.onnx" : file;
  throw new ConfigError(`${path}: has no file ${looked}, the model`);
}

async function needed(path: string, name: string, what: string): Promise<string> {
  const found = await existing(path, name);
  if (found === null) throw new ConfigError(`${join(path, name)}: is missing (${what})`);
  return found;
}

async function existing(path: string, name: string): Promise<string | null> {
  const file = join(path, name);
  return ((await statOf(file))?.isFile() ?? false) ? file : null;
}

/** null: there is no such file. */
async function statOf(path: string) {
  try {
    return await stat(path);
  } catch {
    return null;
  }
}

async function digestOf(files: readonly string[]): Promise<string> {
  const hash: Hash = createHash("sha256");
  for (const file of files) {
    hash.update(`\0${basename(file)}\0`);
    for await (const chunk of createReadStream(file)) hash.update(chunk);
  }
  return hash.digest("hex").slice(0, 16);
}
