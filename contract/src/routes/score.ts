import { scoreBatch, scoreBatchRequest, scoreRequest, verdict } from "../score.ts";
import type { Route } from "./types.ts";

export const scoreRoutes = {
  score: {
    method: "POST",
    path: "/v1/score",
    auth: "key",
    section: "score",
    needs: "score_per_day",
    idempotent: true,
    summary: "Score a text of your own",
    description:
      "The same artifact, options and model version give the same verdict. With an Idempotency-Key a repeat within 24 hours gets the stored answer and costs nothing. A call that fails costs nothing.",
    body: scoreRequest,
    status: 200,
    response: verdict,
    errors: ["quota_exceeded", "idempotency_conflict"],
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
      "One unit an artifact; what is refused costs nothing. Answers in the order of the artifacts, a verdict or an error each.",
    body: scoreBatchRequest,
    status: 200,
    response: scoreBatch,
    errors: ["quota_exceeded", "idempotency_conflict"],
  },
} as const satisfies Record<string, Route>;
