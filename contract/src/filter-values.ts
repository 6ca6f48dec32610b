import { z } from "zod";
import { isStorable, storableRule } from "./input.ts";

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
  readonly values: ReadonlySet<string>;
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
