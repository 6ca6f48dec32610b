import { z } from "zod";
import {
  account,
  accountCreate,
  accountUpdate,
  apiKey,
  createdKey,
  keyCreate,
  pushAnswer,
  pushItem,
  replayRequest,
  replayResult,
  rescoreRequest,
  rescoreResult,
  retraction,
  sourceHealthList,
  sourceProbe,
} from "../admin.ts";
import { keyUpdate, madeLink, person } from "../dashboard/people.ts";
import { exampleIds } from "../examples/values.ts";
import { slug } from "../input.ts";
import { backup, backupList } from "../operator/backups.ts";
import { peopleList, personRole } from "../operator/people.ts";
import { operatorStats, processList, statsMinutes } from "../operator/process-stats.ts";
import { retention, retentionQuery } from "../operator/retention.ts";
import { byUuid, itemById } from "./parameters.ts";
import type { Route } from "./types.ts";

const accountById = byUuid("Id of the account.", exampleIds.account);
const keyById = byUuid("Id of the key, not the key itself.", exampleIds.key);
const common = { auth: "admin", section: "admin" } as const;

export const adminRoutes = {
  createAccount: {
    ...common,
    method: "POST",
    path: "/admin/v1/accounts",
    summary: "Create an account",
    description: "Quotas and caps count per account: more keys of an account do not raise them.",
    body: accountCreate,
    status: 201,
    response: account,
    errors: [],
  },
  listAccounts: {
    ...common,
    method: "GET",
    path: "/admin/v1/accounts",
    summary: "List accounts",
    description: "Oldest first.",
    status: 200,
    response: z.object({ data: z.array(account) }),
    errors: [],
  },
  updateAccount: {
    ...common,
    method: "PATCH",
    path: "/admin/v1/accounts/{id}",
    summary: "Rename an account or move it to another plan",
    description: "A change of plan takes effect within 5 seconds, also on open streams.",
    params: accountById,
    body: accountUpdate,
    status: 200,
    response: account,
    errors: ["not_found"],
  },
  createKey: {
    ...common,
    method: "POST",
    path: "/admin/v1/keys",
    summary: "Create an API key",
    description:
      "With `plan` instead of `account_id` a new account is created for the key. The key is shown only in this response. An account has at most 200 valid keys; 409 says so when it has them.",
    body: keyCreate,
    status: 201,
    response: createdKey,
    errors: ["not_found", "conflict"],
  },
  listKeys: {
    ...common,
    method: "GET",
    path: "/admin/v1/keys",
    summary: "List API keys, without their secrets",
    description: "Oldest first, including revoked keys.",
    status: 200,
    response: z.object({ data: z.array(apiKey) }),
    errors: [],
  },
  revokeKey: {
    ...common,
    method: "DELETE",
    path: "/admin/v1/keys/{id}",
    summary: "Revoke an API key",
    description: "Takes effect within 5 seconds, also on open streams. Revoking a key twice is not an error.",
    params: keyById,
    status: 200,
    response: apiKey,
    errors: ["not_found"],
  },
  updateKey: {
    ...common,
    method: "PATCH",
    path: "/admin/v1/keys/{id}",
    summary: "Rename an API key or change its expiry",
    description:
      "A new expiry takes effect within 5 seconds. 409 when the key is revoked, or would be valid again beside 200 others.",
    params: keyById,
    body: keyUpdate,
    status: 200,
    response: apiKey,
    errors: ["not_found", "conflict"],
  },
  listPeople: {
    ...common,
    method: "GET",
    path: "/admin/v1/people",
    summary: "List the people of the installation",
    description: "By e-mail address. `role` tells who is an operator.",
    status: 200,
    response: peopleList,
    errors: [],
  },
  updatePerson: {
    ...common,
    method: "PATCH",
    path: "/admin/v1/people/{id}",
    summary: "Make a person an operator, or take that role",
    description:
      "Whoever loses the role is signed out and keeps the API keys and open invitations that the roles in accounts allow; links for new passwords end. With an identity provider, a role in `TAPEWIRE_OIDC_ALLOW` is given again at the next sign-in. To make an operator takes the admin token itself; a key of an operator's tab gets 403.",
    params: byUuid("Id of the person.", exampleIds.person),
    body: personRole,
    status: 200,
    response: person,
    errors: ["forbidden", "not_found"],
  },
  createSignInLink: {
    ...common,
    method: "POST",
    path: "/admin/v1/sign-in-links",
    summary: "Make a link that signs the operator in",
    description: "Valid for an hour and once. Takes the admin token itself. `tapewire open` calls this.",
    status: 201,
    response: madeLink,
    errors: ["forbidden"],
  },
  pushItems: {
    ...common,
    method: "POST",
    path: "/admin/v1/items",
    summary: "Push items into the feed",
    description:
      "Send one item, an array, or NDJSON (one item per line). The response has a result per item, in order. A repeated item is a duplicate. A malformed item, or one that is older than what is kept, is rejected with the reason; the others are stored. Items are stored before the response is sent.",
    body: z.union([pushItem, z.array(pushItem)]),
    bodyTypes: ["application/json", "application/x-ndjson"],
    status: 200,
    response: pushAnswer,
    errors: ["body_too_large", "storage_full"],
  },
  retractItem: {
    ...common,
    method: "DELETE",
    path: "/admin/v1/items/{id}",
    summary: "Withdraw an item",
    description:
      "The item keeps its place in the list, with status retracted. Streams send it once more. When its source carries it again, it stays withdrawn.",
    params: itemById,
    status: 200,
    response: retraction,
    errors: ["not_found", "storage_full"],
  },
  replay: {
    ...common,
    method: "POST",
    path: "/admin/v1/replay",
    summary: "Read stored responses of sources again",
    description:
      "Use this after an update of Tapewire that reads the sources better: items that were missed are created, items that are read differently are revised. Each call reads some responses. Repeat with after = next until next is null.",
    body: replayRequest,
    status: 200,
    response: replayResult,
    errors: [],
  },
  rescore: {
    ...common,
    method: "POST",
    path: "/admin/v1/rescore",
    summary: "Score stored items again",
    description:
      "Adds new scores and keeps the earlier ones. Lists and streams do not change. A single read shows the newest score, or with as_of the score at that time. Each call scores some items. Repeat with after = next until next is null. 503 `overloaded` when too many texts wait for the model: what was scored is stored, so repeat the same call.",
    body: rescoreRequest,
    status: 200,
    response: rescoreResult,
    errors: ["overloaded"],
  },
  probeSource: {
    ...common,
    method: "POST",
    path: "/admin/v1/sources/{id}/probe",
    summary: "Fetch a source once and report the result",
    description: "Stores nothing. Keeps the host's request rate, like any fetch.",
    params: z.object({
      id: slug.meta({ description: "Id of an entry of the sources file.", examples: ["sec-edgar"] }),
    }),
    status: 200,
    response: sourceProbe,
    errors: ["not_found"],
  },
  listProcesses: {
    ...common,
    method: "GET",
    path: "/admin/v1/processes",
    summary: "List the processes of the service",
    description:
      "Every process on the database reports every 10 seconds. A process that has ended stays in the list for 5 minutes.",
    status: 200,
    response: processList,
    errors: [],
  },
  readStats: {
    ...common,
    method: "GET",
    path: "/admin/v1/stats",
    summary: "Read what each process did, minute by minute",
    description:
      "Items by source, times to publication, streams, deliveries, processor, memory and event loop of every process, and the size of the database. The last 60 minutes, or the last 1,440. Minutes of the other processes are up to 10 seconds behind.",
    query: z.object({
      minutes: z
        .enum(statsMinutes)
        .optional()
        .meta({ description: "60 or 1440. Absent: 60.", examples: ["60"] }),
    }),
    status: 200,
    response: operatorStats,
    errors: [],
  },
  listSources: {
    ...common,
    method: "GET",
    path: "/admin/v1/sources",
    summary: "Read the health of every configured source",
    description:
      "One entry per source in the sources file: when it was polled, how many items it brought, what is wrong and what to do.",
    status: 200,
    response: sourceHealthList,
    errors: [],
  },
  createBackup: {
    ...common,
    path: "/admin/v1/backups",
    method: "POST",
    summary: "Back up the embedded database",
    description:
      "Writes a file into the folder backups of the data directory while the service runs, and answers when it is whole. Items that are pushed meanwhile wait while the files are copied, some seconds per gigabyte. The newest 7 are kept. 409 on PostgreSQL, which has tools of its own, and when the disk has too little room. `tapewire restore` puts a backup back.",
    status: 201,
    response: backup,
    errors: ["conflict"],
  },
  listBackups: {
    ...common,
    path: "/admin/v1/backups",
    method: "GET",
    summary: "List the backups of the embedded database",
    description: "Those in the folder backups of the data directory.",
    status: 200,
    response: backupList,
    errors: [],
  },
  readRetention: {
    ...common,
    path: "/admin/v1/retention",
    method: "GET",
    summary: "Read how long items are kept, and what is stored of each month",
    description:
      "Number and size of the items of each month, and which months are deleted. With months: what another number of months would delete. Nothing is changed: the service deletes by itself, by TAPEWIRE_KEEP_MONTHS.",
    query: retentionQuery,
    status: 200,
    response: retention,
    errors: [],
  },
} as const satisfies Record<string, Route>;
