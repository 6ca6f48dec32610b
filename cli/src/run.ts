import { giveToOwner } from "./data-dir.ts";
import { CliError, expected } from "./errors.ts";
import { filterOptions, webhookFilterOptions } from "./filters.ts";
import { checkTaken, nearest, type Options, parseOptions, seeHelp } from "./options.ts";

const usage = `Usage: npm run -s tapewire -- <command> [options]

  keys create --plan PLAN | --account ID [--name NAME] [--expires TIME] [--json]
                        create an API key, for a new account on a plan or for an existing account;
                        the key is shown only once
  keys list [--json]    list keys, without their secrets
  keys revoke ID        revoke a key; takes effect within 5 seconds
  open [--browser] [--json]
                        print a link that signs you in to the dashboard as the operator, once and within an hour;
                        --browser opens it
  ingest FILE|-         push items: one JSON item, a JSON array, or one item per line (NDJSON)
  tail [--symbol A,B] [--exchange X] [--source NAME] [--event KIND,KIND] [--actionable]
       [--min-conviction N] [--min-actionability-score N] [--q 'WORDS "A PHRASE" -NOT'] [--snapshot N] [--json]
                        print items as they are scored; --q: words of the title
  tail --replay TIME [--until TIME] [--speed N|max] [filters of tail] [--json]
                        print stored items with the pauses between them, N times as fast (default: 1)
  listen --forward-to URL [--secret whsec_...] [--after CURSOR] [filters of tail] [--json]
                        deliver items to a receiver on this machine, signed like a webhook
  webhooks list         list the webhook endpoints of the account
  webhooks get ID       show an endpoint, with its filters and signing secret
  webhooks create URL [filters of tail, without --source] [--name TEXT]
                        create an endpoint and show its signing secret
  webhooks test ID      send a test event
  webhooks rotate ID    replace the signing secret
  webhooks deliveries ID [--status failed]
                        list recent deliveries and their attempts
  webhooks recover ID --since 12h
                        send failed deliveries again
  webhooks resend ID DELIVERY
                        send one delivery again, by its webhook-id
  webhooks replay ID --from TIME|SEQ [--to TIME|SEQ]
                        send a range of the log again, with the filters of now; default of --to: the newest item
  webhooks delete ID    delete an endpoint; what waits for it is dropped
  doctor [ID] [--json]  check the sources; with the id of a source: check that source in detail and fetch it once;
                        exit code 1 when there is a problem
  replay --since 12h [--source ID] [--dry-run]
                        read stored responses of sources again, after an update of Tapewire
  rescore --since 3d [--model pro|flash]
                        score stored items again, by pro unless said otherwise; earlier scores stay
  score FILE|- [--type filing] [--model pro] [--detailed] [--json]
                        score your own text: its first line is the title; or a JSON artifact
  calibrate FILE.jsonl --model DIR [--json]
                        fit how a classifier of yours (TAPEWIRE_PRO_MODEL) is read, by labelled lines; docs/own-model.md
  study --prices FILE.csv [--index SYMBOL] [--horizons 1h,1d,5d] [--since TIME] [--until TIME] [filters of tail]
        [--html FILE] [--json]
                        measure how prices moved after items, by the scores that the items had when they came;
                        docs/study.md describes the file of prices, all options and the report
  mcp                   serve the Model Context Protocol on standard input and output, for agents
  backup                back up the embedded database while the service runs; the newest 7 are kept
  retention [--months N] [--json]
                        number and size of the items of each month, and what the service deletes by TAPEWIRE_KEEP_MONTHS, or
                        would by another number of months; this command deletes nothing (--dry-run is understood)
  restore FILE          put a backup into a data directory that has no database (the service must not run)
  export FILE|-         write the whole database as NDJSON (stop the service first when the database is embedded)
  import FILE|-         read an export into an empty database
  move --to postgres://USER:PASSWORD@HOST/NAME
                        copy the embedded database into an empty PostgreSQL, all of it or nothing (the service must not run)
  secret [renew] [--json]
                        tell what is lost with the secret that seals the signing secrets of webhooks; renew: give all endpoints
                        new signing secrets (the service must not run)
  upgrade               write the embedded database of an older PGlite anew with this one (the service must not run)
  export DIR --format parquet [--since TIME] [--until TIME] [filters of tail]
                        write versions of items with their scores, their symbols, events and tags as Parquet files

  --url URL             address of the service      (default: TAPEWIRE_URL, then this machine at TAPEWIRE_PORT)
  --admin-token TOKEN   for admin commands          (default: TAPEWIRE_ADMIN_TOKEN, then the file admin-token)
  --key KEY             for the other commands      (default: TAPEWIRE_KEY, then the file first-key)

Files are read from TAPEWIRE_DATA_DIR (default: data). Admin commands are keys, open, ingest, doctor, replay,
rescore, backup and retention.
`;

