import { parseArgs } from "node:util";

/** The options of all commands. main.ts lists which command takes which. */
const options = {
  account: { type: "string" },
  actionable: { type: "boolean" },
  "admin-token": { type: "string" },
  after: { type: "string" },
  detailed: { type: "boolean" },
  "bar-length": { type: "string" },
  browser: { type: "boolean" },
  close: { type: "string" },
  copies: { type: "boolean" },
  "dry-run": { type: "boolean" },
  event: { type: "string" },
  exchange: { type: "string" },
  expires: { type: "string" },
  format: { type: "string" },
  "forward-to": { type: "string" },
  horizons: { type: "string" },
  html: { type: "string" },
  index: { type: "string" },
  items: { type: "string" },
  help: { type: "boolean", short: "h" },
  json: { type: "boolean" },
  key: { type: "string" },
  "min-actionability-score": { type: "string" },
  "min-conviction": { type: "string" },
  model: { type: "string" },
  months: { type: "string" },
  moved: { type: "string" },
  name: { type: "string" },
  prices: { type: "string" },
  plan: { type: "string" },
  q: { type: "string" },
  replay: { type: "string" },
  secret: { type: "string" },
  since: { type: "string" },
  snapshot: { type: "string" },
  source: { type: "string" },
  speed: { type: "string" },
  status: { type: "string" },
  symbol: { type: "string" },
  to: { type: "string" },
  type: { type: "string" },
  until: { type: "string" },
  url: { type: "string" },
  zone: { type: "string" },
} as const;

/** @throws {TypeError} for an option that no command has, or one without its value */
export const parseOptions = (args: string[]) =>
  parseArgs({ args, options, allowPositionals: true, strict: true });

export type Options = ReturnType<typeof parseOptions>["values"];
