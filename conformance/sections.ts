import { authentication } from "./authentication.ts";
import { errors } from "./errors.ts";
import { events } from "./events.ts";
import { feedItems } from "./feed-item.ts";
import { feeds } from "./feeds.ts";
import { feedsPaging } from "./feeds-paging.ts";
import { http } from "./http.ts";
import { limits } from "./limits.ts";
import { meRules, usageRules } from "./me-usage.ts";
import { providers } from "./providers.ts";
import { score } from "./score.ts";
import { scoreQuota } from "./score-quota.ts";
import type { Section } from "./section.ts";
import { sources } from "./sources.ts";
import { symbols } from "./symbols.ts";
import { tags } from "./tags.ts";
import { versioning } from "./versioning.ts";
import { webhookDeliveries } from "./webhook-deliveries.ts";
import { webhooks } from "./webhooks.ts";

/** Every section, in the order of the interface. Limits come last: after their 401s the service limits this address. */
export const sections: readonly Section[] = [
  feeds,
  feedsPaging,
  feedItems,
  meRules,
  usageRules,
  providers,
  sources,
  symbols,
  tags,
  events,
  score,
  scoreQuota,
  webhooks,
  webhookDeliveries,
  authentication,
  errors,
  http,
  versioning,
  limits,
];
