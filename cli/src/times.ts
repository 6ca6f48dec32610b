/** Times and lengths of time among the options. */
import { instantText } from "@tapewire/contract/input.ts";
import { CliError } from "./errors.ts";

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const length = /^(\d{1,5})([mhd])$/;

/** "90m", "12h", "3d" before now, or a date-time. */
export function instant(since: string | undefined): string {
  if (since === undefined)
    throw new CliError("--since is required: 90m, 12h, 3d or a date-time such as 2026-03-02T14:30:00Z", 2);
  if (length.test(since)) return new Date(Date.now() - milliseconds(since)).toISOString();
  const parsed = instantText.safeParse(since);
  if (!parsed.success)
    throw new CliError(
      `--since '${since}' is not valid: use 90m, 12h, 3d or a date-time such as 2026-03-02T14:30:00Z`,
      2,
    );
  return parsed.data;
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
