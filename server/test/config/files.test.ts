import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { readConfigFile } from "../../src/config/files.ts";
import { type ProviderConfig, providersFile } from "../../src/config/providers.ts";
import { type SourceConfig, sourcesFile } from "../../src/config/sources.ts";

const folder = join(import.meta.dirname, "..", "..", "..", "config");
const { sources } = readConfigFile(join(folder, "sources.json"), sourcesFile);
const { providers } = readConfigFile(join(folder, "providers.json"), providersFile);
const kindOf = (source: SourceConfig): ProviderConfig["kind"] | undefined =>
  providers.find(({ id }) => id === source.provider)?.kind;

test("every source's provider is described, and so are those of demo and pushed items", () => {
  const known = new Set(providers.map(({ id }) => id));
  const wanted = ["demo-wire", "push", ...sources.map(({ provider }) => provider)];
  assert.deepEqual(
    wanted.filter((id) => !known.has(id)),
    [],
  );
});

test("no address is polled twice", () => {
  const addresses = sources.map(({ url }) => url);
  assert.equal(new Set(addresses).size, addresses.length);
});

test("every zone is one that dates can be read in", () => {
  for (const { id, zone } of sources)
    assert.doesNotThrow(() => new Intl.DateTimeFormat("en", { timeZone: zone }), `${id}: ${zone}`);
});

test("media are off and keep headlines only; official sources are on, save openFDA's, which is for reference", () => {
  for (const source of sources) {
    const kind = kindOf(source);
    if (kind === "media") assert.ok(!source.enabled && source.headline_only, source.id);
    if (kind === "official")
      assert.deepEqual(
        [source.enabled, source.headline_only],
        [source.format !== "openfda", false],
        source.id,
      );
  }
});

test("pages are read of U.S. federal sources only, whose works are in the public domain", () => {
  const read = sources.filter(({ articles }) => articles);
  assert.ok(read.length > 0);
  for (const { id, url } of read) assert.match(new URL(url).hostname, /\.gov$/, id);
});

test("one EDGAR source lists all forms and owners", () => {
  const edgar = sources.filter(({ format }) => format === "edgar");
  assert.equal(edgar.length, 1);
  const query = new URL(edgar[0]?.url ?? "").searchParams;
  assert.deepEqual([query.get("type"), query.get("owner"), query.get("count")], ["", "include", "100"]);
});

test("a provider that repeats is refused", () => {
  const repeated = { id: "x", name: "X", url: null, kind: "wire" };
  assert.equal(providersFile.safeParse({ providers: [repeated, repeated] }).success, false);
});
