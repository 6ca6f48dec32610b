import { existsSync } from "node:fs";
import { z } from "zod";

interface Setting<T> {
  readonly env: string;
  readonly doc: string;
  readonly fallback: T;
  readonly secret: boolean;
  /** What the documentation shows as the default. */
  readonly shown: string;
  readonly parse: z.ZodType<T>;
}

interface SettingOptions<T> {
  default: T;
  doc: string;
  secret?: boolean;
  shown?: string;
}

function setting<T>(env: string, parse: z.ZodType<T>, options: SettingOptions<T>): Setting<T> {
  const { default: fallback, doc, secret = false } = options;
  return { env, doc, fallback, secret, parse, shown: options.shown ?? String(fallback ?? "") };
}

const text = (env: string, options: SettingOptions<string>) => setting(env, z.string().min(1), options);
const postgresUrl = z
  .string()
  .regex(/^postgres(?:ql)?:\/\/\S+$/, "must be postgres://user:password@host/database");
const optionalText = (env: string, options: SettingOptions<string | null>) =>
  setting<string | null>(env, z.string().min(1), options);
const int = (env: string, options: SettingOptions<number> & { min: number; max: number }) =>
  setting(env, z.coerce.number().int().min(options.min).max(options.max), options);

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
/** `5s,5m,2h` as milliseconds. */
const durations = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter((one) => one !== ""))
  .pipe(
    z
      .array(z.string().regex(/^\d{1,4}[smh]$/, "must be durations such as 5s,5m,2h"))
      .min(1)
      .max(20),
  )
  .transform((all) => all.map((one) => Number(one.slice(0, -1)) * (unitMs[one.slice(-1)] ?? 0)));

const addressRanges = z
  .string()
  .transform((value) => (value.trim() === "none" ? [] : value.split(/[\s,]+/).filter((one) => one !== "")))
  .pipe(
    z.array(
      z.union([z.cidrv4(), z.cidrv6()], {
        error: ({ input }) => `'${String(input)}' is no range such as 10.0.0.0/8 or fd00::/8`,
      }),
    ),
  );

export const roles = ["ingest", "api", "stream", "webhooks"] as const;
export type Role = (typeof roles)[number];

