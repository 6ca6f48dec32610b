import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { feedItemDetail } from "@tapewire/contract/feeds.ts";
import type { Locator } from "playwright-core";
import { z } from "zod";
import { withoutChromium } from "./support/chromium.ts";
import { type House, openHouse } from "./support/visit.ts";

const title = "Orbitex Robotics raises full-year guidance after record orders";
const body = [
  "Orbitex Robotics (DEMO: OBTX) raised its full-year revenue guidance to $4.1 billion from $3.6 billion.",
  "The board approved a share buyback of $200 million. The company warned that supply remains tight.",
].join("\n\n");

const doubtful =
  "There is substantial doubt about the company's ability to continue as a going concern. It defaulted on its notes.";

const numberOf = (text: string) => Number(/[+−]?[\d.]+/.exec(text)?.[0].replace("−", "-"));

/** The bars of both columns against what stands above them and in their last line. */
async function addsUp(why: Locator) {
  await why.locator(".factor").first().waitFor();
  for (const [at, shown] of [".score", ".judged > :first-child"].entries()) {
    const column = why.locator(":scope > .stack").nth(at);
    const bars = (await column.locator(".factor:not(.total) .num").allTextContents()).map(numberOf);
    const verdict = numberOf((await column.locator(shown).textContent()) ?? "");
    const sum = bars.reduce((all, one) => all + one, 0);
    assert.ok(bars.length > 0 && Math.abs(sum - verdict) < 0.01, `${bars.join(" ")}: not ${verdict}`);
    assert.equal(numberOf((await column.locator(".total .num").textContent()) ?? ""), verdict);
  }
}

