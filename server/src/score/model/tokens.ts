import { readFile } from "node:fs/promises";
import { Tokenizer } from "@huggingface/tokenizers";
import { z } from "zod";
import type { ModelFiles, ModelTask } from "./types.ts";

/** Turns a text into the ids that the model was trained on, at most as many as it reads. */
export type Encode = (text: ModelTask) => readonly number[];

const anyObject = z.record(z.string(), z.unknown());

/** No word of a language that the models read is longer; without a bound a body of 200,000 characters is cut for nothing. */
const charactersPerToken = 16;

/** @throws {Error} naming the file, when the tokenizer cannot be made of it */
export async function loadEncode(files: Omit<ModelFiles, "modelFile" | "positions">): Promise<Encode> {
  const { tokenizerFile, tokenizerConfigFile, maxTokens } = files;
  const tokenizer = await tokenizerOf(tokenizerFile, tokenizerConfigFile);
  // What the tokenizer puts around a text: [CLS] and [SEP], <s> and </s>.
  const around = tokenizer.encode("").ids.length;
  const [first] = tokenizer.encode("a", { add_special_tokens: false }).ids;
  if (first === undefined) throw new Error(`${tokenizerFile}: finds no token in a text`);
  const behind = around - Math.max(0, tokenizer.encode("a").ids.indexOf(first));
  return ({ title, body }) => {
    const text = `${title}\n${body}`.slice(0, charactersPerToken * maxTokens).toWellFormed();
    const { ids } = tokenizer.encode(text);
    return ids.length <= maxTokens
      ? ids
      : [...ids.slice(0, maxTokens - behind), ...ids.slice(ids.length - behind)];
  };
}

async function tokenizerOf(file: string, configFile: string | null): Promise<Tokenizer> {
  try {
    const json = anyObject.parse(JSON.parse(await readFile(file, "utf8")));
    const config = configFile === null ? {} : anyObject.parse(JSON.parse(await readFile(configFile, "utf8")));
    return new Tokenizer(json, config);
  } catch (cause) {
    throw new Error(`${file}: is not a tokenizer (${cause instanceof Error ? cause.message : cause})`, {
      cause,
    });
  }
}
