import { itemScoreRequest } from "../feed-reads/texts.ts";
import { scoreBatch, scoreBatchRequest, scoreRequest, verdict } from "../score.ts";
import { itemById } from "./parameters.ts";
import type { Route } from "./types.ts";

export const scoreRoutes = {
  score: {
    method: "POST",
    path: "/v1/score",
    auth: "key",
    section: "score",
    needs: "score_per_day",
    idempotent: true,
    summary: "Score your own text",
    description:
      "Needs the pro plan or higher. The same artifact and options get the same verdict, as long as the model version and what the feed has carried stay the same. With an Idempotency-Key a repeat within 24 hours gets the stored response and costs nothing. A call that fails costs nothing.",
    body: scoreRequest,
    status: 200,
    response: verdict,
    errors: ["quota_exceeded", "idempotency_conflict"],
  },
  scoreItem: {
    method: "POST",
    path: "/v1/feeds/{id}/score",
    auth: "key",
    section: "score",
    needs: "score_per_day",
    idempotent: true,
    summary: "Score an item of the feed with a model of your choice",
    description:
      "Scores the stored text of the newest version, also where it may not be shown, and stores nothing: use it for the detailed analysis, or to compare flash and pro. Costs one unit, like POST /v1/score. A call that fails costs nothing.",
    params: itemById,
    body: itemScoreRequest,
    status: 200,
    response: verdict,
    errors: ["not_found", "quota_exceeded", "idempotency_conflict"],
  },
  scoreBatch: {
    method: "POST",
    path: "/v1/score/batch",
    auth: "key",
    section: "score",
    needs: "score_per_day",
    idempotent: true,
    summary: "Score up to 100 texts",
    description:
      "Each artifact costs one unit; a refused one costs nothing. The response has a verdict or an error per artifact, in the order of the request.",
    body: scoreBatchRequest,
    status: 200,
    response: scoreBatch,
    errors: ["quota_exceeded", "idempotency_conflict"],
  },
} as const satisfies Record<string, Route>;
