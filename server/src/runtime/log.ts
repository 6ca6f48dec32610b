import { type DestinationStream, type Logger, pino } from "pino";
import { logLine } from "./log-line.ts";

export type Log = Logger;

/** auto: text on a terminal, else JSON. */
export const logFormats = ["auto", "json", "text"] as const;
export type LogFormat = (typeof logFormats)[number];

export interface LogOptions {
  readonly format?: LogFormat;
  /** Whether the output goes to a terminal. */
  readonly isTerminal?: boolean;
  readonly out?: { write(text: string): unknown };
}

/** Logs to stderr; stdout is for the command's output. Header values are never logged, and secrets are masked. */
export function createLog(level: string, options: LogOptions = {}): Log {
  const { format = "auto", isTerminal = process.stderr.isTTY === true } = options;
  const { out = pino.destination(2) } = options;
  const isText = format === "text" || (format === "auto" && isTerminal);
  const log: Log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, {
    write: (json) => {
      const shown = withoutSecrets(withShortTexts(json));
      out.write(isText ? logLine(shown, { withStack: log.isLevelEnabled("debug") }) : escaped(shown));
    },
  } satisfies DestinationStream);
  return log;
}

/** UTF-16 code units of one text in a line; a server can put anything into the message of an error. */
const longestText = 4000;

function withShortTexts(json: string): string {
  if (json.length <= longestText) return json;
  const short = (_: string, value: unknown) =>
    typeof value === "string" && value.length > longestText
      ? `${value.slice(0, longestText).toWellFormed()}...`
      : value;
  return `${JSON.stringify(JSON.parse(json, short))}\n`;
}

const hidden = "[hidden]";
const secrets: readonly (readonly [RegExp, string])[] = [
  // In a URL: user and password, and parameters whose names suggest a secret.
  [/\b([a-z][a-z\d+.-]{0,15}:\/\/)[^\s/?#"\\]*@/gi, `$1${hidden}@`],
  [/([?&;\s"](?:[\w-]*(?:key|token|secret|password|signature))=)[^\s&;#"'\\]+/gi, `$1${hidden}`],
  [/\b(Bearer\s+)[\w.~+/=-]+/gi, `$1${hidden}`],
  // Keys of the API, and signing secrets of webhooks.
  [/\b([a-z]{2,10}_(?:live|tab)_)\w+/g, `$1${hidden}`],
  // Sign-in links.
  [/(#\/(?:start|invite|reset)\/)[\w-]+/g, `$1${hidden}`],
  [/\b(whsec_)[\w+/=-]+/g, `$1${hidden}`],
];

/** Masks secrets: error messages contain the URLs of requests. Runs in linear time on any text. */
export function withoutSecrets(text: string): string {
  return secrets.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text);
}

/** JSON escapes most control characters, but not those beyond ASCII that control a terminal. */
function escaped(json: string): string {
  return json.replace(
    /[\u007f-\u009f]/g,
    (found) => `\\u00${(found.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`,
  );
}

/** For code without an operator: tests and benches. */
export const silentLog: Log = pino({ level: "silent" });
