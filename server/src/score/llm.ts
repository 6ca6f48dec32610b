import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProVerdict } from "@tapewire/scoring/pro/types.ts";
import type { Artifact, LinkedSymbol } from "@tapewire/scoring/types.ts";
import type { Clock } from "../runtime/clock.ts";
import { Gate, GateError } from "../runtime/sharing/gate.ts";
import { type LlmAnswer, type LlmVerdict, llmAnswer, llmVerdict } from "./llm-answer.ts";
import { DailyBudget } from "./llm-budget.ts";
import { type LlmCache, MemoryLlmCache } from "./llm-cache.ts";
import {
  type Asked,
  charactersPerToken,
  completionsUrl,
  LlmError,
  readBounded,
  readCompletion,
  requestBody,
} from "./llm-wire.ts";

export type { LlmVerdict } from "./llm-answer.ts";

/** An answer of a server. The body is a stream, so that reading it can be given up. */
export interface PostAnswer {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends one request, without following redirects. A layer that may open sockets provides it. The signal also ends the
 * body. It aborts too once the rest of a body is not needed, which must not raise an unhandled error.
 * @throws when no answer comes; the signal's reason when it aborts
 */
export type Post = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
) => Promise<PostAnswer>;

export interface LlmOptions {
  /** `http://127.0.0.1:8000/v1`, or the full address of its chat completions. */
  readonly url: string;
  readonly model: string;
  /** Empty when the server wants none. Sent as a bearer token, and never logged. */
  readonly key: string;
  readonly post: Post;
  readonly clock: Clock;
  readonly cache?: LlmCache;
  /** Concurrent calls. */
  readonly concurrency?: number;
  /** Calls that may wait for their turn; further ones are not made. */
  readonly waiting?: number;
  readonly tokensPerDay?: number;
  /** For one artifact, second tries included. */
  readonly deadlineMs?: number;
  /** Size of one answer. */
  readonly maxBytes?: number;
  /** Length of the body that is sent; the rest is cut off. */
  readonly maxCharacters?: number;
  readonly maxTokens?: number;
}

const defaults = {
  concurrency: 4,
  tokensPerDay: 2_000_000,
  deadlineMs: 20_000,
  maxBytes: 256 * 1024,
  maxCharacters: 24_000,
  maxTokens: 1_500,
  waiting: 200,
};

/** verdict null: local pro answers, for this reason. */
export type LlmResult =
  | { readonly verdict: LlmVerdict; readonly reason: null; readonly cached: boolean }
  | { readonly verdict: null; readonly reason: string };

const refused = (reason: string): LlmResult => ({ verdict: null, reason });

/** A text that addresses a model is not sent to one: its instructions cannot be separated from its content. */
const speaksToModel =
  /\b(?:ignore|disregard|forget) (?:all |any |the |your ){0,4}(?:previous|prior|above|earlier|preceding) (?:instructions?|prompts?|messages?|rules)\b|\bsystem prompt\b|<\|(?:im_start|im_end|system|user|assistant)\|?>|\byou are (?:now )?an? (?:ai|language model|assistant)\b/i;

/** From this verdict of pro on, the text says it beyond doubt: a bankruptcy, a rejection, a beat and raise. */
const plain = { direction: 4, conviction: 70 } as const;

/** A model that reverses such a verdict was manipulated by the text, or cannot read. */
function contradicts(verdict: LlmVerdict, local: ProVerdict): boolean {
  const { shortDirection: read, conviction } = local.sentiment;
  const isPlain = Math.abs(read) >= plain.direction && conviction >= plain.conviction;
  return isPlain && Math.sign(verdict.sentiment.shortDirection) === -Math.sign(read);
}

const promptFile = join(import.meta.dirname, "..", "..", "prompts", "score.md");

/**
 * Asks a language model, at any server that speaks OpenAI's chat completions, for a verdict. No failure there is an error
 * here: timeouts, statuses, malformed answers, refusals and caps all give null with a reason, and pro's verdict stands.
 */
export class LlmScorer {
  readonly #options: LlmOptions & typeof defaults;
  readonly #cache: LlmCache;
  readonly #budget: DailyBudget;
  readonly #prompt: string;
  /** Version of the prompt: an answer to another prompt is not reused. */
  readonly version: string;
  readonly #running = new Map<string, Promise<LlmAnswer>>();
  readonly #calls: Gate;
  /** Until the server refuses a schema. */
  #takesSchema = true;

  private constructor(options: LlmOptions, prompt: string) {
    this.#options = { ...defaults, ...options };
    this.#cache = options.cache ?? new MemoryLlmCache();
    this.#calls = new Gate({ inside: this.#options.concurrency, waiting: this.#options.waiting });
    this.#budget = new DailyBudget(options.clock, this.#options.tokensPerDay);
    this.#prompt = prompt;
    this.version = createHash("sha256").update(prompt).digest("hex").slice(0, 12);
  }

  static async load(options: LlmOptions): Promise<LlmScorer> {
    return new LlmScorer(options, await readFile(promptFile, "utf8"));
  }

  /** What its answers depend on, beside the text. */
  get identity(): string {
    return `${this.#options.model} ${this.version}`;
  }

  /** The longest time for one artifact, its turn included. */
  get longestMs(): number {
    return 2 * this.#options.deadlineMs;
  }

  /** Tokens spent today by this process. */
  get tokensToday(): number {
    return this.#budget.used;
  }

