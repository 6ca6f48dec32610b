import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { readConfigFile } from "../../src/config/files.ts";
import { type ProviderConfig, providersFile } from "../../src/config/providers.ts";
import { type SourceConfig, sourcesFile, withReservedProviders } from "../../src/config/sources.ts";

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

test("a wrong entry_providers is refused by its name, and what it may be", () => {
  const entry = { id: "a", name: "a", provider: "a", format: "feed", url: "https://a.example/" };
  const refused = (entry_providers: unknown) =>
    sourcesFile
      .safeParse({ sources: [{ ...entry, entry_providers }] })
      .error?.issues.map(({ path, message }) => [path.join("."), message]);
  for (const wrong of ["prnewswire", [1], 1, null])
    assert.deepEqual(refused(wrong), [
      ["sources.0.entry_providers", "is neither true, false nor a list of provider ids"],
    ]);
  const [[path, message] = []] = refused(["PR Newswire"]) ?? [];
  assert.equal(path, "sources.0.entry_providers.0");
  assert.match(message ?? "", /^must be lower-case letters/);
});

test("no source that ships names a provider that is described and not its own", () => {
  const described = new Set(providers.map(({ id }) => id));
  for (const { reserved_providers, entry_providers, provider } of withReservedProviders(sources, providers)) {
    if (entry_providers !== true) continue;
    assert.deepEqual(new Set([...(reserved_providers ?? []), provider]), described);
  }
});

test("a provider that repeats is refused", () => {
  const repeated = { id: "x", name: "X", url: null, kind: "wire" };
  assert.equal(providersFile.safeParse({ providers: [repeated, repeated] }).success, false);
});
