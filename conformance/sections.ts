import { authentication } from "./authentication.ts";
import { errors } from "./errors.ts";
import { events } from "./events.ts";
import { feedItems } from "./feed-item.ts";
import { statistics } from "./feed-stats.ts";
import { feeds } from "./feeds.ts";
import { feedsPaging } from "./feeds-paging.ts";
import { http } from "./http.ts";
import { itemTexts } from "./item-texts.ts";
import { limits } from "./limits.ts";
import { meRules, usageRules } from "./me-usage.ts";
import { operator } from "./operator.ts";
import { providers } from "./providers.ts";
import { replay } from "./replay.ts";
import { score } from "./score.ts";
import { scoreQuota } from "./score-quota.ts";
import type { Section } from "./section.ts";
import { sessions } from "./sessions.ts";
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
  replay,
  statistics,
  itemTexts,
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
  sessions,
  operator,
  authentication,
  errors,
  http,
  versioning,
  limits,
];
