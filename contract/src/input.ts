import { z } from "zod";

/** Text that is kept as given: neither PostgreSQL nor its JSON takes NUL, and lone surrogates are no UTF-8. */
export function isStorable(text: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text);
}
export const storableRule = "must have no control characters or lone surrogates";

/**
 * An optional member of a JSON body or frame: typed clients write null for what they leave out, so null means absent.
 * Describe the result, not the schema within.
 */
export function absentIfNull<Schema extends z.ZodType>(schema: Schema) {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
}

const earliestMs = Date.parse("0001-01-01T00:00:00.000Z");
const latestMs = Date.parse("9999-12-31T23:59:59.999Z");

const instantRule = "must be an RFC 3339 date-time such as 2026-03-02T14:30:00Z";
/** What a query makes of `2026-03-02T14:30:00+00:00`. */
const lostPlus = /T\S* \d\d:\d\d$/i;

/** A date-time of a caller, in any offset; in UTC its year has four digits, as in every answer. */
export const instantText = z.iso
  .datetime({
    offset: true,
    abort: true,
    error: ({ input }) => {
      if (input === undefined) return "is required";
      const isLost = typeof input === "string" && lostPlus.test(input);
      return isLost ? `${instantRule} (a + in a query is written %2B)` : instantRule;
    },
  })
  .refine((text) => {
    const ms = Date.parse(text);
    return ms >= earliestMs && ms <= latestMs;
  }, "must be in the years 1 to 9999 of UTC");

/** What an instant has beyond its milliseconds, as digits. */
const finer = (text: string) => /\.\d{3}(\d+)/.exec(text)?.[1]?.replace(/0+$/, "") ?? "";

/** Orders two instants by all digits they are given with: negative when the first is earlier. */
export function compareInstants(one: string, other: string): number {
  const [x, y] = [finer(one), finer(other)];
  return Date.parse(one) - Date.parse(other) || (x < y ? -1 : Number(x > y));
}

/**
 * The first whole millisecond that is not before the instant. Stored times are whole milliseconds: for them "at or
 * after the instant" and "before the instant" mean the same of this one.
 */
export function notBefore(text: string): Date {
  const ms = Date.parse(text) + (finer(text) === "" ? 0 : 1);
  return new Date(Math.min(ms, latestMs));
}

/** A name that stands in addresses, filters and files: of a source, a provider, a configured channel. */
export const slug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "lower-case letters, digits, dot, dash and underscore, at most 64");
