import { existsSync } from "node:fs";
import { z } from "zod";
import { identityProblems } from "./identity-provider.ts";
import { modelProblems, modelSettings } from "./model-settings.ts";
import { type Role, reachProblems, roleList, usualRoles } from "./roles.ts";
import { int, optionalText, type Setting, setting, text } from "./setting.ts";
import { addressRanges, durations, identities, natsUrl, postgresUrl } from "./setting-values.ts";

export { isLoopback } from "./loopback.ts";
export { type Role, roles } from "./roles.ts";
export { webhookRanges } from "./webhook-ranges.ts";

/** Every setting with its environment variable, default and meaning. docs/config.md and .env.example are made from it. */
export const settings = {
  host: text("TAPEWIRE_HOST", { default: "127.0.0.1", doc: "Address to listen on. 0.0.0.0 listens on all." }),
  port: int("TAPEWIRE_PORT", {
    default: 8080,
    min: 0,
    max: 65_535,
    doc: "Port to listen on. 0 picks a free port.",
  }),
  dataDir: text("TAPEWIRE_DATA_DIR", {
    default: "./data",
    doc: "Folder of the embedded database, the first API key and the admin token.",
  }),
  databaseUrl: setting<string | null>("DATABASE_URL", postgresUrl, {
    default: null,
    secret: true,
    doc: "Address of a PostgreSQL database, version 15 or newer. Empty: the embedded database in TAPEWIRE_DATA_DIR.",
  }),
  databaseReadUrl: setting<string | null>("DATABASE_READ_URL", postgresUrl, {
    default: null,
    secret: true,
    doc: "Address of a read replica of that PostgreSQL. Replays, other older pages of the log and texts of items are read there as long as it is as new as what the caller was shown; otherwise, and while it is down, from DATABASE_URL. Empty: everything is read from DATABASE_URL.",
  }),
  databaseConnections: int("TAPEWIRE_DATABASE_CONNECTIONS", {
    default: 20,
    min: 6,
    max: 1_000,
    doc: "Most connections of this process to PostgreSQL, besides one that listens. Half of them are for short statements, two for long work, the others for lists. Those of all processes together, and three for you, have to be within the server's max_connections.",
  }),
  natsUrl: setting<string | null>("NATS_URL", natsUrl, {
    default: null,
    secret: true,
    doc: "Address of a NATS server, version 2.9 or newer, by which processes on one PostgreSQL send each other new items: nats:// or tls://, with user and password or a token, several of one cluster separated by commas. Empty: they use LISTEN and NOTIFY of PostgreSQL. Not used with the embedded database.",
  }),
  roles: setting<readonly Role[]>("TAPEWIRE_ROLES", roleList, {
    default: usualRoles,
    shown: usualRoles.join(","),
    doc: "Roles of this process: ingest reads sources, api serves REST, stream serves streams, webhooks delivers to endpoints, score runs the model pro for processes with the role api, which needs NATS_URL.",
  }),
  sourcesFile: text("TAPEWIRE_SOURCES", {
    default: "./config/sources.json",
    doc: "File that lists the sources to read.",
  }),
  plansFile: text("TAPEWIRE_PLANS", {
    default: "./config/plans.json",
    doc: "File with the limits of each plan.",
  }),
  demo: setting<"on" | "off" | "auto">("TAPEWIRE_DEMO", z.enum(["on", "off", "auto"]), {
    default: "auto",
    doc: "The demo wire, a source of invented news. auto: on with the embedded database and the default sources file, else off.",
  }),
  adminToken: optionalText("TAPEWIRE_ADMIN_TOKEN", {
    default: null,
    secret: true,
    doc: "Bearer token of the admin API, at least 16 characters. Empty: a token is generated once and stored in the data directory.",
  }),
  metricsToken: optionalText("TAPEWIRE_METRICS_TOKEN", {
    default: null,
    secret: true,
    doc: "Bearer token that opens GET /metrics and nothing else, at least 16 characters, for the scraper. The admin token opens it too. Empty: only the admin token does.",
  }),
  contact: optionalText("TAPEWIRE_CONTACT", {
    default: null,
    doc: "Contact e-mail address, sent in the User-Agent of fetches. The SEC refuses requests without one.",
  }),
  publicUrl: setting<string | null>("TAPEWIRE_PUBLIC_URL", z.url({ protocol: /^https?$/ }), {
    default: null,
    doc: "Public address of this service, which links, logos and the descriptions of the interface name. Hubs (WebSub) call it to announce new items, unless it is of this machine. Empty: links name the address that the service listens on, and sources are only polled.",
  }),
  oidcIssuer: setting<string | null>("TAPEWIRE_OIDC_ISSUER", z.url({ protocol: /^https?$/ }), {
    default: null,
    doc: "Address of an identity provider (OpenID Connect) that people sign in with. Empty: none. Register TAPEWIRE_PUBLIC_URL with /app/v1/oidc/callback there as redirect address.",
  }),
  oidcClientId: optionalText("TAPEWIRE_OIDC_CLIENT_ID", {
    default: null,
    doc: "Client id of this service at the identity provider.",
  }),
  oidcClientSecret: optionalText("TAPEWIRE_OIDC_CLIENT_SECRET", {
    default: null,
    secret: true,
    doc: "Client secret of this service at the identity provider, when it needs one.",
  }),
  oidcAllow: setting<readonly { readonly match: string; readonly role: "operator" | "member" | null }[]>(
    "TAPEWIRE_OIDC_ALLOW",
    identities,
    {
      default: [],
      shown: "",
      doc: "Who may sign in by the identity provider: verified e-mail addresses or domains, such as ada@example.com=operator,@example.com. A role, operator or member, is given at each sign-in, and taken from whoever has another. Without one, a person who is new is a member, who sees the accounts that others invite to, and nobody's role changes.",
    },
  ),
  secret: optionalText("TAPEWIRE_SECRET", {
    default: null,
    secret: true,
    doc: "Encrypts the signing secrets of webhooks in the database, at least 16 characters. Use the same value in every process and keep a copy: without it the signing secrets are lost. Empty: a secret is generated once and stored in the data directory (file secret), or with PostgreSQL in the database.",
  }),
  webhookAllow: setting<readonly string[] | null>("TAPEWIRE_WEBHOOK_ALLOW", addressRanges, {
    default: null,
    doc: "Private address ranges that webhooks may be sent to, such as 10.0.0.0/8,fd00::/8. http: is allowed there too. Callers never see response bodies from these ranges. none: no range. Empty: only this machine (127.0.0.0/8,::1/128), and only when the database is embedded, TAPEWIRE_HOST is a loopback address, and TAPEWIRE_PUBLIC_URL and TAPEWIRE_TRUST_PROXY are not set; otherwise none.",
  }),
  webhookRetriesMs: setting<readonly number[]>("TAPEWIRE_WEBHOOK_RETRIES", durations, {
    default: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000],
    shown: "5s,5m,30m,2h,5h,10h",
    doc: "Waits between the attempts of a webhook delivery, each varied by up to 20 %. After the last attempt the delivery is given up.",
  }),
  webhookDisableHours: int("TAPEWIRE_WEBHOOK_DISABLE_H", {
    default: 120,
    min: 1,
    max: 8_760,
    doc: "A webhook endpoint is disabled when all deliveries have failed for this many hours.",
  }),
  webhookPerSecond: int("TAPEWIRE_WEBHOOK_RATE", {
    default: 100,
    min: 1,
    max: 100_000,
    doc: "Most deliveries per second to one webhook endpoint. Further deliveries wait in the log.",
  }),
  indexCacheMegabytes: int("TAPEWIRE_INDEX_CACHE_MB", {
    default: 128,
    min: 1,
    max: 65_536,
    doc: "Megabytes of memory for the parts of the index that lists and counts use. The others are read from the database.",
  }),
  windowBodyMegabytes: int("TAPEWIRE_WINDOW_BODY_MB", {
    default: 64,
    min: 1,
    max: 16_384,
    doc: "Megabytes of memory for encoded items of lists, in addition to the index.",
  }),
  backupEveryHours: int("TAPEWIRE_BACKUP_EVERY_H", {
    default: 0,
    min: 0,
    max: 8_760,
    doc: "Hours between backups of the embedded database into the folder backups of the data directory; the newest 7 are kept. 0: only `tapewire backup` makes one.",
  }),
  keepMonths: int("TAPEWIRE_KEEP_MONTHS", {
    default: 0,
    min: 0,
    max: 1_200,
    doc: "Number of whole months for which items are kept, besides the current one; older ones are deleted for good, and refused when they come again. 0: everything is kept.",
  }),
  rawDays: int("TAPEWIRE_RAW_DAYS", {
    default: 7,
    min: 0,
    max: 365,
    doc: "Number of days that responses of sources are stored for `tapewire replay`, but for sources with `headline_only`. 0: they are not stored.",
  }),
  rawMegabytes: int("TAPEWIRE_RAW_MB", {
    default: 1_024,
    min: 1,
    max: 1_000_000,
    doc: "Most megabytes of stored responses (gzipped). The oldest are dropped first, and one source may use at most a quarter.",
  }),
  scoreThreads: int("TAPEWIRE_SCORE_THREADS", {
    default: 0,
    min: 0,
    max: 64,
    doc: "Most threads of the model pro; each starts when it is needed and then keeps about 130 MB. 0: one less than the cores, at least 1 and at most 2; with the role score alone as many as cores.",
  }),
  scoreDeadlineMs: int("TAPEWIRE_SCORE_DEADLINE_MS", {
    default: 3_000,
    min: 100,
    max: 60_000,
    doc: "Longest wait of a process with the role api for an answer of one with the role score, in milliseconds; then it judges the text itself. With a language model its own time is added.",
  }),
  ...modelSettings,
  dashboard: setting<"on" | "off">("TAPEWIRE_DASHBOARD", z.enum(["on", "off"]), {
    default: "on",
    doc: "The web dashboard at /app, on processes with the role api. off: it is not served.",
  }),
  trustedProxies: int("TAPEWIRE_TRUST_PROXY", {
    default: 0,
    min: 0,
    max: 16,
    doc: "Number of proxies in front of this process. It decides which address in X-Forwarded-For is the client's; failed authentication is limited by that address. 0: the header is ignored.",
  }),
  otlpEndpoint: setting<string | null>("OTEL_EXPORTER_OTLP_ENDPOINT", z.url({ protocol: /^https?$/ }), {
    default: null,
    doc: "Address of a collector that takes traces by OTLP over HTTP, such as http://127.0.0.1:4318. Other variables of OpenTelemetry hold too (OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER, OTEL_EXPORTER_OTLP_HEADERS). Empty: no traces.",
  }),
  logLevel: setting<string>(
    "TAPEWIRE_LOG_LEVEL",
    z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]),
    {
      default: "info",
      doc: "Lowest level that is logged to stderr. In the text format, stacks of errors are logged from debug on.",
    },
  ),
  logFormat: setting<"auto" | "json" | "text">("TAPEWIRE_LOG_FORMAT", z.enum(["auto", "json", "text"]), {
    default: "auto",
    doc: "Format of the log: JSON lines, or text for people. auto: text when stderr is a terminal, else JSON.",
  }),
} as const;

