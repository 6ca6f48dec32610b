import { availableParallelism } from "node:os";
import { proVersion } from "@tapewire/scoring/pro/pro.ts";
import type { ServiceBus } from "../bus/bus.ts";
import type { Config } from "../config/config.ts";
import { Outgoing } from "../http/outgoing.ts";
import type { Sequencer } from "../itemlog/append.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { version } from "../runtime/version.ts";
import { FeedPro } from "../score/feed/feed-pro.ts";
import { feedWatch } from "../score/feed/metrics.ts";
import { GroupFirst } from "../score/group/asking.ts";
import { groupMetrics } from "../score/group/metrics.ts";
import { GroupServer } from "../score/group/serving.ts";
import { LlmScorer } from "../score/llm.ts";
import { poolMetrics, scoreWatch } from "../score/metrics.ts";
import { OwnModel, readModelFolder } from "../score/model/own-model.ts";
import { type AskedModel, LocalPro, type ProJudge } from "../score/pro-judge.ts";
import { ProPool, type ProPoolOptions } from "../score/pro-pool.ts";
import { Scorer } from "../score/scorer.ts";
import type { Reading } from "./reading.ts";
import type { Base } from "./types.ts";

export interface Scoring {
  readonly pool: ProPool;
  /** The operator's classifier; null: there is none, or this process scores no texts of callers. */
  readonly own: OwnModel | null;
  readonly scorer: Scorer;
}

/** The threads of pro, and what asks them about items of the feed; pro null: flash alone scores the feed here. */
export interface ProThreads {
  readonly pool: ProPool;
  readonly feedPro: FeedPro | null;
}

/**
 * Makes the threads of pro, which start later. They end after all that asks them.
 * @param pool threads that are there already
 */
export function openPro(
  { config, log, metrics, stack }: Base,
  pool = stack.use(new ProPool({ ...threadsOf(config), log }), "pro"),
): ProThreads {
  poolMetrics(metrics, pool);
  const takesItems = config.roles.includes("ingest") || config.roles.includes("api");
  if (!takesItems) return { pool, feedPro: null };
  const watch = feedWatch(metrics);
  const { feedModel, feedWaitMs: waitMs } = config;
  return { pool, feedPro: feedModel === "flash" ? null : new FeedPro({ pool, waitMs, watch }) };
}

/** Starts what scores callers' own texts, and with the role score those of other processes. */
export async function startScoring(
  base: Base,
  { engine, recall, sequencer }: Reading["pipeline"],
  { pool, bus }: { pool: ProPool; bus: Pick<ServiceBus, "calls"> },
): Promise<Scoring> {
  const { config, clock, log, metrics, stack } = base;
  const outgoing = stack.use(new Outgoing());
  stack.use(keepStoriesCurrent(sequencer, log), "stories");
  const llm = await languageModel(config, outgoing, clock);
  const own = await classifier(base);
  const local = new LocalPro({ pool, asked: askedModel(llm, own) });
  // A classifier judges where it is loaded: scorers would not know it.
  const pro = joinGroup(base, { local, llm, calls: own === null ? bus.calls : null });
  const scorer = new Scorer({ engine, recall, pro, clock, log, watch: scoreWatch(metrics) });
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
  if (config.proModel === null) return null;
  if (!config.roles.includes("api")) {
    if (config.roles.includes("score"))
      log.warn(
        "TAPEWIRE_PRO_MODEL has no effect here: processes with the role api judge by it, and ask no scorer",
      );
    return null;
  }
  const own = stack.use(await OwnModel.open(await readModelFolder(config.proModel)));
  const { name, version, modelFile, calibration } = own.folder;
  log.info({ name, version, modelFile }, "pro takes direction and conviction from a model of the operator's");
  if (calibration === null)
    log.warn({ name }, "the model is not calibrated: its conviction is as it says; run tapewire calibrate");
  return own;
}

/**
 * Whether a thread is started before there is a text: items of the feed do not wait for one, and the first text of another
 * process would wait longer than its deadline.
 */
export const wantsThread = ({ roles, llmUrl, feedModel }: Config): boolean =>
  (roles.includes("ingest") && feedModel !== "flash") || (roles.includes("score") && llmUrl === null);

/** A process that does nothing else gives every core to pro. */
function threadsOf({ roles, scoreThreads }: Config): ProPoolOptions {
  if (scoreThreads > 0) return { threads: scoreThreads };
  return roles.length === 1 && roles.includes("score") ? { threads: availableParallelism() } : {};
}

/** Texts of other processes that a scorer takes: more would be late before their turn. */
const mostOfOthers = 100;

/** @returns who judges callers' texts: scorers first, where the processes are connected by NATS and this is none itself */
function joinGroup(
  { config, log, metrics, stack, state }: Base,
  { local, llm, calls }: { local: LocalPro; llm: LlmScorer | null; calls: ServiceBus["calls"] },
): ProJudge {
  const models = { tapewire: version, pro: proVersion, llm: llm?.identity ?? null };
  const serves = calls !== null && config.roles.includes("score");
  const asks = calls !== null && !serves && config.roles.includes("api");
  const server = serves
    ? stack.use(new GroupServer({ calls, models, local, most: mostOfOthers, log }), "scorer")
    : null;
  const deadlineMs = config.scoreDeadlineMs + (llm?.longestMs ?? 0);
  const group = asks ? new GroupFirst({ calls, models, local, deadlineMs, log }) : null;
  groupMetrics(metrics, { group, server });
  state.scoring = () => ({
    ...{ waiting: local.waiting, given: local.given, perMinute: local.perMinute },
    scorers: group?.ready ?? null,
  });
  return group ?? local;
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
