import type { Config } from "../config/config.ts";
import { Outgoing } from "../http/outgoing.ts";
import type { Sequencer } from "../itemlog/append.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { LlmScorer } from "../score/llm.ts";
import { scoreWatch } from "../score/metrics.ts";
import { OwnModel, readModelFolder } from "../score/model/own-model.ts";
import { ProPool } from "../score/pro-pool.ts";
import { type AskedModel, Scorer } from "../score/scorer.ts";
import type { Reading } from "./reading.ts";
import type { Base } from "./types.ts";

export interface Scoring {
  readonly pool: ProPool;
  /** The operator's classifier; null: there is none, or this process scores no texts of callers. */
  readonly own: OwnModel | null;
  readonly scorer: Scorer;
}

/** Starts what scores callers' own texts. */
export async function startScoring(
  base: Base,
  { engine, recall, sequencer }: Reading["pipeline"],
): Promise<Scoring> {
  const { config, clock, log, metrics, stack } = base;
  const outgoing = stack.use(new Outgoing());
  stack.use(keepStoriesCurrent(sequencer, log), "stories");
  const pool = stack.use(new ProPool());
  const llm = await languageModel(config, outgoing, clock);
  const own = await classifier(base);
  const asked = askedModel(llm, own);
  const scorer = new Scorer({ engine, recall, pool, asked, clock, log, watch: scoreWatch(metrics) });
  return { pool, own, scorer };
}

/** The model that pro asks. The settings allow one of them only. */
function askedModel(llm: LlmScorer | null, own: OwnModel | null): AskedModel | null {
  if (own !== null)
    return {
      readsAllLanguages: false,
      judge: (artifact, _, local, owner) => own.judge(artifact, local, { owner }),
    };
  return llm === null
    ? null
    : {
        readsAllLanguages: true,
        judge: (artifact, symbols, local) => llm.judge(artifact, symbols, local),
      };
}

/** The operator's classifier, which is loaded where texts are scored. */
async function classifier({ config, log, stack }: Base): Promise<OwnModel | null> {
  if (config.proModel === null || !config.roles.includes("api")) return null;
  const own = stack.use(await OwnModel.open(await readModelFolder(config.proModel)));
  const { name, version, modelFile, calibration } = own.folder;
  log.info({ name, version, modelFile }, "pro takes direction and conviction from a model of the operator's");
  if (calibration === null)
    log.warn({ name }, "the model is not calibrated: its conviction is as it says; run tapewire calibrate");
  return own;
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
