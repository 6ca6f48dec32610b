import { planNames } from "../plans.ts";
import { exampleIds, exampleTimes } from "./values.ts";

/** An account, and its key as the operator sees it. */
export const account = {
  id: exampleIds.account,
  name: "Research desk",
  plan: planNames[2],
  created_at: "2026-02-27T08:12:45.940Z",
};
export const apiKey = {
  id: exampleIds.key,
  account_id: account.id,
  account_name: account.name,
  plan: account.plan,
  name: "notebook",
  prefix: "tw_live_5S3h",
  last4: "ehzl",
  created_at: "2026-02-27T08:12:46.093Z",
  last_used_at: exampleTimes.seen,
  expires_at: null,
  revoked_at: null,
  created_by: null,
  replaces: null,
};
