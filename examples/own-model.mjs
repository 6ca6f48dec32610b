/**
 * A model of your own behind the model `pro`: any server with OpenAI's chat completions will do. This one counts words.
 *
 *   npm run -s example -- own-model
 *
 * It listens on 127.0.0.1:PORT (8081); start your service with TAPEWIRE_LLM_URL=http://127.0.0.1:8081/v1. Then it has the
 * service score two texts and shows the verdicts, and serves until you stop it. Put your model into `judge`; server/prompts/
 * score.md says what is asked for. When the server fails or is slow, the service answers with pro as it comes.
 */
import { createServer } from "node:http";
import { Tapewire } from "tapewire";

const port = Number(process.env.PORT ?? 8081);
const good = /\b(?:beats?|raises?|record|wins?|approval|approves?|growth)\b/gi;
const bad = /\b(?:misses|cuts?|recalls?|loss|losses|sues|fraud|delays?)\b/gi;

/** @returns the verdict in the form that the service asks for; `evidence` must be words of the text */
function judge({ title, body, symbols }) {
  const words = (pattern) => `${title} ${body}`.match(pattern) ?? [];
  const [up, down] = [words(good), words(bad)];
  const direction = Math.max(-5, Math.min(5, up.length - down.length));
  const sure = Math.min(90, 30 * Math.abs(direction));
  const comment = `${up.length} good words, ${down.length} bad ones`;
  const evidence = (direction < 0 ? down : up).slice(0, 3);
  const reading = { short_direction: direction, long_direction: 0, conviction: sure, comment, evidence };
  const level = { intensity: sure, agreement: sure, certainty: sure };
  const facts = { novelty: 50, materiality: 50, clarity: 50, urgency: 50, credibility: 50, breadth: 20 };
  return {
    actionability: { score: 40 + 12 * Math.abs(direction), comment, ...facts },
    sentiment: { ...reading, ...level },
    symbols: symbols.map((symbol) => ({ symbol: symbol.symbol ?? symbol, ...reading })),
    analysis: { actionability: comment, sentiment: comment },
  };
}

async function answer(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { messages } = JSON.parse(Buffer.concat(chunks));
  const content = JSON.stringify(judge(JSON.parse(messages.at(-1).content)));
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }] }));
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(400).end(String(error)));
});
await new Promise((listening) => server.listen(port, "127.0.0.1", listening));
console.log(`the model listens on http://127.0.0.1:${port}/v1`);

const tw = new Tapewire();
for (const title of ["Brennhof wins a record order", "Luvento recalls chargers and cuts its outlook"]) {
  const artifact = { type: "news", title, body: "More is expected in the coming weeks." };
  const { model, sentiment } = await tw.score(artifact, { model: "pro" });
  console.log(`${model}: ${sentiment.short_direction} (conviction ${sentiment.conviction}) ${title}`);
}
