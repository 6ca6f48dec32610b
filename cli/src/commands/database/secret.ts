import { existsSync } from "node:fs";
import { join } from "node:path";
import { renewSecrets, secretState } from "@tapewire/server/account/lost-secret.ts";
import { SecretError } from "@tapewire/server/account/sealed-secrets.ts";
import { type Config, readConfig } from "@tapewire/server/config/config.ts";
import { silentLog } from "@tapewire/server/runtime/log.ts";
import { type Db, openDb } from "@tapewire/server/store/engine/db.ts";
import { checkSchema } from "@tapewire/server/store/schema/migrate.ts";
import { CliError } from "../../errors.ts";
import { counted } from "../../numbers.ts";
import type { Options } from "../../options.ts";
import { databaseError } from "./errors.ts";

/** secret [renew]: the secret that seals the signing secrets of webhooks, when it is lost. */
export async function secret([, action]: string[], options: Options): Promise<number> {
  if (action !== undefined && action !== "renew")
    throw new CliError("use secret, which tells what is lost, or secret renew", 2);
  try {
    const config = readConfig();
    if (config.databaseUrl === null && !existsSync(join(config.dataDir, "pglite")))
      throw new CliError(`There is no database in ${config.dataDir}: set TAPEWIRE_DATA_DIR or DATABASE_URL.`);
    await using db = await openDb({ ...config, log: silentLog });
    await checkSchema(db);
    return await (action === "renew" ? renew : look)({ config, db }, options);
  } catch (error) {
    throw databaseError(error, [SecretError]);
  }
}

interface Opened {
  readonly config: Config;
  readonly db: Db;
}

/** Returns 1 when something is lost. */
async function look({ config, db }: Opened, options: Options): Promise<number> {
  const { state, endpoints } = await secretState(config, db);
  if (options.json === true) console.log(JSON.stringify({ state, endpoints }));
  else if (state === "fits")
    console.log(
      `Nothing is lost: the signing secrets of ${counted(endpoints.length, "webhook endpoint")} can be read.`,
    );
  else if (state === "shadowed")
    console.log(
      "Nothing is lost: TAPEWIRE_SECRET is not the secret of this database, but the stored one is. Start without TAPEWIRE_SECRET.",
    );
  else console.log(lost(endpoints));
  return state === "fits" ? 0 : 1;
}

type Endpoints = Awaited<ReturnType<typeof secretState>>["endpoints"];

const rows = (endpoints: Endpoints) =>
  endpoints.map(({ id, account_id, url }) => `  ${id}  account ${account_id}  ${url}`);

const lost = (endpoints: Endpoints) =>
  [
    `The secret is lost, and with it the signing secrets of ${counted(endpoints.length, "webhook endpoint")}:`,
    ...rows(endpoints),
    "Nothing else is sealed with it: items, accounts, keys, filters and the log of deliveries are as they were.",
    "Where a copy of the secret is left, put that back: TAPEWIRE_SECRET, or the file secret of the data directory.",
    "Otherwise run: tapewire secret renew",
    "It gives each endpoint a new signing secret, which its owner must copy to the receiver. Until then a receiver that",
    "checks signatures refuses deliveries; they are retried as usual, for about a day by default.",
  ].join("\n");

async function renew({ config, db }: Opened, options: Options): Promise<number> {
  const endpoints = await renewSecrets(config, db);
  if (options.json === true) console.log(JSON.stringify({ renewed: endpoints }));
  else
    console.log(
      [
        `${counted(endpoints.length, "webhook endpoint")} got a new signing secret${endpoints.length === 0 ? "." : ":"}`,
        ...rows(endpoints),
        "The old ones are lost. Start the service. The owners see the new ones in the dashboard under Webhooks, and by",
        "GET /v1/webhooks/{id}, and must copy them to their receivers.",
      ].join("\n"),
    );
  return 0;
}
