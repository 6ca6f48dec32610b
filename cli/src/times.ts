/** Times and lengths of time among the options. */
import { instantText } from "@tapewire/contract/input.ts";
import { CliError } from "./errors.ts";

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const length = /^(\d{1,5})([mhd])$/;

/**
 * "90m", "12h", "3d" before now, or a date-time.
 * @param option its name, for what is wrong with it
 */
export function instant(given: string | undefined, option = "since", others = ""): string {
  const forms = `${others}90m, 12h, 3d or a date-time such as 2026-03-02T14:30:00Z`;
  if (given === undefined) throw new CliError(`--${option} is required: ${forms}`, 2);
  if (length.test(given)) return new Date(Date.now() - milliseconds(given)).toISOString();
  const parsed = instantText.safeParse(given);
  if (!parsed.success) throw new CliError(`--${option} '${given}' is not valid: use ${forms}`, 2);
  return parsed.data;
}

/** A place in the log: its seq, or a time as `instant` reads it. */
export function place(given: string | undefined, option: string): number | string {
  if (given !== undefined && /^\d{1,15}$/.test(given)) return Number(given);
  return instant(given, option, "a seq, ");
}

/** @throws {CliError} for what is no date-time */
export function timeOf(option: string, text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new CliError(`--${option} must be a date-time such as 2026-03-02T14:30:00Z`, 2);
  return time;
}

/**
 * @returns milliseconds
 * @throws {CliError} for what is no length of time
 */
export function lengthOf(option: string, text: string): number {
  const found = milliseconds(text);
  if (!(found > 0)) throw new CliError(`--${option} must be lengths such as 5m, 1h or 2d, not ${text}`, 2);
  return found;
}

function milliseconds(text: string): number {
  const [, count, unit = ""] = length.exec(text) ?? [];
  return Number(count) * (unitsMs[unit] ?? 0);
}
