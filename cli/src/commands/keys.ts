import type { ApiKey } from "tapewire";
import { asAdmin } from "../client.ts";
import { CliError } from "../errors.ts";
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
  // The service knows the plans.
  const contentType = "application/json";
  const made = await asAdmin(options).request("POST /admin/v1/keys", { body, contentType });
  if (options.json === true) console.log(JSON.stringify(made));
  else
    console.log(
      `${made.key}\n\nid ${made.id}, account ${made.account_id}, plan ${made.plan}. The key is shown only now.`,
    );
  return 0;
}

async function list(options: Options): Promise<number> {
  const { data } = await asAdmin(options).request("GET /admin/v1/keys");
  if (options.json === true) console.log(JSON.stringify(data));
  else for (const key of data) console.log(row(key));
  return 0;
}

async function revoke(id: string | undefined, options: Options): Promise<number> {
  if (id === undefined) throw new CliError("keys revoke needs the id of a key; keys list shows it", 2);
  const revoked = await asAdmin(options).request("DELETE /admin/v1/keys/{id}", { params: { id } });
  console.log(options.json === true ? JSON.stringify(revoked) : `revoked ${row(revoked)}`);
  return 0;
}

function row(key: ApiKey): string {
  const expired = key.expires_at !== null && new Date(key.expires_at) <= new Date();
  const state = key.revoked_at !== null ? "revoked" : expired ? "expired" : "active";
  return [key.id, `${key.prefix}...${key.last4}`, key.plan.padEnd(10), state, key.name].join("  ");
}
