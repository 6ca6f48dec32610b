import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { describe, test } from "node:test";
import { postgresUrl } from "../../server/test/support/db.ts";
import { withoutChromium } from "./support/chromium.ts";
import { openHouse } from "./support/visit.ts";

describe("backups on the overview", { skip: withoutChromium }, () => {
  test("one click writes a backup of the embedded database, and lists it", async () => {
    await using house = await openHouse({}, "pglite");
    await using visit = await house.visit("overview");
    const panel = visit.page.getByRole("region", { name: "Backups", exact: true });
    await panel.getByText("There is none.").waitFor();
    const health = visit.page.getByRole("region", { name: "Health", exact: true });
    await health.getByText("No backup is listed here.").waitFor();
    await house.service.push({ title: "Worth keeping", symbols: ["AAPL"] });
    await visit.page.reload();
    await health
      .locator(".warm")
      .getByText("There is no backup, and TAPEWIRE_BACKUP_EVERY_H makes none.")
      .waitFor();
    await health.getByText(/^In the last minute with items 99 of 100 were out /).waitFor();
    await panel.getByRole("button", { name: "Back up now" }).click();
    const path = await panel.locator("tbody td.mono").textContent();
    assert.ok(path !== null && existsSync(path), `${path}`);
    await panel.getByRole("button", { name: "Back up now" }).waitFor();
    assert.deepEqual(visit.troubles, []);
  });

  test("a refusal stands beside the button", {
    skip: postgresUrl === null && "no PostgreSQL",
  }, async () => {
    await using house = await openHouse({}, "postgres");
    await using visit = await house.visit("overview");
    const panel = visit.page.getByRole("region", { name: "Backups", exact: true });
    await panel.getByRole("button", { name: "Back up now" }).click();
    await panel.getByText(/The database is a PostgreSQL: back it up with pg_dump/).waitFor();
  });
});
