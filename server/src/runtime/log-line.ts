/** What is written of an entry that the logger has made as JSON. */
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
 * An entry of the log as a line for people: local time, level, message, facts, and an error by its message and those of
 * its causes.
 * @param json a line as the logger writes it
 * @param withStack under it the error's stack too
 */
export function logLine(json: string, { withStack }: { readonly withStack: boolean }): string {
  const entry = entryOf(json);
  if (entry === null) return `${printable(json.trimEnd())}\n`;
  const { level, time, msg, err, ...facts } = entry;
  const error = isEntry(err) ? err : null;
  const told = Object.entries(facts).map(([name, value]) => `${printable(name)} ${factText(value)}`);
  if (error !== null) told.push(`${factText(error.type ?? "Error")}: ${printable(String(error.message))}`);
  const head = `${timeText(time)} ${(levels.get(Number(level)) ?? "LOG").padEnd(5)} ${printable(String(msg ?? ""))}`;
  const line = told.length === 0 ? head : `${head}: ${told.join(", ")}`;
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

/** A text that holds a blank or a comma is quoted: else it could not be told where it ends. */
function factText(value: unknown): string {
  const text = typeof value === "string" && /^[^\s",]+$/.test(value) ? value : (JSON.stringify(value) ?? "");
  return printable(text.length > longestFact ? `${text.slice(0, longestFact)}...` : text);
}

/** Texts of others are in the log too: none may steer the terminal, or look like another line, or run backwards. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (found) => `\\u{${found.codePointAt(0)?.toString(16) ?? ""}}`,
  );
}
