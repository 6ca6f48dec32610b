import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { readConfigFile } from "../../src/config/files.ts";
import { type ProviderConfig, providersFile } from "../../src/config/providers.ts";
import { type SourceConfig, showsText, sourcesFile } from "../../src/config/sources.ts";

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

test("texts of official sources are shown, those of wires, exchanges and media are not", () => {
  for (const source of sources) assert.equal(source.show_text, kindOf(source) === "official", source.id);
});

test("a text is shown when its entry, and every entry of its name, allows it; a removed entry does not", () => {
  const entry = (id: string, name: string, show_text: boolean) => ({ id, name, show_text });
  const known = [entry("a", "one", true), entry("b", "one", true), entry("c", "two", false)];
  for (const [sourceId, name, shows] of [
    ["a", "one", true],
    ["c", "two", false],
    [null, "anything", true],
    [null, "two", false],
    ["gone", "gone", false],
    ["a", "two", false],
  ] as const)
    assert.equal(showsText(known, { sourceId, name }), shows, `${sourceId} ${name}`);
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
  for (const wrong of [true, false, "prnewswire", 1, null])
    assert.deepEqual(refused(wrong), [["sources.0.entry_providers", "is no list of provider ids"]]);
  assert.equal(refused([1])?.[0]?.[0], "sources.0.entry_providers.0");
  const [[path, message] = []] = refused(["PR Newswire"]) ?? [];
  assert.equal(path, "sources.0.entry_providers.0");
  assert.match(message ?? "", /^must be lower-case letters/);
});

test("a source that keeps headlines only reads no articles for their text", () => {
  const entry = {
    id: "a",
    name: "a",
    provider: "a",
    format: "feed",
    url: "https://a.example/",
    articles: true,
  };
  const { sources } = sourcesFile.parse({ sources: [entry, { ...entry, id: "b", headline_only: true }] });
  assert.deepEqual(
    sources.map(({ articles }) => articles),
    [true, false],
  );
});

test("the sources that ship let their entries name media of providers.json only", () => {
  const media = new Set(providers.filter(({ kind }) => kind === "media").map(({ id }) => id));
  const named = sources.flatMap(({ entry_providers }) => entry_providers);
  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter((id) => !media.has(id)),
    [],
  );
});

test("a provider that repeats is refused", () => {
  const repeated = { id: "x", name: "X", url: null, kind: "wire" };
  assert.equal(providersFile.safeParse({ providers: [repeated, repeated] }).success, false);
});
