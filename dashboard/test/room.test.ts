import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { withoutChromium } from "./support/chromium.ts";
import { openHouse } from "./support/visit.ts";

describe("the database on the overview", { skip: withoutChromium }, () => {
  for (const [keepMonths, told] of [
    [0, /^Everything is kept; TAPEWIRE_KEEP_MONTHS sets how many months are\./],
    [6, /^Items are kept from 20\d\d-\d\d-01 on\./],
  ] as const)
    test(`tells what is kept and how much room is left: ${keepMonths} months`, async () => {
      await using house = await openHouse({ keepMonths });
      await using visit = await house.visit("overview");
      const panel = visit.page.getByRole("region", { name: "Database", exact: true });
      await panel.getByText(told).waitFor();
      const health = visit.page.getByRole("region", { name: "Health", exact: true });
      await health.getByText(/^The disk of the data directory has [\d.,]+ [kMGT]?B left\.$/).waitFor();
      assert.deepEqual(visit.troubles, []);
    });
});
