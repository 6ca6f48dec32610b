import type { Config } from "../config/config.ts";
import { Outgoing } from "../http/outgoing.ts";
import type { Sequencer } from "../itemlog/append.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { LlmScorer } from "../score/llm.ts";
import { scoreWatch } from "../score/metrics.ts";
import { ProPool } from "../score/pro-pool.ts";
import { Scorer } from "../score/scorer.ts";
import type { Reading } from "./reading.ts";
import type { Base } from "./types.ts";

export interface Scoring {
  readonly pool: ProPool;
  readonly scorer: Scorer;
}

/** Starts what scores callers' own texts. */
export async function startScoring(
  { config, clock, log, metrics, stack }: Base,
  { engine, recall, sequencer }: Reading["pipeline"],
): Promise<Scoring> {
  const outgoing = stack.use(new Outgoing());
  stack.use(keepStoriesCurrent(sequencer, log), "stories");
  const pool = stack.use(new ProPool());
  const llm = await languageModel(config, outgoing, clock);
  const scorer = new Scorer({ engine, recall, pool, llm, clock, log, watch: scoreWatch(metrics) });
  return { pool, scorer };
}

/** The operator's language model; null when none is configured. */
async function languageModel(config: Config, { post }: Outgoing, clock: Clock): Promise<LlmScorer | null> {
  const { llmUrl: url, llmModel: model, llmKey, llmTokensPerDay: tokensPerDay } = config;
  return url === null ? null : LlmScorer.load({ url, model, key: llmKey ?? "", tokensPerDay, post, clock });
}

const storiesEveryMs = 10_000;

/** An empty append reads the stories that other processes wrote, so a process without ingest learns about them. */
function keepStoriesCurrent(sequencer: Sequencer, log: Log): Disposable {
  const learn = () =>
    sequencer
      .append({ items: [], sourceId: null })
      .catch((error: unknown) => log.warn({ err: error }, "reading the stories of the feed failed"));
  void learn();
  const timer = setInterval(() => void learn(), storiesEveryMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
