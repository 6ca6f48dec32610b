import { labelled, type Metrics } from "../../runtime/metrics.ts";
import { type FeedWatch, feedOutcomes } from "./feed-pro.ts";

const waitBuckets = [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1];

/** @returns records what came of asking pro about items of the feed */
export function feedWatch(metrics: Metrics): FeedWatch {
  const counts = Object.fromEntries(feedOutcomes.map((outcome) => [outcome, 0]));
  metrics.counter(
    {
      name: "tapewire_feed_pro_total",
      help: "Items of the feed that pro was to score, by what came of it; all but answered keep flash's verdict.",
      labels: ["outcome"],
    },
    () => labelled("outcome", counts),
  );
  const waited = metrics.histogram({
    name: "tapewire_feed_pro_wait_seconds",
    help: "Time that items of the feed waited for the verdict of pro.",
    labels: [],
    buckets: waitBuckets,
  })({});
  return {
    ended: (outcome) => {
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    },
    waited,
  };
}
