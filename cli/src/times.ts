/** Times and lengths of time among the options. */
import { instantText } from "@tapewire/contract/input.ts";
import { z } from "zod";
import { CliError } from "./errors.ts";

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
/** As instants: a time without a zone would be another one on another machine. A date is its beginning in UTC. */
const dateTime = z
  .union([
    z.iso.date().transform((date) => `${date}T00:00:00Z`),
    z.iso.datetime({ offset: true, precision: -1 }).transform((text) => text.replace(/T\d\d:\d\d/, "$&:00")),
    z.string(),
  ])
  .pipe(instantText);
const length = /^(\d{1,5})([mhd])$/;

/**
 * "90m", "12h", "3d" before now, a date, or a date-time with its zone.
 * @param option its name, for what is wrong with it
 */
export function instant(given: string | undefined, option = "since", others = ""): string {
  const forms = `${others}90m, 12h, 3d, a date, or a date-time with its zone such as 2026-03-02T14:30:00Z`;
  if (given === undefined) throw new CliError(`--${option} is required: ${forms}`, 2);
  if (length.test(given)) return new Date(Date.now() - milliseconds(given)).toISOString();
  const parsed = dateTime.safeParse(given);
  if (!parsed.success) throw new CliError(`--${option} '${given}' is not valid: use ${forms}`, 2);
  return parsed.data;
}

/** A place in the log: its seq, or a time as `instant` reads it. */
export function place(given: string | undefined, option: string): number | string {
  if (given !== undefined && /^\d{1,15}$/.test(given)) return Number(given);
  return instant(given, option, "a seq, ");
}

/** @throws {CliError} for what is neither a date nor a date-time with its zone */
export function timeOf(option: string, text: string): Date {
  const parsed = dateTime.safeParse(text);
  if (!parsed.success)
    throw new CliError(
      `--${option} '${text}' is not valid: use a date, or a date-time with its zone such as 2026-03-02T14:30:00Z`,
      2,
    );
  return new Date(parsed.data);
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
