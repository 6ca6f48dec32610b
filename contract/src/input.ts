import { z } from "zod";

/** Whether the database can store the text: PostgreSQL and its JSON refuse NUL, and lone surrogates are not valid UTF-8. */
export function isStorable(text: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text);
}
export const storableRule = "must not contain control characters or lone surrogates";

/**
 * An optional member of a JSON body or frame. Typed clients send null for members they leave out, so null means absent.
 * Call `describe` on the result, not on the inner schema.
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
/** `2026-03-02T14:30:00+00:00` after form decoding of a query, which turns + into a space. */
const lostPlus = /T\S* \d\d:\d\d$/i;

/** A date-time from a caller, with any offset. In UTC its year must have four digits, as in every response. */
export const instantText = z.iso
  .datetime({
    offset: true,
    abort: true,
    error: ({ input }) => {
      if (input === undefined) return "is required";
      const isLost = typeof input === "string" && lostPlus.test(input);
      return isLost ? `${instantRule} (write + as %2B in a query)` : instantRule;
    },
  })
  .refine((text) => {
    const ms = Date.parse(text);
    return ms >= earliestMs && ms <= latestMs;
  }, "must be in the years 1 to 9999 (UTC)");

/** The digits of an instant after its milliseconds. */
const finer = (text: string) => /\.\d{3}(\d+)/.exec(text)?.[1]?.replace(/0+$/, "") ?? "";

/** Compares two instants in full precision: negative when the first is earlier. */
export function compareInstants(one: string, other: string): number {
  const [x, y] = [finer(one), finer(other)];
  return Date.parse(one) - Date.parse(other) || (x < y ? -1 : Number(x > y));
}

/**
 * The first whole millisecond at or after the instant. Stored times are whole milliseconds, so comparing them with the
 * result gives the same as comparing them with the instant.
 */
export function notBefore(text: string): Date {
  const ms = Date.parse(text) + (finer(text) === "" ? 0 : 1);
  return new Date(Math.min(ms, latestMs));
}

/** The name of a source or provider, or the id of a configured source: used in addresses, filters and files. */
export const slug = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}$/,
    "must be lower-case letters, digits, dots, dashes or underscores, at most 64 characters",
  );

/** Most values of one filter: in a list query (this keeps its SQL bounded), and in a stream or webhook filter. */
export const maxQueryValues = 50;
export const maxFilterValues = 1000;

export const lower = (text: string) => text.toLowerCase();
export const upper = (text: string) => text.toUpperCase();

type Fold = (text: string) => string;
const distinct = (values: readonly string[], fold: Fold) =>
  [...new Set(values.map((v) => fold(v.trim())))].sort();

/** The values that an axis knows, and how an error calls them. */
export interface Allowed {
  readonly values: Pick<ReadonlySet<string>, "has">;
  readonly called: string;
}

/** A comma-separated list of a query string: at least one value, none empty. */
export function commaList(fold: Fold, allowed?: Allowed) {
  const values = z
    .array(allowedValue(allowed))
    .min(1)
    .max(maxQueryValues, `at most ${maxQueryValues} values`);
  return z
    .string()
    .transform((text) => distinct(text.split(","), fold))
    .pipe(values);
}

/** A list of JSON strings. */
export function valueList(fold: Fold, allowed?: Allowed) {
  return z
    .array(z.string())
    .max(maxFilterValues, `at most ${maxFilterValues} values`)
    .transform((values) => distinct(values, fold))
    .pipe(z.array(allowedValue(allowed)));
}

function allowedValue(allowed?: Allowed) {
  const value = z
    .string()
    .min(1, "must not be empty")
    .max(200, "at most 200 characters")
    .refine(isStorable, storableRule);
  if (allowed === undefined) return value;
  const { values, called } = allowed;
  return value.refine((v) => values.has(v), {
    error: (issue) => `'${String(issue.input)}' is not ${called}`,
  });
}
