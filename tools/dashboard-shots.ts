/**
 * `node tools/dashboard-shots.ts FOLDER [WORD...]`: pictures of every screen in both themes and two widths, to be looked
 * at; with words only those whose name contains one. They are not compared by pixel: letters differ from machine to machine.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type House, openHouse } from "../dashboard/test/support/visit.ts";

const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;

/** Of companies of the demo wire (scoring/data/demo-symbols.tsv): a symbol is shown with its name. */
const told = [
  ["Orbitex Robotics raises full-year guidance after record orders", "DEMO:OBTX", "Orders rose 12%."],
  [
    "Graydelve Energy cuts its dividend and warns on margins",
    "DEMO:GRDV",
    "The board cut the dividend by half.",
  ],
  [
    "Novelara Media to be acquired by Veritarn Software for $4.1 billion in cash",
    "DEMO:NVLR",
    "A premium of 34%.",
  ],
  ["FDA places clinical hold on Halvorn Biotech's lead programme", "DEMO:HLVN", "The trial is stopped."],
  ["Marrowdale Bancorp appoints a new chief financial officer", "DEMO:MRWD", "She joins in June."],
  ["Graydelve Energy prices $500 million offering of convertible notes due 2031", "DEMO:GRDV", "Due 2031."],
] as const;

interface Made {
  readonly itemId: string;
  readonly hookId: string;
  readonly from: string;
}

async function fill({ service, webhook }: House): Promise<Made> {
  const hookId = await webhook({ url: "http://127.0.0.1:9/hook", description: "Trading desk" });
  await webhook({ url: "http://127.0.0.1:9/other", filters: { actionability: true } });
  const from = new Date(Date.now() - 1_000).toISOString();
  for (let round = 0; round < 12; round++)
    await service.push(
      ...told.map(([title, symbol, body], at) => ({
        title: round === 0 ? title : `${title} (${round})`,
        body: `${title}. ${body}`,
        external_id: `${round} ${at}`,
        symbols: [symbol],
        published_at: new Date(Date.now() - (72 - round * 6 - at) * 90_000).toISOString(),
      })),
    );
  const item = { title: told[0][0], body: "Orders rose 12%.", external_id: "revised", symbols: [told[0][1]] };
  await service.push(item);
  const [revised] = await service.push({
    ...item,
    title: `${item.title} and buyback`,
    body: "Orders rose 14%.",
  });
  return { itemId: revised?.id ?? "", hookId, from };
}

const click = (name: string) => (page: Page) =>
  page.getByRole("tab", { name, exact: true }).first().click({ timeout: 5_000 });

const press = (name: string, made: string) => async (page: Page) => {
  await page
    .getByRole("button", { name, exact: name === "Create" })
    .first()
    .click({ timeout: 5_000 });
  await page.locator(made).first().waitFor({ timeout: 20_000 });
};

async function makeKey(page: Page): Promise<void> {
  await page.getByLabel("Name").fill("Notebook");
  await press("Create", ".secret")(page);
}

type Shot = readonly [name: string, path: string, ready: string, act?: (page: Page) => Promise<unknown>];

function watching({ itemId, from }: Made): readonly Shot[] {
  return [
    ["sign-in", "", "form"],
    ["feed", "feed", ".line"],
    ["filter", "feed?filter=open&actionability=true", ".filter-panel"],
    ["range", `feed?filter=open&since=${from}`, ".filter-panel"],
    ["panel", `feed?item=${itemId}`, ".why"],
    ["code", "feed?symbol=DEMO:OBTX", ".line", (page) => page.getByRole("button", { name: "Code" }).click()],
    ["nothing", "feed?symbol=DEMO:NONE", ".feed-note, .tape-end"],
    ["palette", "feed", ".line", (page) => page.keyboard.press("/")],
    ["replay-choose", "replay", "form"],
    ["replay", `replay?from=${from}&speed=100`, ".line"],
    ["item", `item/${itemId}`, ".why"],
    ["item-versions", `item/${itemId}?show=Versions`, ".versions"],
    ["item-delivered", `item/${itemId}?show=Delivered+to`, "tbody tr"],
    ["item-json", `item/${itemId}?show=JSON`, ".code"],
    ["item-pro", `item/${itemId}?show=Flash+and+pro`, "article .button"],
    [
      "item-both",
      `item/${itemId}?show=Flash+and+pro`,
      "article .button",
      press("Score with both", ".compare"),
    ],
    ["item-explained", `item/${itemId}`, ".why", press("Explain", ".factor.total")],
    ["item-symbols", `item/${itemId}?show=Symbols`, "tbody tr"],
    ["symbols", "symbol", ".symbol-list li"],
    ["symbol", "symbol/DEMO:OBTX", ".items li"],
  ];
}

function working({ hookId }: Made): readonly Shot[] {
  return [
    ["keys", "keys", "h1"],
    ["key-new", "keys?create=1", "dialog"],
    ["key-made", "keys?create=1", "dialog", makeKey],
    ["usage", "usage", ".plot path"],
    ["webhooks", "webhooks", "tbody tr"],
    ["webhook", `webhooks/${hookId}`, "tbody tr"],
    ["webhook-delivery", `webhooks/${hookId}`, "tbody tr", press("Details", "dialog pre")],
    ["webhook-replay", `webhooks/${hookId}?tab=Replay`, "h1"],
    ["webhook-stats", `webhooks/${hookId}?tab=Stats`, ".plot"],
    ["webhook-try", `webhooks/${hookId}?tab=Try`, "h1"],
    ["webhook-settings", `webhooks/${hookId}?tab=Settings`, ".code"],
    ["webhook-new", "webhooks?create=1", "dialog[open] h3"],
    ["score", "score", "textarea"],
    ["views", "views", "h1"],
    ["account", "account", "[role=tab]"],
    ["account-you", "account", "[role=tab]", click("You")],
    ["account-sessions", "account", "[role=tab]", click("Sessions")],
    ["account-audit", "account", "[role=tab]", click("Audit")],
    ["overview", "overview", ".panel"],
    ["sources", "sources", "h1"],
    ["accounts", "accounts", "tbody tr"],
    ["keys-sheet", "keys", "h1", (page) => page.keyboard.press("?")],
  ];
}

const [folder = "", ...asked] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
await using house = await openHouse();
const made = await fill(house);
for (const [name, path, ready, act] of [...watching(made), ...working(made)]) {
  if (asked.length > 0 && !asked.some((word) => name.includes(word))) continue;
  // Opened at its width: some parts are closed where there is no room.
  for (const { width, height } of sizes) {
    await using visit = await house.visit(path, {
      width,
      height,
      ...(name === "sign-in" && { secret: null }),
    });
    const { page, troubles } = visit;
    await page
      .locator(ready)
      .first()
      .waitFor({ timeout: 10_000 })
      .catch(() => console.log(`${name}: no ${ready}`));
    await act?.(page).catch(() => console.log(`${name}: it did not come to it`));
    for (const theme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.waitForTimeout(700);
      await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`) });
    }
    console.log(name, width, ...troubles);
  }
}
