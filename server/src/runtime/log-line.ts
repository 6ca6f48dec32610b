/** A log entry that the logger has written as JSON. */
type Entry = Readonly<Record<string, unknown>>;

const levels = new Map([
  [10, "TRACE"],
  [20, "DEBUG"],
  [30, "INFO"],
  [40, "WARN"],
  [50, "ERROR"],
  [60, "FATAL"],
]);
const longestFact = 400;

/**
 * Formats a log entry for people: local time, level, message, facts, and the messages of an error and its causes.
 * @param json a line as the logger writes it
 * @param withStack whether the error's stack follows on lines of its own
 */
export function logLine(json: string, { withStack }: { readonly withStack: boolean }): string {
  const entry = entryOf(json);
  if (entry === null) return `${printable(json.trimEnd())}\n`;
  const { level, time, msg, err, ...facts } = entry;
  const error = isEntry(err) ? err : null;
  const parts = Object.entries(facts).map(([name, value]) => `${printable(name)} ${factText(value)}`);
  if (error !== null) parts.push(`${factText(error.type ?? "Error")}: ${printable(String(error.message))}`);
  const head = `${timeText(time)} ${(levels.get(Number(level)) ?? "LOG").padEnd(5)} ${printable(String(msg ?? ""))}`;
  const line = parts.length === 0 ? head : `${head}: ${parts.join(", ")}`;
  const stack = withStack && typeof error?.stack === "string" ? error.stack.split("\n") : [];
  return [line, ...stack.map((one) => `    ${printable(one)}`)].map((one) => `${one}\n`).join("");
}

function entryOf(json: string): Entry | null {
  try {
    const entry: unknown = JSON.parse(json);
    return isEntry(entry) ? entry : null;
  } catch {
    return null;
  }
}

function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function timeText(time: unknown): string {
  const at = new Date(typeof time === "string" || typeof time === "number" ? time : Number.NaN);
  const parts = [at.getHours(), at.getMinutes(), at.getSeconds()];
  return Number.isNaN(at.getTime())
    ? "--:--:--"
    : parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/** Quotes a text that holds a blank or a comma, so that its end is clear. */
function factText(value: unknown): string {
  const text = typeof value === "string" && /^[^\s",]+$/.test(value) ? value : (JSON.stringify(value) ?? "");
  return printable(text.length > longestFact ? `${text.slice(0, longestFact)}...` : text);
}

/** Escapes what other people's text could do to a terminal: control it, fake another line, or run backwards. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (found) => `\\u{${found.codePointAt(0)?.toString(16) ?? ""}}`,
  );
}
