import type { ServerResponse } from "node:http";
import type { Refusals } from "../account/refusals.ts";
import type { Labels, Metrics } from "../runtime/metrics.ts";
import { type Gate, operatorOnly } from "./admission.ts";
import { type RequestWatch, type Router, sendAnswer } from "./wire/wire.ts";

export interface MetricsDeps extends Pick<Gate, "auth" | "adminToken"> {
  readonly metrics: Metrics;
  /** Opens /metrics beside the admin token; null: there is none. */
  readonly metricsToken: string | null;
  readonly refusals: Refusals;
}

/** GET /metrics: for the operator, on every role, even when the service is not ready. */
export function mountMetrics(router: Router, deps: MetricsDeps): void {
  const { metrics } = deps;
  const admit = operatorOnly(deps, deps.metricsToken);
  router.add("GET", "/metrics", async (exchange) => {
    exchange.headers["Cache-Control"] = "no-store";
    await admit(exchange.request);
    const headers = { "Content-Type": metrics.contentType };
    await sendAnswer(exchange, 200, { body: await metrics.text(), headers });
  });
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const statuses = ["2xx", "3xx", "4xx", "5xx"];
/** The client left before the response. */
const unanswered = "none";

/** Requests of one route and method. */
interface Kind {
  readonly labels: Labels;
  readonly counts: Map<string, number>;
  readonly took: (seconds: number) => void;
}

/** Counts and times requests by the template of their path. A series is created when its first request ends. */
export function requestWatch({ metrics, refusals }: MetricsDeps): RequestWatch {
  const routes = new Map<string, Map<string, Kind>>();
  const took = metrics.histogram({
    name: "tapewire_http_request_duration_seconds",
    help: "From the head of a request to its answer being handed over, by route and method.",
    labels: ["route", "method"],
    buckets,
  });
  metrics.counter(
    {
      name: "tapewire_http_requests_total",
      help: "Requests by route, method and class of status.",
      labels: ["route", "method", "status"],
    },
    () => [...routes.values()].flatMap((kinds) => [...kinds.values()].flatMap(readingOf)),
  );
  const newKind = (route: string, method: string): Kind => {
    const labels = { route, method };
    return { labels, counts: new Map(statuses.map((status) => [status, 0])), took: took(labels) };
  };
  return {
    ended: (found, { request: { method: given = "" }, response }, ms) => {
      const route = found?.template ?? "unknown";
      // Clients may send any word as method.
      const method = found?.takes(given) ? given : "other";
      const kinds = routes.get(route) ?? new Map<string, Kind>();
      if (kinds.size === 0) routes.set(route, kinds);
      const kind = kinds.get(method) ?? newKind(route, method);
      kinds.set(method, kind);
      const status = statusOf(response);
      kind.counts.set(status, (kind.counts.get(status) ?? 0) + 1);
      kind.took(ms / 1_000);
    },
    failed: (error) => refusals.countError(error),
  };
}

function statusOf({ headersSent, statusCode }: ServerResponse): string {
  return headersSent ? (statuses[Math.floor(statusCode / 100) - 2] ?? unanswered) : unanswered;
}

function readingOf({ labels, counts }: Kind): (readonly [Labels, number])[] {
  return [...counts].map(([status, count]) => [{ ...labels, status }, count] as const);
}
