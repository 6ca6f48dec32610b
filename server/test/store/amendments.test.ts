import assert from "node:assert/strict";
import { originalSought } from "../../src/ingest/sources/edgar/forms.ts";
import { ItemWriter } from "../../src/store/append/item-writer.ts";
import { itemsAfter } from "../../src/store/log/item-reads.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { onBothEngines, testDb } from "../support/db.ts";
import { type Facts, newItem } from "../support/items.ts";

onBothEngines("an amendment names the filing that it amends", async (_, engine) => {
  await using db = await testDb(engine);
  const writer = new ItemWriter(db, new Partitions());
  const say = (...facts: Facts[]) => writer.append([{ items: facts.map(newItem), sourceId: "edgar" }]);
  interface Stated {
    period?: string;
    by?: string;
    filed?: string;
    cik?: string;
    amends?: string;
    firstFiled?: string;
  }
  const accession = (n: number) => `0009999999-26-0000${n}`;
  const filing = (n: number, form: string, more: Stated = {}): Facts => {
    const { period = null, filed = null, cik = "0009999999", amends = null, by, firstFiled = null } = more;
    const parties =
      by === undefined ? [] : [{ name: by, cik: by, role: form[0] === "S" ? "Filed by" : "Reporting" }];
    return {
      uniqueId: `sec:${n}`,
      publishedAt: `2026-03-02T12:00:${n}.000Z`,
      contentKey: "filing",
      filing: {
        form,
        accession: accession(n),
        items: [],
        cik,
        filed,
        period,
        amends,
        parties,
        details: null,
      },
      original: originalSought(form, parties, firstFiled),
    };
  };
  await say(
    filing(11, "10-Q", { period: "2025-12-31" }),
    filing(12, "10-Q"),
    filing(13, "4", { by: "jane", period: "2026-02-26", filed: "2026-02-27" }),
    filing(14, "4", { by: "jane", period: "2026-02-27", filed: "2026-02-28" }),
    filing(15, "4", { by: "john", period: "2026-02-26", filed: "2026-02-27" }),
    filing(16, "SC 13D", { by: "fund" }),
    filing(17, "SC 13D", { by: "bank", period: "2026-01-15" }),
    filing(18, "DEF 14A"),
  );
  await say({ ...filing(12, "10-Q", { period: "2025-09-30" }), completes: true, body: "Its text." });
  const amendments: readonly (readonly [form: string, stated: Stated, original: number | null])[] = [
    ["10-Q/A", { period: "2025-12-31" }, 11],
    ["10-Q/A", { period: "2025-09-30" }, 12],
    ["10-Q/A", {}, null],
    ["10-Q/A", { period: "2025-12-31", cik: "0009999998" }, null],
    ["10-Q/A", { period: "2025-12-31", amends: accession(99) }, 99],
    ["8-K/A", { period: "2025-12-31" }, null],
    ["4/A", { by: "jane", period: "2026-02-26" }, 13],
    ["4/A", { by: "jane", period: "2026-02-25", firstFiled: "2026-02-28" }, 14],
    ["4/A", { by: "jane" }, null],
    ["4/A", { period: "2026-02-26" }, null],
    ["4/A", { by: "joan", period: "2026-02-26" }, null],
    ["SCHEDULE 13D/A", { by: "fund", period: "2026-02-20" }, 16],
    ["SCHEDULE 13D/A", { by: "bank", period: "2026-02-20" }, 17],
    ["DEF 14A/A", {}, 18],
  ];
  await say(...amendments.map(([form, stated], n) => filing(20 + n, form, stated)));
  const log = await itemsAfter(db.main, 9, 20);
  assert.deepEqual(
    log.map(({ item }) => item.filing?.amends ?? null),
    amendments.map(([, , original]) => (original === null ? null : accession(original))),
  );
});
