import { z } from "zod";
import { type LlmAnswer, llmAnswer } from "./llm-answer.ts";

/** Why there is no answer. The message is safe to log: it never contains text of the server or of another error. */
export class LlmError extends Error {
  override readonly name = "LlmError";
}

/** Used to estimate the tokens of a call when the server does not report them. */
export const charactersPerToken = 3.5;

const part = z.object({ text: z.string().optional() });
const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.union([z.string(), z.array(part)]).nullish(),
          refusal: z.string().nullish(),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ total_tokens: z.number() }).nullish().catch(null),
});

/** The URL of chat completions: under a base address, or the address itself. */
export function completionsUrl(url: string): string {
  const base = url.replace(/\/+$/, "");
  return base.endsWith("/chat/completions") ? base : `${base}/chat/completions`;
}

export interface Asked {
  readonly model: string;
  readonly system: string;
  readonly user: string;
  readonly maxTokens: number;
  /** Whether the request asks the server to enforce the schema. */
  readonly schema: boolean;
}

const responseFormat = {
  type: "json_schema",
  json_schema: { name: "verdict", strict: true, schema: withoutDialect(z.toJSONSchema(llmAnswer)) },
};

/** Servers refuse keywords that they do not know. */
function withoutDialect({ $schema: _, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return schema;
}

export function requestBody({ model, system, user, maxTokens, schema }: Asked): string {
  return JSON.stringify({
    model,
    temperature: 0,
    seed: 0,
    max_tokens: maxTokens,
    messages: [
      { role: "system", content: system },
      { role: "user", content: user },
    ],
    ...(schema ? { response_format: responseFormat } : {}),
  });
}

/**
 * Reads a body as text, at most `most` bytes.
 * @throws {LlmError} when it has more; the signal's reason when it aborts
 */
export async function readBounded(
  body: AsyncIterable<Uint8Array>,
  most: number,
  signal: AbortSignal,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  const iterator = body[Symbol.asyncIterator]();
  try {
    signal.throwIfAborted();
    for (;;) {
      // A plain loop would wait for ever on a server that sends a byte now and then.
      const { value, done } = await Promise.race([iterator.next(), aborted]);
      if (done === true) return Buffer.concat(chunks).toString("utf8");
      size += value.byteLength;
      if (size > most) throw new LlmError(`the answer is over ${most} bytes`);
      chunks.push(value);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    // Not awaited, because a stalled body may never answer; its error no longer matters.
    void iterator.return?.().catch(() => {});
  }
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new LlmError(`${what} is no JSON`);
  }
}

/** Without a schema, models put their JSON between fences or a few words. */
function jsonWithin(content: string): string {
  const [start, end] = [content.indexOf("{"), content.lastIndexOf("}")];
  if (start < 0 || end < start) throw new LlmError("the content is no JSON");
  return content.slice(start, end + 1);
}

export interface Read {
  readonly answer: LlmAnswer;
  /** Tokens as the server counts them; null when it does not report them. */
  readonly tokens: number | null;
}

/**
 * Reads and checks a chat completion.
 * @throws {LlmError} malformed, refused, cut short, or not of the requested form
 */
export function readCompletion(text: string): Read {
  const parsed = completion.safeParse(parseJson(text, "the answer"));
  if (!parsed.success) throw new LlmError("the answer is no chat completion");
  const [choice] = parsed.data.choices;
  if (choice === undefined) throw new LlmError("the answer is no chat completion");
  const { message, finish_reason: finished } = choice;
  if ((message.refusal ?? "") !== "" || finished === "content_filter")
    throw new LlmError("the model refused");
  if (finished === "length") throw new LlmError("the answer was cut short");
  const { content } = message;
  const words =
    typeof content === "string" ? content : (content ?? []).map(({ text: piece = "" }) => piece).join("");
  const answer = llmAnswer.safeParse(parseJson(jsonWithin(words), "the content"));
  if (!answer.success) throw new LlmError("the content does not have the requested form");
  const tokens = parsed.data.usage?.total_tokens ?? null;
  return { answer: answer.data, tokens: tokens !== null && tokens >= 0 ? tokens : null };
}