/** Every setting: its environment variable, default and meaning, once. docs/config.md and .env.example come from here. */
export const settings = {
  host: text("TAPEWIRE_HOST", { default: "127.0.0.1", doc: "Address to listen on; 0.0.0.0 for all." }),
  port: int("TAPEWIRE_PORT", { default: 8080, min: 0, max: 65_535, doc: "Port; 0 takes a free one." }),
  dataDir: text("TAPEWIRE_DATA_DIR", {
    default: "./data",
    doc: "The embedded database, the first key and the admin token.",
  }),
  databaseUrl: setting<string | null>("DATABASE_URL", postgresUrl, {
    default: null,
    secret: true,
    doc: "postgres://... of a PostgreSQL 15 or newer; empty: the embedded database in TAPEWIRE_DATA_DIR.",
  }),
  roles: setting<readonly Role[]>(
    "TAPEWIRE_ROLES",
    z
      .string()
      .transform((value) => value.split(/[\s,]+/).filter((role) => role !== ""))
      .pipe(z.array(z.enum(roles)).min(1)),
    { default: roles, shown: roles.join(","), doc: "What this process does." },
  ),
  sourcesFile: text("TAPEWIRE_SOURCES", {
    default: "./config/sources.json",
    doc: "The channels that items are read from.",
  }),
  plansFile: text("TAPEWIRE_PLANS", { default: "./config/plans.json", doc: "Limits of each plan." }),
  demo: setting<"on" | "off" | "auto">("TAPEWIRE_DEMO", z.enum(["on", "off", "auto"]), {
    default: "auto",
    doc: "The demo wire of invented news; auto: on with the embedded database and the default sources.",
  }),
  adminToken: optionalText("TAPEWIRE_ADMIN_TOKEN", {
    default: null,
    secret: true,
    doc: "Bearer token of the admin API, 16 characters or more; empty: made once and kept in the data directory.",
  }),
  contact: optionalText("TAPEWIRE_CONTACT", {
    default: null,
    doc: "E-mail address for the User-Agent of fetches. The SEC refuses requests that name none.",
  }),
  publicUrl: setting<string | null>("TAPEWIRE_PUBLIC_URL", z.url({ protocol: /^https?$/ }), {
    default: null,
    doc: "Address under which the internet reaches this service, for hubs (WebSub) to announce new items; empty: sources are polled only.",
  }),
  secret: optionalText("TAPEWIRE_SECRET", {
    default: null,
    secret: true,
    doc: "Seals the signing secrets of webhooks in the database, 16 characters or more, the same in every process: what it sealed is lost with it; empty: made once and kept in the data directory (file secret), or in the database where that is a PostgreSQL.",
  }),
  webhookAllow: setting<readonly string[] | null>("TAPEWIRE_WEBHOOK_ALLOW", addressRanges, {
    default: null,
    doc: "Ranges beyond the public internet that webhooks may be sent to, by http: as well, such as 10.0.0.0/8,fd00::/8, whose answers nobody with a key can read; none: no such range; empty: this machine (127.0.0.0/8,::1/128) for a trial, with the embedded database, TAPEWIRE_HOST a loopback address, and neither TAPEWIRE_PUBLIC_URL nor TAPEWIRE_TRUST_PROXY, else none.",
  }),
  webhookRetriesMs: setting<readonly number[]>("TAPEWIRE_WEBHOOK_RETRIES", durations, {
    default: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000],
    shown: "5s,5m,30m,2h,5h,10h",
    doc: "Waits between the attempts of a webhook delivery, 20 % more or less; after the last it is given up.",
  }),
  webhookDisableHours: int("TAPEWIRE_WEBHOOK_DISABLE_H", {
    default: 120,
    min: 1,
    max: 8_760,
    doc: "Hours of nothing but failures after which a webhook endpoint is disabled.",
  }),
  webhookPerSecond: int("TAPEWIRE_WEBHOOK_RATE", {
    default: 100,
    min: 1,
    max: 100_000,
    doc: "Most deliveries a second to one webhook endpoint; what is more waits in the log.",
  }),
  windowItems: int("TAPEWIRE_WINDOW_ITEMS", {
    default: 1_000_000,
    min: 0,
    max: 10_000_000,
    doc: "Newest items kept in memory for lists, about 100 bytes each; 0: every list is read from the database.",
  }),
  windowBodyMegabytes: int("TAPEWIRE_WINDOW_BODY_MB", {
    default: 64,
    min: 1,
    max: 16_384,
    doc: "Megabytes of encoded items kept beside them.",
  }),
  rawDays: int("TAPEWIRE_RAW_DAYS", {
    default: 7,
    min: 0,
    max: 365,
    doc: "Days that answers of sources are kept for `tapewire replay`; 0: not at all.",
  }),
  rawMegabytes: int("TAPEWIRE_RAW_MB", {
    default: 1_024,
    min: 1,
    max: 1_000_000,
    doc: "Most megabytes of kept answers (gzipped); the oldest are dropped first, and no source keeps more than a quarter.",
  }),
  llmUrl: setting<string | null>("TAPEWIRE_LLM_URL", z.url({ protocol: /^https?$/ }), {
    default: null,
    doc: "A server that speaks OpenAI's chat completions, such as http://127.0.0.1:8000/v1, which the model pro asks; empty: pro is local.",
  }),
  llmModel: text("TAPEWIRE_LLM_MODEL", { default: "default", doc: "The model that is asked there." }),
  llmKey: optionalText("TAPEWIRE_LLM_KEY", {
    default: null,
    secret: true,
    doc: "Its key, where it wants one.",
  }),
  llmTokensPerDay: int("TAPEWIRE_LLM_TOKENS_PER_DAY", {
    default: 2_000_000,
    min: 0,
    max: 2_000_000_000,
    doc: "Most tokens a day (UTC) that a process spends there; beyond it pro is local.",
  }),
  trustedProxies: int("TAPEWIRE_TRUST_PROXY", {
    default: 0,
    min: 0,
    max: 16,
    doc: "Number of proxies in front of this process. From the X-Forwarded-For that they append to comes the client's address, by which failed authentication is limited; 0: the header is not believed.",
  }),
  logLevel: setting<string>(
    "TAPEWIRE_LOG_LEVEL",
    z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]),
    {
      default: "info",
      doc: "Least level that is logged, on stderr; an error's stack is in a text from debug on.",
    },
  ),
  logFormat: setting<"auto" | "json" | "text">("TAPEWIRE_LOG_FORMAT", z.enum(["auto", "json", "text"]), {
    default: "auto",
    doc: "How it is logged: JSON lines, or a text for people; auto: text where stderr is a terminal, else JSON.",
  }),
} as const;

