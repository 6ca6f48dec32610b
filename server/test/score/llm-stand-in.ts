/** A stand-in for a language model's server, and what a good answer of it looks like. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { proByRules } from "@tapewire/scoring/pro/pro.ts";
import type { Artifact } from "@tapewire/scoring/types.ts";
import { request } from "undici";
import { linkedSymbol } from "../../../scoring/test/linked-symbol.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { type LlmOptions, LlmScorer, type Post } from "../../src/score/llm.ts";
import { listenLocally } from "../support/http.ts";

export const key = "sk-only-for-this-test";

const post: Post = async (url, headers, body, signal) => {
  const answer = await request(url, { method: "POST", headers: { ...headers }, body, signal });
  answer.body.on("error", () => {});
  return { status: answer.statusCode, body: answer.body };
};

export const symbols = [linkedSymbol("Halvorn Corp.", "HALV", true), linkedSymbol("Brackwell Inc.", "BRKW")];

export const article: Artifact = {
  type: "news",
  title: "Halvorn to acquire Brackwell for $3.2 billion",
  body: "Halvorn said it will pay $45 a share in cash. Brackwell rose in early trading.",
  publishedAt: new Date("2026-03-02T14:30:00Z"),
  filing: null,
  categories: [],
};
export const local = proByRules(article, symbols);

export const heads = {
  short_direction: 2,
  long_direction: 1,
  conviction: 70,
  comment: "Pays in cash",
  evidence: ["pay $45 a share in cash"],
};
export const good = {
  actionability: {
    score: 80,
    comment: "A takeover with its price",
    novelty: 70,
    materiality: 85,
    clarity: 90,
    urgency: 60,
    credibility: 70,
    breadth: 30,
  },
  sentiment: { ...heads, intensity: 60, agreement: 80, certainty: 70 },
  symbols: [
    { symbol: "DEMO:HALV", ...heads },
    { symbol: "DEMO:BRKW", ...heads, short_direction: 4, evidence: ["Halvorn to acquire Brackwell"] },
  ],
  analysis: { actionability: "A takeover at a stated price.", sentiment: "Good for the one to be bought." },
};

export const completion = (content: unknown, extra: object = {}) => ({
  choices: [
    {
      message: {
        role: "assistant",
        content: typeof content === "string" ? content : JSON.stringify(content),
      },
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 900, completion_tokens: 300, total_tokens: 1_200 },
  ...extra,
});

export type Reply = (
  response: ServerResponse,
  request: { headers: IncomingMessage["headers"]; body: string; url: string },
) => void;

export const json =
  (body: unknown, status = 200): Reply =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };

/** A stand-in that speaks chat completions, and a scorer that asks it. */
export async function standIn(reply: Reply, over: Partial<LlmOptions> = {}) {
  const seen: { headers: IncomingMessage["headers"]; body: string; url: string }[] = [];
  const server = await listenLocally((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const got = {
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString(),
        url: incoming.url ?? "",
      };
      seen.push(got);
      reply(response, got);
    });
  });
  const scorer = await LlmScorer.load({
    url: `${server.origin}/v1`,
    model: "demo-7b",
    key,
    post,
    clock: systemClock,
    deadlineMs: 5_000,
    ...over,
  });
  const judge = (artifact = article, signal?: AbortSignal, read = local) =>
    scorer.judge(artifact, symbols, read, signal);
  return { seen, scorer, judge, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
