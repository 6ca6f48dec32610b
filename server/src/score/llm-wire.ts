import { z } from "zod";
import { type LlmAnswer, llmAnswer } from "./llm-answer.ts";

/** Why there is no answer. Words for a log; never anything that the server or an error said. */
export class LlmError extends Error {
  override readonly name = "LlmError";
}

/** What a chat completion costs where the server tells nothing, and what is read of one at most. */
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

/** Where chat completions are: below a base address, or the address itself. */
export function completionsUrl(url: string): string {
  const base = url.replace(/\/+$/, "");
  return base.endsWith("/chat/completions") ? base : `${base}/chat/completions`;
}

export interface Asked {
  readonly model: string;
  readonly system: string;
  readonly user: string;
  readonly maxTokens: number;
  /** Whether the server is asked to hold the answer to the schema. */
  readonly schema: boolean;
}

const responseFormat = {
  type: "json_schema",
  json_schema: { name: "verdict", strict: true, schema: withoutDialect(z.toJSONSchema(llmAnswer)) },
};

/** Servers refuse keywords they do not know. */
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
 * The bytes of a body as text, no more than `most` of them.
 * @throws {LlmError} when there are more; the signal's reason when it aborts
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
      // A server that sends a byte now and then would hold a plain loop for ever.
      const { value, done } = await Promise.race([iterator.next(), aborted]);
      if (done === true) return Buffer.concat(chunks).toString("utf8");
      size += value.byteLength;
      if (size > most) throw new LlmError(`the answer is over ${most} bytes`);
      chunks.push(value);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    // Not awaited: a stalled body need not answer. What it throws now is of no interest.
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

/** Where a server knows no schemas, models put their JSON between fences or a few words. */
function jsonWithin(content: string): string {
  const [start, end] = [content.indexOf("{"), content.lastIndexOf("}")];
  if (start < 0 || end < start) throw new LlmError("the content is no JSON");
  return content.slice(start, end + 1);
}

export interface Read {
  readonly answer: LlmAnswer;
  /** Tokens as the server counts them; null when it does not say. */
  readonly tokens: number | null;
}

/**
 * A chat completion, checked.
 * @throws {LlmError} malformed, refused, cut short, or not what was asked for
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
  if (!answer.success) throw new LlmError("the content is not what was asked for");
  const tokens = parsed.data.usage?.total_tokens ?? null;
  return { answer: answer.data, tokens: tokens !== null && tokens >= 0 ? tokens : null };
}
