import { loadEnvFile } from "@tapewire/server/config/config.ts";
import { CliError } from "./client.ts";
import { type Options, parseOptions } from "./options.ts";

const usage = `Usage: npm run -s tapewire -- <command> [options]

  keys create --plan PLAN [--name NAME] [--account ID] [--expires TIME] [--json]
                        make an API key; the key is shown this once
  keys list [--json]    keys without their secrets
  keys revoke ID        takes effect within 5 seconds
  ingest FILE|-         push items: one JSON item, an array, or one a line (NDJSON)
  tail [--symbol A,B] [--exchange X] [--source NAME] [--actionable] [--snapshot N] [--json]
                        print items as they are scored
  listen --forward-to URL [--secret whsec_...] [--after CURSOR] [filters as of tail] [--json]
                        deliver items to a receiver on this machine, signed as a webhook does
  webhooks list | create URL [--symbol A,B] [--exchange X] [--actionable] [--name TEXT]
                        webhook endpoints of the account; create shows the signing secret
  webhooks test ID | rotate ID | deliveries ID [--status failed] | recover ID --since 12h
                        try one, change its secret, see what became of its deliveries, send again what was given up
  doctor [SOURCE] [--json]
                        what is the matter with the sources; with a name: all of one, and a fetch of it;
                        exit code 1 when something is, one line when it is this machine's network
  replay --since 12h [--source ID] [--dry-run]
                        read kept answers of sources again, after an update that reads them better
  rescore --since 3d [--model flash|pro]
                        score stored items again; earlier scores stay
  score FILE|- [--type filing] [--model pro] [--detailed] [--json]
                        score a text of your own: the first line is the title, or JSON of an artifact
  export FILE|-         write everything the database holds as NDJSON (stop the service first when it is embedded)
  import FILE|-         read such a file into an empty database

  --url URL             the service                 (TAPEWIRE_URL, else this machine at TAPEWIRE_PORT)
  --admin-token TOKEN   for the admin commands       (TAPEWIRE_ADMIN_TOKEN, else data/admin-token)
  --key KEY             for the others              (TAPEWIRE_KEY, else data/first-key)
`;

interface Command {
  /** Loaded when it is called for: what all of them import takes as long to load as most take to run. */
  readonly load: () => Promise<(positionals: string[], options: Options) => Promise<number>>;
  /** Options beside those that all commands take. */
  readonly takes: readonly (keyof Options)[];
}

const everywhere: readonly (keyof Options)[] = ["admin-token", "help", "json", "key", "url"];
const filters = ["actionable", "exchange", "source", "symbol"] as const;

const commands: Readonly<Record<string, Command>> = {
  keys: {
    load: async () => (await import("./commands/keys.ts")).keys,
    takes: ["account", "expires", "name", "plan"],
  },
  ingest: { load: async () => (await import("./commands/ingest.ts")).ingest, takes: [] },
  tail: { load: async () => (await import("./commands/tail.ts")).tail, takes: [...filters, "snapshot"] },
  listen: {
    load: async () => (await import("./commands/listen.ts")).listen,
    takes: [...filters, "after", "forward-to", "secret"],
  },
  webhooks: {
    load: async () => (await import("./commands/webhooks.ts")).webhooks,
    takes: ["actionable", "exchange", "name", "since", "status", "symbol"],
  },
  doctor: { load: async () => (await import("./commands/doctor.ts")).doctor, takes: [] },
  replay: {
    load: async () => (await import("./commands/replay.ts")).replay,
    takes: ["dry-run", "since", "source"],
  },
  rescore: { load: async () => (await import("./commands/rescore.ts")).rescore, takes: ["model", "since"] },
  score: {
    load: async () => (await import("./commands/score.ts")).score,
    takes: ["detailed", "model", "type"],
  },
  export: { load: async () => (await import("./commands/backup.ts")).backup, takes: [] },
  import: { load: async () => (await import("./commands/backup.ts")).backup, takes: [] },
};

/** An option that would be passed over, a filter for one, must not look as if it were heeded. */
function checkTaken(name: string, { takes }: Command, given: Options): void {
  const taken: readonly string[] = [...everywhere, ...takes];
  const other = Object.keys(given).find((option) => !taken.includes(option));
  if (other !== undefined) throw new CliError(`${name} does not take --${other}`, 2);
}

/** Exit codes: 0 done, 1 failed, 2 wrong usage. */
async function main(args: string[]): Promise<number> {
  let parsed: ReturnType<typeof parseOptions>;
  try {
    parsed = parseOptions(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    return 2;
  }
  const [name, ...rest] = parsed.positionals;
  if (parsed.values.help === true || name === undefined) {
    console.log(usage);
    return name === undefined && parsed.values.help !== true ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    console.error(`Unknown command '${name}'.\n\n${usage}`);
    return 2;
  }
  checkTaken(name, command, parsed.values);
  const run = await command.load();
  return run([name, ...rest], parsed.values);
}

// Whoever reads our output may have enough of it: `tail --json | head`.
process.stdout.on("error", (error) => {
  if ("code" in error && error.code === "EPIPE") process.exit(0);
  throw error;
});
loadEnvFile();
process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  const expected = error instanceof CliError;
  console.error(expected ? error.message : error);
  return expected ? error.exitCode : 1;
});
