import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { feedList } from "@tapewire/contract/feeds.ts";
import { anyEngine } from "../../support/db.ts";
import { listenLocally } from "../../support/http.ts";
import { temporaryFolder, writeSources } from "../../support/process.ts";
import { startService } from "../../support/service.ts";

const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, "..", "..", "fixtures", "sources", name), "utf8");

/** Without the pace that the list asks for: a minute is long in a test. */
const halts = fixture("nasdaq-halts.xml").replace("<ttl>1</ttl>", "");
const resumed = halts.replace(
  /(<ndaq:IssueSymbol>HPKE[\s\S]*?)<ndaq:ResumptionDate \/>([\s\S]*?)<ndaq:ResumptionTradeTime \/>/,
  "$1<ndaq:ResumptionDate>03/02/2026</ndaq:ResumptionDate>$2<ndaq:ResumptionTradeTime>10:15:00</ndaq:ResumptionTradeTime>",
);

/** Two pages of documents, the second reached by the first. */
function registerPage(origin: string, page: string | null): string {
  const text = fixture("federal-register.json").replace(
    "https://www.federalregister.gov/api",
    `${origin}/api`,
  );
  return page === null ? text : text.replaceAll("2026-990", "2026-991").replace("next_page_url", "no_more");
}

test("halts, their resumption, documents of two pages and announcements reach the list", {
  timeout: 60_000,
}, async () => {
  let list = halts;
  await using server = await listenLocally((request, response) => {
    const url = new URL(request.url ?? "/", server.origin);
    if (url.pathname === "/halts") return response.end(list);
    if (url.pathname === "/nse") return response.end(fixture("nse-announcements.xml"));
    return response.end(registerPage(server.origin, url.searchParams.get("page")));
  });
  using folder = temporaryFolder();
  const usual = { interval_s: 1, requests_per_s: 100, language: "en" };
  const sourcesFile = writeSources(folder.path, [
    {
      ...usual,
      id: "halts",
      name: "halts",
      provider: "nasdaqtrader",
      format: "halts",
      url: `${server.origin}/halts`,
    },
    {
      ...usual,
      id: "register",
      name: "register",
      provider: "federal-register",
      format: "federal_register",
      url: `${server.origin}/api/v1/documents.json?order=newest`,
    },
    {
      ...usual,
      id: "nse",
      name: "nse",
      provider: "nse-india",
      format: "nse",
      url: `${server.origin}/nse`,
      zone: "Asia/Kolkata",
    },
  ]);
  await using service = await startService(anyEngine, { sourcesFile });
  const { key } = await service.key("enterprise");
  const items = async (aggregator: string) =>
    feedList.parse(await (await service.get(`/v1/feeds?limit=100&aggregator=${aggregator}`, key)).json())
      .data;
  const until = async <T>(read: () => Promise<T>, done: (value: T) => boolean): Promise<T> => {
    for (;;) {
      const value = await read();
      if (done(value)) return value;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  const first = await until(
    () => items("halts"),
    ({ length }) => length === 4,
  );
  const halt = first.find(({ title }) => title?.startsWith("HPKE"));
  assert.equal(halt?.title, "HPKE: trading halted (T1, news pending)");
  assert.deepEqual(
    halt?.symbols.map(({ symbol }) => symbol),
    ["NYSE:HPKE"],
  );
  assert.equal(halt?.unique_id, "halt:HPKE:2026-03-02T08:00:00:T1");

  list = resumed;
  const second = await until(
    () => items("halts"),
    (found) => found.some(({ title }) => title === "HPKE: trading resumes 10:15 ET (T1, news pending)"),
  );
  assert.equal(second.length, 4);
  const revised = second.find(({ id }) => id === halt?.id);
  assert.deepEqual([revised?.revision, revised?.published_at], [1, halt?.published_at]);

  const documents = await until(
    () => items("register"),
    ({ length }) => length === 4,
  );
  assert.ok(documents.every(({ provider_id }) => provider_id === "federal-register"));
  const announced = await until(
    () => items("nse"),
    ({ length }) => length === 4,
  );
  assert.ok(announced.some(({ symbols }) => symbols[0]?.symbol === "NSE:BRACKMILLS"));
});
