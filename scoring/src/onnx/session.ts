import { env, InferenceSession, Tensor } from "onnxruntime-web";

/** Rows of ids, all of one length. */
export type Rows = readonly (readonly number[])[];

/** A model of a text, in WebAssembly on this thread. */
export interface Session {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /**
   * @param feeds a value for each of the inputs
   * @returns the values of the output, row after row
   * @throws {Error} when the model fails, or the output is not float32
   */
  run(feeds: Readonly<Record<string, Rows>>, output: string): Promise<Float32Array>;
}

/** What fails is told by an error, not by the runtime on stderr, whose own level does not hold for sessions. */
const quietly = { logSeverityLevel: 4 } as const;
/** Memory is given back after each run: texts come seldom, and of all lengths. */
const frugally = { enableCpuMemArena: false, enableMemPattern: false } as const;

/**
 * Loads a model (ONNX) with one thread of computation: whoever wants more of them starts more threads.
 * @throws {Error} when the runtime cannot load it
 */
export async function openSession(model: Uint8Array): Promise<Session> {
  env.wasm.numThreads = 1;
  env.logLevel = "fatal";
  const session = await InferenceSession.create(model, {
    executionProviders: ["wasm"],
    ...quietly,
    ...frugally,
  });
  return {
    inputs: session.inputNames,
    outputs: session.outputNames,
    run: async (feeds, output) => {
      const tensors = Object.entries(feeds).map(([name, rows]) => {
        const dims = [rows.length, rows[0]?.length ?? 0];
        return [name, new Tensor("int64", BigInt64Array.from(rows.flat(), BigInt), dims)] as const;
      });
      const { [output]: said } = await session.run(Object.fromEntries(tensors), quietly);
      if (!(said?.data instanceof Float32Array)) throw new Error(`its output ${output} is not float32`);
      return said.data;
    },
  };
}
