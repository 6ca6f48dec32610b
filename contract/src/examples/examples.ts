import type { Section } from "../routes/types.ts";
import { accountExamples } from "./account.ts";
import { adminExamples } from "./admin.ts";
import { dashboardExamples } from "./dashboard.ts";
import { feedExamples } from "./feeds.ts";
import { referenceExamples } from "./reference.ts";
import { scoreExamples } from "./score.ts";
import type { ExamplesOf } from "./types.ts";
import { webhookExamples } from "./webhooks.ts";

export { clientExamples, serverExamples } from "./stream.ts";

/** One example per route. Tests check each against the schemas of its route. */
export const routeExamples: ExamplesOf<Section> = {
  ...feedExamples,
  ...accountExamples,
  ...referenceExamples,
  ...scoreExamples,
  ...webhookExamples,
  ...dashboardExamples,
  ...adminExamples,
};