export type Config = { readonly [K in keyof typeof settings]: (typeof settings)[K]["fallback"] };

/** A setting that cannot be used; the message names the variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const thisMachine: readonly string[] = ["127.0.0.0/8", "::1/128"];

/**
 * Ranges beyond the public internet that webhooks may be sent to. Of itself this machine only, and only in a trial that
 * nobody reaches from elsewhere: whoever has a key sees which of its ports answer.
 */
export function webhookRanges(config: Config): readonly string[] {
  const { webhookAllow, databaseUrl } = config;
  return webhookAllow ?? (databaseUrl === null && isReachedFromHereOnly(config) ? thisMachine : []);
}

const loopbackHost = /^(?:localhost|::1|127(?:\.\d{1,3}){3})$/;

/** A proxy on this machine brings others to a loopback address; that there is one, settings tell. */
function isReachedFromHereOnly({ host, publicUrl, trustedProxies }: Config): boolean {
  return loopbackHost.test(host) && publicUrl === null && trustedProxies === 0;
}

/** Whether npm runs this process. */
export function isRunByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined;
}

/** Takes settings from a file `.env` in the working directory, where there is one; the environment itself goes before. */
export function loadEnvFile(): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
}

/**
 * Reads the settings from environment variables; an empty variable counts as unset.
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
    roles: read(settings.roles),
    sourcesFile: read(settings.sourcesFile),
    plansFile: read(settings.plansFile),
    demo: read(settings.demo),
    adminToken: read(settings.adminToken),
    contact: read(settings.contact),
    publicUrl: read(settings.publicUrl),
    secret: read(settings.secret),
    webhookAllow: read(settings.webhookAllow),
    webhookRetriesMs: read(settings.webhookRetriesMs),
    webhookDisableHours: read(settings.webhookDisableHours),
    webhookPerSecond: read(settings.webhookPerSecond),
    windowItems: read(settings.windowItems),
    windowBodyMegabytes: read(settings.windowBodyMegabytes),
    rawDays: read(settings.rawDays),
    rawMegabytes: read(settings.rawMegabytes),
    llmUrl: read(settings.llmUrl),
    llmModel: read(settings.llmModel),
    llmKey: read(settings.llmKey),
    llmTokensPerDay: read(settings.llmTokensPerDay),
    trustedProxies: read(settings.trustedProxies),
    logLevel: read(settings.logLevel),
    logFormat: read(settings.logFormat),
  };
  if (config.adminToken !== null && config.adminToken.length < 16)
    problems.push("TAPEWIRE_ADMIN_TOKEN: must have 16 characters or more");
  if (config.secret !== null && config.secret.length < 16)
    problems.push("TAPEWIRE_SECRET: must have 16 characters or more");
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  return config;
}
