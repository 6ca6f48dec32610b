import { z } from "zod";
import type { JsonSchema } from "./description.ts";
import type { Random } from "./random.ts";

/** The parts of JSON Schema that the published description uses. */
const shape = z.looseObject({
  $ref: z.string().optional(),
  anyOf: z.array(z.record(z.string(), z.unknown())).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
  items: z.record(z.string(), z.unknown()).optional(),
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  required: z.array(z.string()).optional(),
});

const words = [
  "a",
  "AAPL",
  "NASDAQ:AAPL",
  "earnings",
  "stock",
  "DE",
  "US,GB",
  "prices",
  "x y",
  "été",
  "日本",
] as const;
const times = [
  "2026-03-02T14:30:00Z",
  "2026-03-02T14:30:00.125+05:30",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
] as const;

/** Texts that are known to break servers. */
export const hostileTexts = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\u202e",
  "\ufeff",
  "\u001b[31m",
  "🦉",
  "İ",
  "ß",
  "'",
  "' or 1=1--",
  '"; drop table items; --',
  "%",
  "%00",
  "%s%n",
  "{{7*7}}",
  "../../etc/passwd",
  "\\",
  "\r\nX-Injected: 1",
  "<script>",
  ",",
  ",,",
  "a,",
  ":",
  "null",
  "undefined",
  "NaN",
  "Infinity",
  "-0",
  "0",
  "-1",
  "1.5",
  "1e3",
  "0x10",
  "2147483648",
  "9223372036854775808",
  "99999999999999999999999999",
  "true",
  "[]",
  "{}",
  "__proto__",
  "constructor",
  "2026-02-30T00:00:00Z",
  "-000001-01-01T00:00:00Z",
  "+275760-09-13T00:00:00Z",
  "2026-03-02T14:30:00+99:99",
  "x".repeat(300),
  "é".repeat(1_500),
  "1,".repeat(60),
] as const;

const hostileNumbers = [
  0,
  -0,
  -1,
  1.5,
  1e21,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  Number.MAX_SAFE_INTEGER,
] as const;

/** Makes values that a schema allows, and invalid values. */
export class Values {
  readonly #schemas: Readonly<Record<string, JsonSchema>>;
  readonly #random: Random;

  constructor(schemas: Readonly<Record<string, JsonSchema>>, random: Random) {
    this.#schemas = schemas;
    this.#random = random;
  }

  /** A value that is valid by type, bounds and enumeration of the schema. */
  valid(schema: JsonSchema, depth = 0): unknown {
    const random = this.#random;
    const one = shape.parse(schema);
    if (one.$ref !== undefined)
      return this.valid(this.#schemas[one.$ref.split("/").at(-1) ?? ""] ?? {}, depth);
    if (one.const !== undefined) return one.const;
    if (one.enum !== undefined) return random.pick(one.enum);
    if (one.anyOf !== undefined) return this.valid(random.pick(one.anyOf), depth);
    const type = Array.isArray(one.type) ? random.pick(one.type) : one.type;
    if (type === "object" || one.properties !== undefined) return this.#object(one, depth);
    if (type === "array") {
      const most = depth > 4 ? 0 : Math.min(one.maxItems ?? 4, 4);
      return Array.from({ length: random.int(0, most) }, () => this.valid(one.items ?? {}, depth + 1));
    }
    if (type === "integer" || type === "number") return this.#number(one);
    if (type === "boolean") return random.chance(0.5);
    if (type === "null") return null;
    if (type === "string") return this.#text(one);
    return random.pick([null, true, 7, "x", [], {}]);
  }

  /** A value of another kind than expected. */
  hostile(depth = 0): unknown {
    const random = this.#random;
    const kind = random.int(0, 6);
    if (kind <= 2) return random.pick(hostileTexts);
    if (kind === 3) return random.pick(hostileNumbers);
    if (kind === 4) return random.pick([null, true, false]);
    if (depth > 2) return [];
    if (kind === 5) return Array.from({ length: random.int(0, 3) }, () => this.hostile(depth + 1));
    return { [random.pick(hostileTexts)]: this.hostile(depth + 1) };
  }

  /** The value with one error at any depth: a part replaced, left out, or with an extra member. */
  broken(value: unknown): unknown {
    const random = this.#random;
    if (Array.isArray(value) && value.length > 0 && random.chance(0.7)) {
      const at = random.int(0, value.length - 1);
      return value.map((one: unknown, index) => (index === at ? this.broken(one) : one));
    }
    const members = z.record(z.string(), z.unknown()).safeParse(value);
    if (!members.success || Array.isArray(value) || random.chance(0.15)) return this.hostile();
    const names = Object.keys(members.data);
    if (names.length === 0 || random.chance(0.15))
      return { ...members.data, [random.pick(hostileTexts)]: this.hostile() };
    const name = random.pick(names);
    const { [name]: chosen, ...rest } = members.data;
    return random.chance(0.2) ? rest : { ...rest, [name]: this.broken(chosen) };
  }

  #object(one: z.infer<typeof shape>, depth: number): Record<string, unknown> {
    const required = new Set(one.required);
    const chosen = Object.entries(one.properties ?? {}).filter(
      ([name]) => required.has(name) || (depth < 5 && this.#random.chance(0.4)),
    );
    return Object.fromEntries(chosen.map(([name, schema]) => [name, this.valid(schema, depth + 1)]));
  }

  /** Prefers the bounds to values between them. */
  #number({ type, minimum = 0, maximum = minimum + 100 }: z.infer<typeof shape>): number {
    const random = this.#random;
    const low = Math.max(minimum, -1e6);
    const high = Math.min(maximum, 1e6);
    const drawn = random.pick([low, high, random.int(low, high)]);
    return type === "number" && random.chance(0.3) ? drawn + random.next() : drawn;
  }

  #text({ format, minLength = 0, maxLength = 200 }: z.infer<typeof shape>): string {
    const random = this.#random;
    if (format === "uuid") return random.uuid();
    if (format === "date-time") return random.pick(times);
    // The name never resolves, so nothing is ever sent there (RFC 2606).
    if (format === "uri") return `https://fuzz-${random.int(0, 9)}.invalid/${random.int(0, 9)}`;
    const word = random.pick(words);
    if (random.chance(0.1)) return "x".repeat(Math.min(random.pick([minLength, maxLength]), 5_000));
    return word.slice(0, maxLength).padEnd(minLength, "x");
  }
}
