import assert from "node:assert/strict";
import { onAnyEngine, testDb } from "../../support/db.ts";
import { listenLocally } from "../../support/http.ts";
import { pollingOf } from "../../support/polls.ts";

const perPage = 2;

/** A list of recalls, newest first. Asked by date, its server takes the pages behind the first for unchanged. */
async function startRecalls() {
  const state = { numbers: [1], asked: [] as string[] };
  const server = await listenLocally((request, response) => {
    const skip = Number(new URL(request.url ?? "/", "http://fda").searchParams.get("skip") ?? 0);
    const isConditional = request.headers["if-modified-since"] !== undefined;
    state.asked.push(`${skip} ${isConditional ? "if changed" : "whole"}`);
    response.setHeader("last-modified", "Mon, 02 Mar 2026 12:00:00 GMT");
    if (skip > 0 && isConditional) return response.writeHead(304).end();
    const results = state.numbers
      .toSorted((a, b) => b - a)
      .slice(skip, skip + perPage)
      .map((number) => ({
        recall_number: `D-${number}-2026`,
        recalling_firm: "Brandmoor",
        product_description: `Tablets, lot ${number}`,
        report_date: "20260302",
      }));
    const meta = { results: { skip, total: state.numbers.length } };
    return response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ meta, results }));
  });
  return { state, url: `${server.origin}/list`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

onAnyEngine("the pages behind the first are requested in full", async (context, engine) => {
  context.mock.method(Math, "random", () => 0.5);
  await using db = await testDb(engine);
  await using recalls = await startRecalls();
  const { state, url } = recalls;
  const source = { id: "recalls", name: "recalls", provider: "fda", url, max_pages: 5 };
  await using polls = pollingOf(
    db,
    [{ ...source, format: "openfda", requests_per_s: 100 }],
    "2026-03-02T14:30:00Z",
  );
  await polls.poll("recalls");
  state.numbers = [1, 2, 3, 4, 5];
  state.asked = [];
  await polls.poll("recalls");
  assert.deepEqual(state.asked, ["0 if changed", "2 whole", "4 whole"]);
  assert.equal((await polls.log()).length, 5);
});