/** A shorter secret can be guessed, or is what is left of one. */
export const minSecretLength = 16;

export type Config = { readonly [K in keyof typeof settings]: (typeof settings)[K]["fallback"] };

/** A setting is wrong. The message names the variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Whether npm runs this process. */
export function isRunByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined;
}

/** Reads settings from a file `.env` in the working directory, if there is one. Variables of the environment take precedence. */
export function loadEnvFile(): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
}

/**
 * Reads the settings from environment variables. An empty variable counts as not set.
 * @throws {ConfigError} naming every variable that is wrong
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = [];
  const read = <T>({ env: name, fallback, parse }: Setting<T>): T => {
    const given = env[name];
    if (given === undefined || given === "") return fallback;
    const parsed = parse.safeParse(given);
    if (parsed.success) return parsed.data;
    problems.push(`${name}: ${parsed.error.issues.map((issue) => issue.message).join("; ")}`);
    return fallback;
  };
  const config: Config = {
    host: read(settings.host),
    port: read(settings.port),
    dataDir: read(settings.dataDir),
    databaseUrl: read(settings.databaseUrl),
    databaseReadUrl: read(settings.databaseReadUrl),
    databaseConnections: read(settings.databaseConnections),
    natsUrl: read(settings.natsUrl),
    roles: read(settings.roles),
    sourcesFile: read(settings.sourcesFile),
    plansFile: read(settings.plansFile),
    demo: read(settings.demo),
    adminToken: read(settings.adminToken),
    metricsToken: read(settings.metricsToken),
    contact: read(settings.contact),
    publicUrl: read(settings.publicUrl),
    oidcIssuer: read(settings.oidcIssuer),
    oidcClientId: read(settings.oidcClientId),
    oidcClientSecret: read(settings.oidcClientSecret),
    oidcAllow: read(settings.oidcAllow),
    secret: read(settings.secret),
    webhookAllow: read(settings.webhookAllow),
    webhookRetriesMs: read(settings.webhookRetriesMs),
    webhookDisableHours: read(settings.webhookDisableHours),
    webhookPerSecond: read(settings.webhookPerSecond),
    indexCacheMegabytes: read(settings.indexCacheMegabytes),
    windowBodyMegabytes: read(settings.windowBodyMegabytes),
    backupEveryHours: read(settings.backupEveryHours),
    keepMonths: read(settings.keepMonths),
    rawDays: read(settings.rawDays),
    rawMegabytes: read(settings.rawMegabytes),
    scoreThreads: read(settings.scoreThreads),
    scoreDeadlineMs: read(settings.scoreDeadlineMs),
    feedModel: read(settings.feedModel),
    feedWaitMs: read(settings.feedWaitMs),
    proModel: read(settings.proModel),
    llmUrl: read(settings.llmUrl),
    llmModel: read(settings.llmModel),
    llmKey: read(settings.llmKey),
    llmTokensPerDay: read(settings.llmTokensPerDay),
    dashboard: read(settings.dashboard),
    trustedProxies: read(settings.trustedProxies),
    otlpEndpoint: read(settings.otlpEndpoint),
    logLevel: read(settings.logLevel),
    logFormat: read(settings.logFormat),
  };
  for (const name of ["adminToken", "metricsToken", "secret"] as const)
    if (config[name] !== null && config[name].length < minSecretLength)
      problems.push(`${settings[name].env}: must have at least ${minSecretLength} characters`);
  problems.push(...identityProblems(config), ...reachProblems(config), ...modelProblems(config));
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  return config;
}
