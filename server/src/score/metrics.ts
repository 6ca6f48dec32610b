import { labelled, type Metrics } from "../runtime/metrics.ts";
import type { Engine } from "./engine.ts";
import type { ProPool } from "./pro-pool.ts";
import type { ScoreWatch } from "./scorer.ts";

const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Items are judged one after another on the main thread, so their count and total time give the mean. */
export function engineMetrics(metrics: Metrics, { judged }: Engine): void {
  metrics.counter(
    { name: "tapewire_scored_items_total", help: "Items of the feed that flash has judged." },
    () => judged.items,
  );
  metrics.counter(
    {
      name: "tapewire_scored_items_seconds_total",
      help: "Time that linking, tagging and judging items took.",
    },
    () => judged.ms / 1_000,
  );
}

/** Each thread keeps a model in memory. */
export function poolMetrics(metrics: Metrics, pool: Pick<ProPool, "ready">): void {
  metrics.gauge({ name: "tapewire_pro_threads", help: "Threads of pro that run." }, () => pool.ready);
}

/** @returns records each verdict that a caller gets */
export function scoreWatch(metrics: Metrics): ScoreWatch {
  const took = metrics.histogram({
    name: "tapewire_score_duration_seconds",
    help: "Verdicts on callers' texts, by the model that gave them; llm, onnx: the operator's model.",
    labels: ["model"],
    buckets,
  });
  const flash = took({ model: "flash" });
  const pro = took({ model: "pro" });
  const llm = took({ model: "llm" });
  const onnx = took({ model: "onnx" });
  const byKind: Readonly<Record<string, typeof flash>> = { flash, pro, llm, onnx };
  const stoodIn = { pro: 0, flash: 0 };
  metrics.counter(
    {
      name: "tapewire_score_stand_ins_total",
      help: "Verdicts of a smaller model because the requested one failed, by the smaller model.",
      labels: ["model"],
    },
    () => labelled("model", stoodIn),
  );
  return {
    scored: (model, seconds) => {
      // The operator chooses the name of a model, so all of a kind share one label.
      const [kind = "flash"] = model.split(":");
      (byKind[kind] ?? flash)(seconds);
    },
    stoodIn: (model) => {
      stoodIn[model] += 1;
    },
  };
}
