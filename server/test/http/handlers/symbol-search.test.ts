import assert from "node:assert/strict";
import { test } from "node:test";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { symbolDetail, symbolEntry, symbolList } from "@tapewire/contract/reference.ts";
import { anyEngine } from "../../support/db.ts";
import { startService } from "../../support/service.ts";

test("GET /v1/symbols?q= searches the symbol table", async (context) => {
  await using service = await startService(anyEngine);
  const { key } = await service.key("free");
  const list = async (query: string) => {
    const response = await service.get(`/v1/symbols?${query}`, key);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return symbolList.strict().parse(JSON.parse(text)).data;
  };
  const tickers = async (query: string) => (await list(query)).map(({ short_symbol }) => short_symbol);

  await context.test("by ticker and by name, the ticker itself first, at most 20", async () => {
    assert.equal((await tickers("q=aapl"))[0], "AAPL");
    assert.equal((await tickers("q=apple+inc"))[0], "AAPL");
    assert.equal((await tickers("q=F"))[0], "F");
    assert.equal((await tickers("q=a")).length, 20);
    assert.equal((await tickers("q=a&limit=500")).length, 20);
    assert.deepEqual(await tickers("q=a&limit=3"), (await tickers("q=a")).slice(0, 3));
    assert.deepEqual(await list("q=nosuchcompany"), []);
  });

  await context.test("an entry is as the list and the single read have it", async () => {
    const [entry] = await list("q=msft");
    const single = await service.get("/v1/symbols/MSFT", key);
    assert.deepEqual(entry, symbolEntry.parse(symbolDetail.parse(await single.json())));
  });

  await context.test("without q the list stays as it is", async () => {
    const all = await list("limit=2000");
    assert.equal(all.length, 2_000);
    assert.deepEqual(await list(""), all.slice(0, 500));
  });

  await context.test("a q that is blank, too long or repeated is 400 and named", async () => {
    for (const query of ["q=", "q=+", `q=${"x".repeat(65)}`, "q=a&q=b"]) {
      const response = await service.get(`/v1/symbols?${query}`, key);
      assert.equal(response.status, 400, query);
      const { errors } = problem.parse(await response.json());
      assert.deepEqual(
        errors?.map(({ name }) => name),
        ["q"],
      );
    }
  });
});
