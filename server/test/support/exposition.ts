import assert from "node:assert/strict";

export interface Family {
  readonly type: string;
  /** By labels as they stand in the text; without `le`. */
  readonly samples: Map<string, number>;
  readonly labels: Set<string>;
}

const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,|$)/y;

/**
 * The metrics of an answer, strictly by Prometheus' text format 0.0.4 and its conventions: HELP and TYPE before the
 * samples of each family, no family or series twice, counters end in `_total`, buckets add up.
 * @returns by name; a histogram has its samples as `_sum`, `_count` and `_bucket`
 */
export function parseExposition(text: string): Map<string, Family> {
  assert.ok(text.endsWith("\n"), "the last line ends");
  const families = new Map<string, Family>();
  let current: (Family & { name: string }) | null = null;
  let helped: string | null = null;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const [, keyword, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword === "HELP") {
      assert.ok(!families.has(name), `${name} comes twice`);
      helped = name;
    } else if (keyword === "TYPE") {
      assert.equal(helped, name, "TYPE follows HELP");
      assert.match(rest, /^(counter|gauge|histogram)$/);
      assert.equal(rest === "counter", name.endsWith("_total"), `${name}: a ${rest}`);
      current = { name, type: rest, samples: new Map(), labels: new Set() };
      families.set(name, current);
    } else {
      assert.ok(current !== null, `a sample without its family: ${line}`);
      addSample(current, line);
    }
  }
  for (const [name, family] of families) if (family.type === "histogram") checkBuckets(name, family);
  return families;
}

function addSample(family: Family & { name: string }, line: string): void {
  const [, name = "", labels = "", value = ""] = sampleLine.exec(line) ?? [];
  assert.notEqual(name, "", `no sample: ${line}`);
  const names = family.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
  assert.ok(
    names.some((suffix) => name === family.name + suffix),
    `${name} in ${family.name}`,
  );
  for (const one of labelsOf(labels)) if (one !== "le") family.labels.add(one);
  const key = `${name}{${labels}}`;
  assert.ok(!family.samples.has(key), `${key} comes twice`);
  const number = Number(value.replace("Inf", "Infinity"));
  if (family.type !== "gauge") assert.ok(number >= 0, `${key} is ${value}`);
  family.samples.set(key, number);
}

function labelsOf(text: string): string[] {
  const names: string[] = [];
  label.lastIndex = 0;
  while (label.lastIndex < text.length) {
    const at = label.lastIndex;
    const [, name] = label.exec(text) ?? [];
    assert.ok(name !== undefined && !names.includes(name), `labels at ${at} of ${text}`);
    names.push(name);
  }
  return names;
}

/** Of each series the buckets rise, and the last is the count. */
function checkBuckets(name: string, { samples }: Family): void {
  const last = new Map<string, { bound: number; count: number }>();
  for (const [key, count] of samples) {
    if (!key.startsWith(`${name}_bucket`)) continue;
    const bound = Number((/le="([^"]+)"/.exec(key)?.[1] ?? "").replace("Inf", "Infinity"));
    const series = key.replace(/le="[^"]+",?/, "").slice(`${name}_bucket`.length);
    const before = last.get(series) ?? { bound: Number.NEGATIVE_INFINITY, count: 0 };
    assert.ok(bound > before.bound && count >= before.count, `${key} behind ${JSON.stringify(before)}`);
    last.set(series, { bound, count });
  }
  for (const [series, { bound, count }] of last) {
    assert.equal(bound, Number.POSITIVE_INFINITY, `${name}${series}`);
    assert.equal(samples.get(`${name}_count${series}`), count, `${name}${series}`);
    assert.ok(samples.has(`${name}_sum${series}`), `${name}${series}`);
  }
}
