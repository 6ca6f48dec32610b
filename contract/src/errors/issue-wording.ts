import { z } from "zod";

/**
 * Says what is wrong with a value. Callers read it after the field's name and a colon. A rule with a message of its own
 * keeps that message. Returns undefined where zod's message is used.
 */
export function issueText(issue: z.core.$ZodRawIssue): string | undefined {
  const isAbsent = issue.input === undefined;
  switch (issue.code) {
    case "invalid_type":
      return isAbsent ? "is required" : `must be ${typeWords(issue.expected, issue.inst)}`;
    case "invalid_value":
      return isAbsent ? "is required" : oneOf(issue.values);
    case "invalid_format":
      if (issue.format === "regex") return `must match ${issue.pattern}`;
      return `must be ${formatWords[issue.format] ?? `a valid ${issue.format}`}`;
    case "too_small":
      return sizeText(
        issue.origin,
        issue.minimum,
        issue.exact ? "" : issue.inclusive ? "at least " : "above ",
      );
    case "too_big":
      return sizeText(
        issue.origin,
        issue.maximum,
        issue.exact ? "" : issue.inclusive ? "at most " : "below ",
      );
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `unknown member ${issue.keys.join(", ")}`;
    case "invalid_union":
      if (Array.isArray(issue.options)) return oneOf(issue.options);
      return isAbsent ? "is required" : alternatives(issue.errors);
    case "custom":
      return "is not valid";
    default:
      return undefined;
  }
}

// Set once for all schemas, so that the same mistake gets the same message everywhere.
z.config({ customError: issueText });

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

const formatWords: Readonly<Record<string, string>> = {
  uuid: "a uuid",
  guid: "a uuid",
  url: "an absolute URL",
  email: "an e-mail address",
  datetime: "an RFC 3339 date-time",
};

function typeWords(expected: string, schema: unknown): string {
  const name = typeNames[expected] ?? expected;
  if (!(schema instanceof z.ZodNumber)) return name;
  const { minValue: least, maxValue: most } = schema;
  const range = isBound(least) && isBound(most) ? ` from ${least} to ${most}` : "";
  return `${schema.isInt ? typeNames.int : name}${range}`;
}

/** The limits of JSON numbers are not worth reporting. */
const isBound = (value: number | null) => value !== null && Math.abs(value) < Number.MAX_SAFE_INTEGER;

function sizeText(origin: string, bound: number | bigint, relation: string): string {
  if (origin === "number" || origin === "int" || origin === "bigint") return `must be ${relation}${bound}`;
  const unit = origin === "string" ? "character" : "value";
  if (relation === "at least " && Number(bound) === 1) return "must not be empty";
  return `must have ${relation}${bound} ${unit}${Number(bound) === 1 ? "" : "s"}`;
}

function oneOf(values: readonly unknown[]): string {
  return `must be ${values.length === 1 ? "" : "one of "}${values.map(String).join(", ")}`;
}

/** For a value that matches none of several schemas: what each schema expects. */
function alternatives(branches: readonly (readonly z.core.$ZodIssue[])[]): string {
  const texts = new Set(branches.flatMap(([first]) => first?.message ?? []));
  const [first = "is not valid", ...others] = texts;
  return [first, ...others.map((text) => text.replace(/^must be /, ""))].join(" or ");
}