interface Command {
  /** Loads the command only when it is called: loading all commands takes as long as running most of them. */
  readonly load: () => Promise<(positionals: string[], options: Options) => Promise<number>>;
  /** Options in addition to those that all commands take. */
  readonly takes: readonly (keyof Options)[];
  /** Whether it opens the embedded database itself, and so leaves files in the data directory. */
  readonly opensData?: true;
}

const commands: Readonly<Record<string, Command>> = {
  keys: {
    load: async () => (await import("./commands/keys.ts")).keys,
    takes: ["account", "expires", "name", "plan"],
  },
  open: { load: async () => (await import("./commands/open.ts")).open, takes: ["browser"] },
  ingest: { load: async () => (await import("./commands/ingest.ts")).ingest, takes: [] },
  tail: {
    load: async () => (await import("./commands/tail.ts")).tail,
    takes: [...filterOptions, "replay", "snapshot", "speed", "until"],
  },
  listen: {
    load: async () => (await import("./commands/listen.ts")).listen,
    takes: [...filterOptions, "after", "forward-to", "secret"],
  },
  webhooks: {
    load: async () => (await import("./commands/webhooks.ts")).webhooks,
    takes: [...webhookFilterOptions, "from", "name", "since", "status", "to"],
  },
  doctor: { load: async () => (await import("./commands/doctor.ts")).doctor, takes: [] },
  replay: {
    load: async () => (await import("./commands/replay.ts")).replay,
    takes: ["dry-run", "since", "source"],
  },
  rescore: { load: async () => (await import("./commands/rescore.ts")).rescore, takes: ["model", "since"] },
  mcp: { load: async () => (await import("./commands/mcp.ts")).mcp, takes: [] },
  score: {
    load: async () => (await import("./commands/score.ts")).score,
    takes: ["detailed", "model", "type"],
  },
  calibrate: {
    load: async () => (await import("./model/calibrate.ts")).calibrate,
    takes: ["model"],
  },
  study: {
    load: async () => (await import("./commands/study.ts")).study,
    takes: [
      ...filterOptions,
      "bar-length",
      "close",
      "copies",
      "horizons",
      "html",
      "index",
      "items",
      "late",
      "moved",
      "prices",
      "since",
      "until",
      "zone",
    ],
  },
  export: {
    load: async () => (await import("./commands/backup.ts")).backup,
    takes: [...filterOptions, "format", "since", "until"],
    opensData: true,
  },
  backup: { load: async () => (await import("./commands/backup-online.ts")).backup, takes: [] },
  retention: {
    load: async () => (await import("./commands/database/retention.ts")).retention,
    takes: ["dry-run", "months"],
  },
  restore: {
    load: async () => (await import("./commands/backup-online.ts")).restore,
    takes: [],
    opensData: true,
  },
  move: {
    load: async () => (await import("./commands/database/moving.ts")).move,
    takes: ["to"],
    opensData: true,
  },
  secret: {
    load: async () => (await import("./commands/database/secret.ts")).secret,
    takes: [],
    opensData: true,
  },
  upgrade: {
    load: async () => (await import("./commands/database/moving.ts")).upgrade,
    takes: [],
    opensData: true,
  },
  import: { load: async () => (await import("./commands/backup.ts")).backup, takes: [], opensData: true },
};

/** Runs the command that the arguments name, and prints why it fails. @returns 0 done, 1 failed, 2 wrong usage */
export async function run(args: string[]): Promise<number> {
  try {
    return await runNamed(args);
  } catch (error) {
    const told = expected(error);
    console.error(told === null ? error : told.message);
    return told === null ? 1 : told.exitCode;
  }
}

async function runNamed(args: string[]): Promise<number> {
  const parsed = parseOptions(args);
  const [name, ...rest] = parsed.positionals;
  if (parsed.values.help === true || name === undefined) {
    console.log(usage);
    return name === undefined && parsed.values.help !== true ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    const near = nearest(name, Object.keys(commands));
    const meant = near === null ? "" : ` (did you mean ${near}?)`;
    throw new CliError(`unknown command '${name}'${meant}\n${seeHelp}`, 2);
  }
  checkTaken(name, parsed.values, command.takes);
  const execute = await command.load();
  try {
    return await execute([name, ...rest], parsed.values);
  } finally {
    if (command.opensData === true) giveToOwner();
  }
}
