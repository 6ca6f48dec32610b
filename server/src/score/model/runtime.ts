import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { openSession, type Rows } from "@tapewire/scoring/onnx/session.ts";
import type { ClassScores } from "./types.ts";

/** The model on the ids of one text. @returns the model's outputs, one for each class */
export type Run = (ids: readonly number[]) => Promise<readonly number[]>;

const inputs: Readonly<Record<string, (ids: readonly number[]) => Rows>> = {
  input_ids: (ids) => [ids],
  attention_mask: (ids) => [ids.map(() => 1)],
  token_type_ids: (ids) => [ids.map(() => 0)],
};

/**
 * Loads a model into WebAssembly, to run on this thread.
 * @throws {Error} naming the file, when the runtime cannot load it or its inputs are not those of a text classifier
 */
export async function loadModel(file: string): Promise<Run> {
  const name = basename(file);
  const session = await openSession(await readFile(file)).catch((cause: unknown) => {
    throw new Error(`${file}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  });
  const other = session.inputs.find((input) => !Object.hasOwn(inputs, input));
  if (other !== undefined || !session.inputs.includes("input_ids"))
    throw new Error(
      `${file}: reads ${session.inputs.join(", ")}; a text classifier reads input_ids, attention_mask and perhaps token_type_ids`,
    );
  const logits = session.outputs.includes("logits") ? "logits" : session.outputs[0];
  if (logits === undefined) throw new Error(`${file}: has no output`);
  return async (ids) => {
    const feeds = session.inputs.map((input) => [input, inputs[input]?.(ids) ?? []] as const);
    const said = await session.run(Object.fromEntries(feeds), logits);
    if (said.length === 3) return [...said];
    throw new Error(`${name}: its output ${logits} is not three numbers (float32), one for each class`);
  };
}

/** The outputs of a model in the order of the classes. */
export function ordered(outputs: readonly number[], positions: ClassScores): ClassScores {
  const [negative = Number.NaN, neutral = Number.NaN, positive = Number.NaN] = positions.map(
    (at) => outputs[at],
  );
  if (![negative, neutral, positive].every(Number.isFinite)) throw new Error("the model gave no numbers");
  return [negative, neutral, positive];
}
