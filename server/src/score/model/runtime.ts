import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { z } from "zod";
import type { ClassScores } from "./types.ts";

/** Not a dependency: it is 148 MB, which only those who bring a model need (docs/adr/0075-own-model.md). */
export const runtimePackage = { name: "onnxruntime-web", version: "1.30.0" } as const;

export const installCommand = `npm install --no-save --ignore-scripts ${runtimePackage.name}@${runtimePackage.version}`;

/** Whether the package can be loaded. */
export function isRuntimeInstalled(): boolean {
  try {
    import.meta.resolve(runtimePackage.name);
    return true;
  } catch {
    return false;
  }
}

/** The part of the package that is used here. */
interface Runtime {
  readonly env: { logLevel?: string; readonly wasm: { numThreads?: number } };
  readonly InferenceSession: {
    create(model: Uint8Array, options: object): Promise<Session>;
  };
  readonly Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => object;
}

interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, object>>, options: object): Promise<Readonly<Record<string, unknown>>>;
}

/** The model on the ids of one text. @returns the model's outputs, one for each class */
export type Run = (ids: readonly number[]) => Promise<readonly number[]>;

const inputs: Readonly<Record<string, (id: number) => bigint>> = {
  input_ids: BigInt,
  attention_mask: () => 1n,
  token_type_ids: () => 0n,
};

const output = z.object({ data: z.instanceof(Float32Array) });

/** A text on which it fails is told as a reason, not by the runtime on stderr, whose own level does not hold for sessions. */
const quietly = { logSeverityLevel: 4 } as const;

/**
 * Loads a model into WebAssembly, to run on this thread.
 * @throws {Error} naming the file, when the runtime cannot load it or its inputs are not those of a text classifier
 */
export async function loadModel(file: string): Promise<Run> {
  const { env, InferenceSession, Tensor } = await loadRuntime();
  env.wasm.numThreads = 1;
  env.logLevel = "fatal";
  const name = basename(file);
  const options = { executionProviders: ["wasm"], ...quietly };
  const session = await InferenceSession.create(await readFile(file), options).catch((cause: unknown) => {
    throw new Error(`${file}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  });
  const { inputNames, outputNames } = session;
  const other = inputNames.find((input) => !Object.hasOwn(inputs, input));
  if (other !== undefined || !inputNames.includes("input_ids"))
    throw new Error(
      `${file}: reads ${inputNames.join(", ")}; a text classifier reads input_ids, attention_mask and perhaps token_type_ids`,
    );
  const logits = outputNames.includes("logits") ? "logits" : outputNames[0];
  if (logits === undefined) throw new Error(`${file}: has no output`);
  return async (ids) => {
    const feeds = inputNames.map((input) => {
      const data = BigInt64Array.from(ids, inputs[input] ?? (() => 0n));
      return [input, new Tensor("int64", data, [1, ids.length])] as const;
    });
    const answer = await session.run(Object.fromEntries(feeds), quietly);
    const parsed = output.safeParse(answer[logits]);
    if (parsed.success && parsed.data.data.length === 3) return [...parsed.data.data];
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

async function loadRuntime(): Promise<Runtime> {
  // Not a literal, since the compiler need not find an optional package.
  const name: string = runtimePackage.name;
  const loaded: unknown = await import(name);
  if (isRuntime(loaded)) return loaded;
  throw new Error(`${name} is not the package that is wanted: ${installCommand}`);
}

function isRuntime(loaded: unknown): loaded is Runtime {
  return (
    typeof loaded === "object" &&
    loaded !== null &&
    "InferenceSession" in loaded &&
    "Tensor" in loaded &&
    "env" in loaded
  );
}
