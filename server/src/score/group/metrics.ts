import { labelled, type Metrics } from "../../runtime/metrics.ts";
import { askOutcomes, type GroupFirst } from "./asking.ts";
import { type GroupServer, servedOutcomes } from "./serving.ts";

const noneOf = (outcomes: readonly string[]) => Object.fromEntries(outcomes.map((outcome) => [outcome, 0]));

/** @param group null: this process asks no scorers. @param server null: it is none */
export function groupMetrics(
  metrics: Metrics,
  { group, server }: { group: GroupFirst | null; server: GroupServer | null },
): void {
  metrics.gauge(
    { name: "tapewire_scorers_ready", help: "Processes with the role score that this one may ask." },
    () => group?.ready ?? 0,
  );
  metrics.counter(
    {
      name: "tapewire_scorer_questions_total",
      help: "Texts sent to processes with the role score, by how that ended; all but answered were judged here.",
      labels: ["outcome"],
    },
    () => labelled("outcome", group?.outcomes ?? noneOf(askOutcomes)),
  );
  metrics.counter(
    {
      name: "tapewire_scorer_answers_total",
      help: "Texts of other processes, by what this process with the role score did with them.",
      labels: ["outcome"],
    },
    () => labelled("outcome", server?.outcomes ?? noneOf(servedOutcomes)),
  );
}
