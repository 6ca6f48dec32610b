import assert from "node:assert/strict";
import { test } from "node:test";
import { openApiDocument } from "@tapewire/contract/description/openapi.ts";
import { errorTable } from "@tapewire/contract/errors/errors.ts";
import { subscriptionFilters } from "@tapewire/contract/filter.ts";
import { planTable } from "@tapewire/contract/plans.ts";
import { routeTable } from "@tapewire/contract/routes/routes.ts";
import type { Route } from "@tapewire/contract/routes/types.ts";
import { clientFrame, closeCodes, serverFrame } from "@tapewire/contract/stream.ts";
import { Parser } from "htmlparser2";
import { readConfigFile } from "../../../src/config/files.ts";
import { referencePage } from "../../../src/http/docs/page.ts";
import { anyEngine } from "../../support/db.ts";
import { dictionary } from "../../support/dictionary.ts";
import { startService } from "../../support/service.ts";

const configFile = (name: string) => new URL(`../../../../config/${name}.json`, import.meta.url);

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

function elementsOf(page: string): Element[] {
  const found: Element[] = [];
  const parser = new Parser({ onopentag: (name, attributes) => found.push({ name, attributes }) });
  parser.end(page);
  return found;
}

const values = (elements: readonly Element[], attribute: string) =>
  elements.flatMap(({ attributes }) => attributes[attribute] ?? []);

test("the reference page and llms.txt", async (context) => {
  await using service = await startService(anyEngine, { publicUrl: "https://tape.example/" });
  const routes = Object.entries<Route>(routeTable(dictionary));
  const served = await service.get("/docs");
  const page = await served.text();
  const elements = elementsOf(page);

  await context.test(
    "/docs is there without a key, with and without a slash, and / leads to it",
    async () => {
      assert.equal(served.status, 200);
      assert.equal(served.headers.get("content-type"), "text/html; charset=utf-8");
      assert.equal(await (await service.get("/docs/")).text(), page);
      const root = await fetch(`${service.url}/`, { redirect: "manual" });
      assert.deepEqual([root.status, root.headers.get("location")], [302, "/docs"]);
      assert.equal(await (await fetch(service.url)).text(), page);
      const again = await fetch(`${service.url}/docs`, {
        headers: { "if-none-match": served.headers.get("etag") ?? "" },
      });
      assert.equal(again.status, 304);
    },
  );
  await context.test(
    "every link leads to something: an anchor of the page, or a text that is served",
    async () => {
      const ids = values(elements, "id");
      assert.equal(new Set(ids).size, ids.length, "an id is given twice");
      for (const link of new Set(values(elements, "href")))
        if (link.startsWith("#")) assert.ok(ids.includes(link.slice(1)), link);
        else assert.equal((await service.get(link)).status, 200, link);
    },
  );
  await context.test("the descriptions for programs answer below /v1, too", async () => {
    for (const path of ["/openapi.json", "/asyncapi.json"])
      assert.equal(await (await service.get(`/v1${path}`)).text(), await (await service.get(path)).text());
  });
  await context.test("every description names the address that clients use", async () => {
    for (const path of ["/openapi.json", "/asyncapi.json", "/docs", "/llms.txt"]) {
      const text = await (await service.get(path)).text();
      assert.ok(text.includes("tape.example"), path);
      assert.ok(!text.includes("tape.example//"), path);
      assert.ok(!text.includes(new URL(service.url).host), path);
    }
  });
  await context.test("leads to both descriptions for programs", () => {
    const links = new Set(values(elements, "href"));
    for (const path of ["/openapi.json", "/asyncapi.json"]) assert.ok(links.has(path), path);
  });
  await context.test("has every endpoint, error and schema", () => {
    const ids = new Set(values(elements, "id"));
    const { components } = openApiDocument(dictionary, service.url);
    for (const name of routes.map(([id]) => id)) assert.ok(ids.has(name), name);
    for (const code of Object.keys(errorTable)) assert.ok(ids.has(`error-${code}`), code);
    for (const name of Object.keys(components.schemas)) assert.ok(ids.has(`schema-${name}`), name);
  });
  await context.test("headings go down one step at a time", () => {
    const levels = elements.flatMap(({ name }) => (/^h\d$/.test(name) ? [Number(name.slice(1))] : []));
    assert.equal(levels.filter((level) => level === 1).length, 1);
    assert.equal(levels[0], 1);
    for (const [i, level] of levels.entries()) assert.ok(level <= (levels[i - 1] ?? 0) + 1, `heading ${i}`);
  });
  await context.test("loads nothing: no script, nothing remote, and a policy that forbids it", () => {
    assert.deepEqual(values(elements, "src"), []);
    assert.deepEqual(values(elements, "style"), []);
    const kinds = new Set(elements.map(({ name }) => name));
    for (const kind of ["script", "iframe", "img", "object", "form"]) assert.ok(!kinds.has(kind), kind);
    const policy = served.headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[^ ;]+'; base-uri 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  });
  await context.test("/llms.txt has every frame, filter and close code of the stream", async () => {
    const text = await (await service.get("/llms.txt")).text();
    const frames = [...clientFrame(dictionary).options, ...serverFrame.options];
    for (const { shape } of frames) {
      const [line = ""] = text.match(new RegExp(`^- ${shape.type.value}: .+$`, "m")) ?? [];
      for (const member of Object.keys(shape))
        if (member !== "type") assert.match(line, new RegExp(`\`${member}\\??\``), shape.type.value);
    }
    for (const filter of Object.keys(subscriptionFilters(dictionary).shape))
      assert.match(text, new RegExp(`^- ${filter}\\?: `, "m"));
    for (const code of Object.values(closeCodes)) assert.ok(text.includes(`| ${code} |`), String(code));
    for (const [, name = ""] of text.matchAll(/\b(Stream[A-Z]\w+|SubscriptionFilters|Latency)\b/g))
      assert.ok(text.includes(`**${name}**`), name);
  });
  await context.test(
    "/llms.txt has the form of llms.txt and names every endpoint, error and schema",
    async () => {
      const answer = await service.get("/llms.txt");
      assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
      const text = await answer.text();
      assert.match(text, /^# Tapewire API\n\n> \S/);
      const [body = "", ...linked] = text.split(/^## .+\n/m);
      assert.doesNotMatch(body.slice(2), /^#+ /m);
      assert.ok(linked.length > 0);
      for (const section of linked)
        for (const line of section.trim().split("\n")) assert.match(line, /^- \[[^\]]+\]\(https?:\S+\): /);
      for (const [, { method, path }] of routes) assert.ok(text.includes(`**${method} ${path}**`), path);
      for (const code of Object.keys(errorTable)) assert.ok(text.includes(` ${code}: `), code);
      assert.doesNotMatch(text, /undefined|\[object/);
    },
  );
});

test("text from configuration is shown as text", () => {
  const plans = readConfigFile(configFile("plans"), planTable);
  const hostile = `<script>alert(1)</script>"'&`;
  const { corp_activity: known } = dictionary.tags;
  const values = [...known.values, { value: hostile, label: "x", definition: "x" }];
  const document = openApiDocument(
    { ...dictionary, tags: { ...dictionary.tags, corp_activity: { ...known, values } } },
    "http://127.0.0.1:1",
  );
  const page = referencePage(document, plans);
  assert.ok(!page.includes("<script"));
  assert.ok(page.includes("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"));
});
