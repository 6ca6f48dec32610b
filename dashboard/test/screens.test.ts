import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { z } from "zod";
import { isFull } from "../../server/test/support/full-length.ts";
import { withoutChromium } from "./support/chromium.ts";
import { type House, openHouse } from "./support/visit.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const found = z.object({ wrong: z.array(z.string()), passed: z.number() });

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** All that a theme can change. */
const ofTheme = ["color-contrast", "link-in-text-block"];

/**
 * Rules of WCAG 2.2 AA that fail on the page, with the first element; and how many rules passed. Only that leaves the page: to
 * describe every element that passes takes half as long as to check it.
 */
async function checked(page: Page, rules: readonly string[]): Promise<z.infer<typeof found>> {
  const options = { runOnly: rules, resultTypes: ["violations"] };
  return found.parse(
    await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations, passes }) => ({
      wrong: violations.map(({ id, nodes }) => id + ": " + nodes[0].html),
      passed: passes.length,
    }))`),
  );
}

/** Buttons of tables, and what is chosen in a row of tabs or screens, that are outside of what is seen of their row. */
const cutOff = `(() => {
  const chosen = ".tabs > [aria-selected=true], .rail [aria-current=page], .stacks button";
  return [...document.querySelectorAll(chosen)].filter((one) => {
    const seen = one.closest(".tabs, .rail, .scroll-x")?.getBoundingClientRect();
    const { left, right } = one.getBoundingClientRect();
    return seen !== undefined && (left < seen.left - 1 || right > seen.right + 1);
  }).map((one) => one.textContent);
})()`;

interface Look {
  readonly theme: "dark" | "light";
  readonly width: number;
  readonly rules: readonly string[];
  readonly floor: number;
  readonly full?: boolean;
}
/**
 * Each theme and each width with all rules once, and the colours of the light theme on the wide page, which shows what the
 * narrow one hides. The dark narrow page comes with TAPEWIRE_CHAOS=full: it has no colour that the dark wide one has not.
 */
const everyLook: readonly Look[] = [
  { theme: "dark", width: 1280, rules: standards, floor: 20 },
  { theme: "light", width: 1280, rules: ofTheme, floor: 0 },
  { theme: "light", width: 390, rules: standards, floor: 20 },
  { theme: "dark", width: 390, rules: ofTheme, floor: 0, full: true },
];
const looks = everyLook.filter(({ full }) => full !== true || isFull);

// Two at a time: each has a page of its own, and only reads.
describe("every screen", { skip: withoutChromium, concurrency: 2 }, () => {
  let house: House;
  let itemId = "";
  let revisedId = "";
  let hookId = "";
  const began = new Date(Date.now() - 60_000).toISOString();
  before(async () => {
    house = await openHouse();
    const pushed = await house.service.push(
      ...Array.from({ length: 12 }, (_, at) => ({
        title: `Orbitex Robotics raises full-year guidance, item ${at}`,
        body: "Orders rose 12%. The board approved a buyback of $200 million.",
        symbols: ["DEMO:OBTX"],
      })),
    );
    itemId = pushed[0]?.id ?? "";
    const item = { external_id: "revised", symbols: ["DEMO:OBTX"] };
    await house.service.push({ ...item, title: "A first version" });
    const [revised] = await house.service.push({ ...item, title: "A second version" });
    revisedId = revised?.id ?? "";
    hookId = await house.webhook({ url: "http://127.0.0.1:9/hook", description: "Nobody listens" });
  });
  after(() => house[Symbol.asyncDispose]());

  const screens: readonly (readonly [name: string, path: () => string, ready: string])[] = [
    ["feed", () => "feed", ".line"],
    ["filter", () => "feed?filter=open&actionability=true", ".filter-panel"],
    ["item", () => `item/${itemId}`, ".why"],
    ["versions", () => `item/${revisedId}?show=Versions`, ".versions"],
    ["deliveries of an item", () => `item/${itemId}?show=Delivered+to`, "tbody tr"],
    ["range of time", () => `feed?filter=open&since=${began}`, ".line"],
    ["choice of a replay", () => "replay", "form"],
    ["replay", () => `replay?from=${began}&speed=100`, ".line"],
    ["symbols", () => "symbol", ".symbol-list li"],
    ["symbol", () => "symbol/DEMO:OBTX", ".items li"],
    ["keys", () => "keys", "h1"],
    ["usage", () => "usage", ".plot path"],
    ["webhooks", () => "webhooks", "tbody tr"],
    ["webhook", () => `webhooks/${hookId}?tab=Settings`, ".code"],
    ["new webhook", () => "webhooks?create=1", "dialog[open] h3"],
    ["score", () => "score", "textarea"],
    ["views", () => "views", "h1"],
    ["account", () => "account", "[role=tab]"],
    ["overview", () => "overview", ".panel"],
    ["sources", () => "sources", "h1"],
    ["accounts", () => "accounts", "tbody tr"],
  ];
  for (const [name, path, ready] of screens)
    test(`${name}: nothing against WCAG 2.2 AA, in both themes and both widths, and no error`, async () => {
      await using visit = await house.visit(path(), { reads: true });
      const { page, troubles } = visit;
      await page.locator(ready).first().waitFor();
      await page.evaluate(axe);
      for (const { theme, width, rules, floor } of looks) {
        await page.emulateMedia({ colorScheme: theme });
        await page.setViewportSize({ width, height: 800 });
        const { wrong, passed } = await checked(page, rules);
        assert.deepEqual(wrong, [], `${theme} ${width}`);
        assert.ok(passed > floor, `${passed} rules passed`);
        const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        assert.ok(Number(overflow) <= 0, `${theme} ${width}: ${overflow} px too wide`);
        if (width === 390) assert.deepEqual(await page.evaluate(cutOff), [], `${theme}: cut off`);
      }
      assert.deepEqual(troubles, []);
    });

  test("the arrow keys lead through a chart, and its legend tells the figures", async () => {
    await using visit = await house.visit("symbol/DEMO:OBTX");
    const chart = visit.page.getByRole("img", { name: "Items an hour" });
    const legend = chart.locator(".legend");
    await legend.getByText("Actionable").waitFor();
    await chart.focus();
    const times = [];
    for (let step = 0; step < 2; step++) {
      await chart.press("ArrowLeft");
      await legend.getByText(/Actionable \d/).waitFor();
      times.push(await legend.getByText(/Time/).textContent());
    }
    assert.notEqual(times[0], times[1]);
  });

  test("sign-in: the same", async () => {
    await using visit = await house.visit("", { secret: null });
    const { page, troubles } = visit;
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await page.evaluate(axe);
    for (const { theme, width, rules } of looks) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual((await checked(page, rules)).wrong, [], `${theme} ${width}`);
    }
    assert.deepEqual(troubles, []);
  });
});
