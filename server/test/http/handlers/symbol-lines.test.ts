import assert from "node:assert/strict";
import { symbolDetail } from "@tapewire/contract/reference.ts";
import { onAnyEngine } from "../../support/db.ts";
import { startService } from "../../support/service.ts";
import { Reader, seed } from "./reference/reader.ts";

onAnyEngine("lines of a symbol", async (context, engine) => {
  await using service = await startService(engine);
  const { key } = await service.key("pro");
  const reader = new Reader(service, key);
  await seed(service);
  const linesOf = async (asked: string) =>
    (await reader.read(`/v1/symbols/${encodeURIComponent(asked)}`, symbolDetail)).lines;
  const shown = async (asked: string) =>
    (await linesOf(asked)).map(({ symbol, feed_count }) => `${symbol} ${feed_count}`);

  await context.test("those of the table and those that items name, with most items first", async () => {
    assert.deepEqual(await shown("bhp"), ["ASX:BHP 1", "NYSE:BHP 1", "LSE:BHP 0"]);
    assert.deepEqual(await shown("ZZQXJ"), ["BAR:ZZQXJ 2", "FOO:ZZQXJ 1"]);
    const [main] = await linesOf("AAPL");
    assert.deepEqual(main, { symbol: "NASDAQ:AAPL", exchange: "NASDAQ", name: "Apple Inc.", feed_count: 2 });
  });

  await context.test("are the same for a ticker and for each of its lines", async () => {
    for (const line of ["ASX:BHP", "NYSE:BHP", "lse:bhp"])
      assert.deepEqual(await linesOf(line), await linesOf("BHP"));
  });

  await context.test("counts are those of the items that the list finds by the line", async () => {
    for (const asked of ["AAPL", "OBTX", "ZZQXJ", "BRK.B", "NVA/W", "TWTR"]) {
      const lines = await linesOf(asked);
      assert.ok(lines.length > 0, asked);
      for (const { symbol, exchange, feed_count } of lines) {
        assert.equal(symbol, `${exchange}:${asked}`);
        assert.equal(feed_count, await reader.found(`symbol=${encodeURIComponent(symbol)}`), symbol);
      }
    }
  });

  await context.test("a ticker that items name without an exchange has none", async () => {
    assert.deepEqual(await shown("QXJZW"), []);
  });
});
