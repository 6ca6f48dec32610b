import { type ApiKey, apiKey, createdKey } from "@tapewire/contract/admin.ts";
import { z } from "zod";
import { CliError, callAdmin } from "../client.ts";
import type { Options } from "../options.ts";

/** keys create | list | revoke */
export async function keys([, action, id]: string[], options: Options): Promise<number> {
  switch (action) {
    case "create":
      return create(options);
    case "list":
      return list(options);
    case "revoke":
      return revoke(id, options);
    default:
      throw new CliError("use keys create, keys list or keys revoke", 2);
  }
}

async function create(options: Options): Promise<number> {
  const { plan, account, name, expires } = options;
  if ((plan === undefined) === (account === undefined))
    throw new CliError("keys create needs either --plan or --account", 2);
  const body = JSON.stringify({ plan, account_id: account, name, expires_at: expires });
  const made = createdKey.parse(await callAdmin(options, { method: "POST", path: "/admin/v1/keys", body }));
  if (options.json === true) console.log(JSON.stringify(made));
  else
    console.log(
      `${made.key}\n\nid ${made.id}, account ${made.account_id}, plan ${made.plan}. The key is shown only now.`,
    );
  return 0;
}

async function list(options: Options): Promise<number> {
  const answer = await callAdmin(options, { method: "GET", path: "/admin/v1/keys" });
  const { data } = z.object({ data: z.array(apiKey) }).parse(answer);
  if (options.json === true) console.log(JSON.stringify(data));
  else for (const key of data) console.log(row(key));
  return 0;
}

async function revoke(id: string | undefined, options: Options): Promise<number> {
  if (id === undefined) throw new CliError("keys revoke needs the id of a key; keys list shows it", 2);
  const answer = await callAdmin(options, {
    method: "DELETE",
    path: `/admin/v1/keys/${encodeURIComponent(id)}`,
  });
  const revoked = apiKey.parse(answer);
  console.log(options.json === true ? JSON.stringify(revoked) : `revoked ${row(revoked)}`);
  return 0;
}

function row(key: ApiKey): string {
  const expired = key.expires_at !== null && new Date(key.expires_at) <= new Date();
  const state = key.revoked_at !== null ? "revoked" : expired ? "expired" : "active";
  return [key.id, `${key.prefix}...${key.last4}`, key.plan.padEnd(10), state, key.name].join("  ");
}