describe("why an item was scored so", { skip: withoutChromium }, () => {
  let house: House;
  let id = "";
  before(async () => {
    house = await openHouse();
    id = (await house.service.push({ title, body, symbols: ["DEMO:OBTX"] }))[0]?.id ?? "";
  });
  after(() => house[Symbol.asyncDispose]());

  test("the words that count are marked in title and text, exactly where the evidence says", async () => {
    const detail = feedItemDetail.parse(await (await house.service.get(`/v1/feeds/${id}`, house.key)).json());
    const quotes = detail.events.flatMap(({ evidence }) => (evidence === null ? [] : [evidence.text]));
    assert.ok(quotes.length > 0);
    await using visit = await house.visit(`item/${id}`);
    const { page, troubles } = visit;
    const text = z.object({ title: z.string(), body: z.string() });
    const stored = text.parse(await (await house.service.get(`/v1/feeds/${id}/text`, house.key)).json());
    await page.locator(".item-text p").first().waitFor();
    const shown = [
      await page.locator(".item .title").textContent(),
      ...(await page.locator(".item-text p").allTextContents()),
    ];
    assert.deepEqual(shown, [title, ...stored.body.split(/\n+/)]);
    for (const quote of quotes) {
      await page.getByRole("button", { name: quote }).first().hover();
      assert.equal((await page.locator("mark.lit").allTextContents()).join(""), quote);
    }
    assert.deepEqual(troubles, []);
  });

  test("a filing states who filed it, for which period, and the facts of its form", async () => {
    const transaction = { security: "Common stock", code: "P", shares: 1_200, price_usd: 31.5 };
    const filing = {
      form: "4",
      items: [],
      accession: "0000000000-26-000001",
      cik: null,
      filed: "2026-03-02",
      period: "2026-02-27",
      amends: null,
      parties: [{ name: "Orbitex Robotics", cik: "0000000001", role: "Issuer" }],
      details: { kind: "ownership", ticker: "OBTX", transactions: [transaction], planned_10b5_1: false },
    };
    const answer = new RegExp(`/v1/feeds/${id}$`);
    await using visit = await house.visit(`item/${id}`, {
      before: async (page) => {
        await page.route(answer, async (route) => {
          const item = z.looseObject({}).parse(await (await route.fetch()).json());
          await route.fulfill({ json: { ...item, filing } });
        });
      },
    });
    const panel = visit.page.getByRole("region", { name: "Filing 4" });
    await panel.getByText("Orbitex Robotics (Issuer)").waitFor();
    const facts = await panel.locator("dl").textContent();
    assert.match(facts ?? "", /Filed2026-03-02Period2026-02-27.*TickerOBTXPlanned by a 10b5-1 planno/);
    assert.deepEqual(await panel.locator("th").allTextContents(), [
      "Security",
      "Code",
      "Shares",
      "Price, USD",
    ]);
    assert.deepEqual(await panel.locator("td").allTextContents(), ["Common stock", "P", "1,200", "31.5"]);
  });

  test("a reason lights its words, and the words light their reason", async () => {
    await using visit = await house.visit(`item/${id}`);
    const { page } = visit;
    // Reading an item uses no score call: the reasons wait to be asked for.
    await page.getByText("Uses one score call").waitFor();
    const used = async () => {
      const me = await (await house.service.get("/v1/me", house.key)).json();
      return z.object({ usage: z.object({ score: z.number() }) }).parse(me).usage.score;
    };
    const before = await used();
    await page.keyboard.press("e");
    const reason = page.locator(".why .factor[title]:not([title=''])").first();
    await reason.waitFor();
    assert.equal(await used(), before + 1);
    await page.getByRole("heading", { name: "What leads to it, in points of 100" }).waitFor();
    await page.getByText(/The text read whole by pro: \d+ of 100|^\d+ of 100, /).waitFor();
    await reason.focus();
    const word = page.locator("mark.lit").first();
    await word.waitFor();
    await page.locator("h2", { hasText: "Events" }).hover();
    await page.locator("mark").first().hover();
    await page.locator(".factor.lit").first().waitFor();
  });

  test("the bars of a waterfall add up to the score and the direction that stand above them", async () => {
    await using visit = await house.visit(`item/${id}`);
    const { page } = visit;
    await page.getByText("Uses one score call").waitFor();
    await page.keyboard.press("e");
    await addsUp(page.locator(".why"));
    await page.goto(`${house.service.url}/app/score`);
    for (const [model, title] of [
      ["flash", "Halvorn Energy to hold its annual meeting"],
      ["pro", "Halvorn Energy shoppers stay away as discounters gain"],
      ["pro", "Halvorn Energy raises outlook"],
    ] as const) {
      await page.getByLabel("Title").fill(title);
      await page.getByRole("textbox", { name: "Text" }).fill(doubtful);
      await page.getByLabel("Model").selectOption(model);
      await page.getByRole("button", { name: "Score", exact: true }).click();
      const verdict = page.getByRole("region", { name: "Verdict" });
      await verdict.locator("p.strong", { hasText: title }).waitFor();
      await addsUp(verdict.locator(".why"));
    }
  });

  test("an item that another version scored has the difference as a bar", async () => {
    await using visit = await house.visit(`item/${id}`, {
      before: async (page) => {
        await page.route(new RegExp(`/v1/feeds/${id}$`), async (route) => {
          const item = feedItemDetail.parse(await (await route.fetch()).json());
          const scoring = { ...item.scoring, actionability_score: 3, sentiment_short: -4 };
          await route.fulfill({ json: { ...item, scoring } });
        });
      },
    });
    await visit.page.getByText("Uses one score call").waitFor();
    await visit.page.keyboard.press("e");
    await addsUp(visit.page.locator(".why"));
    assert.equal(await visit.page.getByText("Scored by another version").count(), 2);
  });

  test("flash and pro stand side by side, with what differs marked", async () => {
    await using visit = await house.visit(`item/${id}`);
    const { page } = visit;
    await page.getByRole("tab", { name: "Flash and pro" }).click();
    await page.getByRole("button", { name: "Score with both" }).click();
    await page.getByRole("columnheader", { name: "pro" }).waitFor();
    assert.match((await page.locator(".compare tbody tr").first().textContent()) ?? "", /flash .*pro /);
  });

  test("the text of a recent item is taken by keyboard and scored as the item was", async () => {
    await using visit = await house.visit("score");
    const { page, troubles } = visit;
    const choice = page.getByLabel("Text to score");
    await choice.getByRole("option", { name: title }).waitFor({ state: "attached" });
    await choice.press("O");
    await page.locator("textarea:valid").waitFor();
    assert.equal(await page.getByLabel("Title").inputValue(), title);
    assert.equal(await page.getByLabel("Text", { exact: true }).inputValue(), body.replace(/\s+/g, " "));
    assert.equal(await page.getByLabel("Type").inputValue(), "news");
    await page.getByRole("button", { name: "Score", exact: true }).press("Enter");
    const verdict = page.getByRole("region", { name: "Verdict" });
    await verdict.locator(".score").waitFor();
    const detail = feedItemDetail.parse(await (await house.service.get(`/v1/feeds/${id}`, house.key)).json());
    assert.equal(await verdict.locator(".score").textContent(), String(detail.scoring.actionability_score));
    assert.deepEqual(troubles, []);
  });

  test("what a filter would have matched is what it matches", async () => {
    await house.service.push(
      ...Array.from({ length: 7 }, (_, at) => ({ title: `Halvorn item ${at}`, symbols: ["DEMO:HLVN"] })),
    );
    await using visit = await house.visit("feed?filter=open&symbol=DEMO:HLVN");
    await visit.page.getByText(/^Matches 7 of \d+ items \(.+ %\) in the last 24 hours$/).waitFor();
    assert.equal(await visit.page.getByRole("button", { name: "Save view" }).count(), 1);
    // The count and the newest of the items are two answers.
    const found = visit.page.locator(".found li");
    await found.first().waitFor();
    assert.equal(await found.count(), 5);
  });

  test("a filter's code runs as it stands and finds what the page shows", async () => {
    await house.service.push({ title: "O'Brien & Sons raises guidance", symbols: ["DEMO:KSTL"] });
    await using visit = await house.visit("feed?symbol=DEMO:KSTL&story_copies=false");
    const { page } = visit;
    await page.getByText("O'Brien & Sons raises guidance", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Code", exact: true }).click();
    const run = async (tab: string) => {
      await page.getByRole("tab", { name: tab, exact: true }).click();
      const text = (await page.locator("dialog pre").textContent()) ?? "";
      assert.doesNotMatch(text, /tw_/, "a key is written into code");
      const env = { ...process.env, TAPEWIRE_KEY: house.key };
      return (
        await promisify(execFile)("bash", ["-c", text.replace("curl ", "curl -s ")], { env, timeout: 20_000 })
      ).stdout;
    };
    const titles = z.object({ data: z.array(z.object({ title: z.string() })) });
    assert.deepEqual(
      titles.parse(JSON.parse(await run("curl"))).data.map((item) => item.title),
      ["O'Brien & Sons raises guidance"],
    );
    const hook = z.object({ filters: z.record(z.string(), z.unknown()) });
    assert.deepEqual(hook.parse(JSON.parse(await run("Webhook"))).filters, {
      symbols: ["DEMO:KSTL"],
      story_copies: false,
    });
  });
});