  /**
   * @param local pro's verdict on the same artifact and symbols, which the model's answer is merged into
   * @param signal of the caller; its abort is a reason like others
   */
  async judge(
    artifact: Artifact,
    symbols: readonly LinkedSymbol[],
    local: ProVerdict,
    signal?: AbortSignal,
  ): Promise<LlmResult> {
    const { model, deadlineMs } = this.#options;
    const text = `${artifact.title}\n${artifact.body}`;
    if (speaksToModel.test(text)) return refused("the text speaks to a model");
    const user = this.#userMessage(artifact, symbols);
    const key = createHash("sha256")
      .update(JSON.stringify([this.version, model, user]))
      .digest("hex");
    const left = signal ?? new AbortController().signal;
    try {
      const known = await within(AbortSignal.any([left, AbortSignal.timeout(deadlineMs)]), this.#known(key));
      const answer = known ?? (await within(left, this.#shared(key, user)));
      const verdict = llmVerdict(answer, local, text, model, this.version);
      if (verdict === null) return refused("the evidence is not in the text");
      if (contradicts(verdict, local)) return refused("it contradicts what the text plainly says");
      return { verdict, reason: null, cached: known !== null };
    } catch (error) {
      return refused(signal?.aborted === true ? "the caller left" : reasonOf(error));
    }
  }

  #userMessage({ type, title, body }: Artifact, symbols: readonly LinkedSymbol[]): string {
    const shown = body.slice(0, this.#options.maxCharacters).toWellFormed();
    return JSON.stringify({
      type,
      title: title.toWellFormed(),
      body: shown,
      symbols: symbols.map(({ symbol, name }) => ({ symbol, name })),
    });
  }

  /** Others may write to a cache that is a table, so its content is checked like an answer. */
  async #known(key: string): Promise<LlmAnswer | null> {
    try {
      const json = await this.#cache.get(key);
      if (json === null) return null;
      const parsed = llmAnswer.safeParse(JSON.parse(json));
      return parsed.success ? parsed.data : null;
    } catch {
      return null;
    }
  }

  /** Concurrent calls for one artifact share a request. It goes on when its callers have left, since it is paid for. */
  async #shared(key: string, user: string): Promise<LlmAnswer> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const call = this.#inTurn(() => this.#call(key, user)).finally(() => this.#running.delete(key));
    this.#running.set(key, call);
    return call;
  }

  /** Limits concurrent calls; the others wait, no longer than a call may take. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#calls.run(work, { waitMs: this.#options.deadlineMs });
    } catch (error) {
      throw error instanceof GateError ? new LlmError("too many calls at once") : error;
    }
  }

  async #call(key: string, user: string): Promise<LlmAnswer> {
    const { maxTokens, deadlineMs } = this.#options;
    const prompted = Math.ceil((this.#prompt.length + user.length) / charactersPerToken);
    const settle = this.#budget.take(prompted + maxTokens);
    if (settle === null) throw new LlmError("the tokens of today are used up");
    // Until the server reports its cost, a failed call counts as its prompt.
    let spent = prompted;
    try {
      const { answer, tokens } = readCompletion(await this.#send(user, AbortSignal.timeout(deadlineMs)));
      // A server may report anything: no call costs more than its prompt, at a token per character, and the longest answer.
      const most = this.#prompt.length + user.length + maxTokens;
      spent = Math.min(tokens ?? prompted + maxTokens, most);
      // Not awaited: a slow table must not delay the answer.
      void this.#cache.set(key, JSON.stringify(answer)).catch(() => {});
      return answer;
    } finally {
      settle(spent);
    }
  }

  /** @returns the text of an answer with status 200 */
  async #send(user: string, signal: AbortSignal): Promise<string> {
    const { model, maxTokens } = this.#options;
    const asked: Asked = { model, system: this.#prompt, user, maxTokens, schema: this.#takesSchema };
    const { status, text } = await this.#post(asked, signal);
    if (status === 200) return text;
    if (!asked.schema || (status !== 400 && status !== 422)) throw new LlmError(`status ${status}`);
    // Many servers do not know response_format; the prompt alone also asks for JSON.
    const plain = await this.#post({ ...asked, schema: false }, signal);
    if (plain.status !== 200) throw new LlmError(`status ${plain.status}`);
    this.#takesSchema = false;
    return plain.text;
  }

  /** Reads the text of an answer only if its status is a success. */
  async #post(asked: Asked, signal: AbortSignal): Promise<{ status: number; text: string }> {
    const { url, key, post, maxBytes } = this.#options;
    const headers = {
      "content-type": "application/json",
      accept: "application/json",
      ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
    };
    const enough = new AbortController();
    const stop = AbortSignal.any([signal, enough.signal]);
    try {
      const { status, body } = await within(
        signal,
        post(completionsUrl(url), headers, requestBody(asked), stop),
      );
      return { status, text: status === 200 ? await readBounded(body, maxBytes, signal) : "" };
    } finally {
      enough.abort();
    }
  }
}

/** The outcome of a promise, or the signal's reason when it aborts first. */
async function within<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Never the message of a foreign error: it may contain what was sent, the key included. */
function reasonOf(error: unknown): string {
  if (error instanceof LlmError) return error.message;
  if (error instanceof Error && error.name === "TimeoutError") return "no answer in time";
  return "the server cannot be reached";
}
