import {
  type ApiKey,
  type PushItem,
  type PushResult,
  pushItem,
  pushLimits,
  type ReplayRequest,
  type ReplayResult,
  type RescoreRequest,
  type RescoreResult,
  type SourceHealth,
  type SourceProbe,
} from "@tapewire/contract/admin.ts";
import { ApiError, fieldErrors } from "@tapewire/contract/errors/errors.ts";
import type { Accounts } from "../../account/keys/accounts.ts";
import type { People } from "../../account/people/people.ts";
import type { HandlersOf } from "../contract-routes.ts";
import { BrokenLine } from "../wire/wire.ts";

export interface AdminDeps {
  readonly people: People;
  readonly accounts: Accounts;
  /** Puts valid items into the feed; the results are in the order of the items. */
  readonly push: (items: readonly PushItem[]) => Promise<PushResult[]>;
  readonly sources: () => Promise<SourceHealth[]>;
  /** @returns false when there is no such item */
  readonly retract: (id: string) => Promise<boolean>;
  readonly replay: (request: ReplayRequest) => Promise<ReplayResult>;
  readonly rescore: (request: RescoreRequest) => Promise<RescoreResult>;
  /** @returns null when there is no such source */
  readonly probe: (id: string) => Promise<SourceProbe | null>;
}

/** Orders that have files of their own. */
type Elsewhere = "listProcesses" | "readStats" | "createBackup" | "listBackups" | "readRetention";

/** The operator's API: accounts, keys, pushed items, source health. */
export function adminHandlers(deps: AdminDeps): Omit<HandlersOf<"admin">, Elsewhere> {
  return { ...accountOrders(deps), ...feedOrders(deps) };
}

/** Accounts and keys. What is done is written into the audit. */
function accountOrders({
  accounts,
  people: { audit, links, operators },
}: AdminDeps): Pick<HandlersOf<"admin">, AccountOrder> {
  return {
    createAccount: async ({ body }) => ({ body: await accounts.create(body) }),
    listAccounts: async () => ({ body: { data: await accounts.list() } }),
    updateAccount: async ({ params, body, operator: actor }) => {
      const account = await accounts.update(params.id, body);
      const { name, plan } = body;
      const detail = { ...(name === undefined ? {} : { name }), ...(plan === undefined ? {} : { plan }) };
      await audit.note({
        actor,
        action: "account.updated",
        subject: account.name,
        accountId: account.id,
        detail,
      });
      return { body: account };
    },
    createKey: async ({ body, operator: actor }) => {
      const made = await accounts.createKey(body);
      await audit.note({ actor, action: "key.created", ...ofKey(made) });
      return { body: made };
    },
    listKeys: async () => ({ body: { data: await accounts.listKeys() } }),
    updateKey: async ({ params, body, operator: actor }) => {
      const key = await accounts.updateKey(params.id, body);
      await audit.note({ actor, action: "key.updated", ...ofKey(key) });
      return { body: key };
    },
    revokeKey: async ({ params, operator: actor }) => {
      const key = await accounts.revokeKey(params.id);
      await audit.note({ actor, action: "key.revoked", ...ofKey(key) });
      return { body: key };
    },
    listPeople: async () => ({ body: { data: await operators.list() } }),
    updatePerson: async ({ params, body, operator: actor }) => {
      // An operator who is made by a key of a tab would outlive the key.
      if (body.role === "operator" && !actor.byToken)
        throw new ApiError("forbidden", { detail: "To make an operator takes the admin token itself" });
      return { body: await operators.setRole(actor, params.id, body.role) };
    },
    createSignInLink: async ({ operator: actor }) => {
      // A key of a tab must not begin a session that outlives its own.
      if (!actor.byToken)
        throw new ApiError("forbidden", { detail: "This takes the admin token itself: use `tapewire open`" });
      const { url, expires_at } = await links.make({ purpose: "open" }, { name: actor.name, personId: null });
      await audit.note({ actor, action: "link.created", subject: "operator", detail: { purpose: "open" } });
      return { body: { url, expires_at } };
    },
  };
}

type AccountOrder =
  | "createAccount"
  | "listAccounts"
  | "updateAccount"
  | "createKey"
  | "listKeys"
  | "updateKey"
  | "revokeKey"
  | "listPeople"
  | "updatePerson"
  | "createSignInLink";

const ofKey = ({ id, name, account_id }: ApiKey) => ({
  subject: name,
  accountId: account_id,
  detail: { key_id: id },
});

/** Items and sources. */
function feedOrders({
  push,
  sources,
  retract,
  replay,
  rescore,
  probe,
}: AdminDeps): Omit<HandlersOf<"admin">, AccountOrder | Elsewhere> {
  return {
    pushItems: async ({ body }) => ({ body: { data: await pushEach(body, push) } }),
    retractItem: async ({ params: { id } }) => {
      if (!(await retract(id))) throw new ApiError("not_found");
      return { body: { id, status: "retracted" } };
    },
    replay: async ({ body }) => ({ body: await replay(body) }),
    rescore: async ({ body }) => ({ body: await rescore(body) }),
    probeSource: async ({ params: { id } }) => {
      const probed = await probe(id);
      if (probed === null) throw new ApiError("not_found");
      return { body: probed };
    },
    listSources: async () => ({ body: { data: await sources() } }),
  };
}

/** Rejects malformed items, pushes the others together, and returns the results in the order of the request. */
async function pushEach(body: unknown, push: AdminDeps["push"]): Promise<PushResult[]> {
  const entries: unknown[] = Array.isArray(body) ? body : [body];
  if (entries.length === 0 || entries.length > pushLimits.items)
    throw new ApiError("invalid_body", { detail: `Send 1 to ${pushLimits.items} items in one request` });
  const checked = entries.map((entry) => (entry instanceof BrokenLine ? entry : pushItem.safeParse(entry)));
  const results = await push(
    checked.flatMap((one) => (!(one instanceof BrokenLine) && one.success ? [one.data] : [])),
  );
  const accepted = results.values();
  return checked.map((one) => {
    if (one instanceof BrokenLine) return rejected(one.message);
    if (!one.success)
      return {
        ...rejected("not a valid item"),
        errors: fieldErrors(one.error, "body").map((field) => ({ ...field, name: field.name || "item" })),
      };
    return accepted.next().value ?? rejected("not stored");
  });
}

function rejected(error: string): PushResult {
  return { id: null, unique_id: null, status: "rejected", error };
}
