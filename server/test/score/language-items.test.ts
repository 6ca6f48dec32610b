import assert from "node:assert/strict";
import { feedItemDetail, feedList } from "@tapewire/contract/feeds.ts";
import { onAnyEngine } from "../support/db.ts";
import { type Service, startService } from "../support/service.ts";
import { StreamClient } from "../support/stream-client.ts";

const french = {
  title: "Orbitex Robotics relève ses prévisions annuelles après un trimestre record",
  body: "Le fabricant de robots a annoncé lundi un chiffre d'affaires en forte hausse. Les actionnaires recevront un dividende plus élevé cette année, selon la direction.",
  symbols: ["DEMO:OBTX"],
  tags: ["earnings"],
  source: "depeche",
  external_id: "fr",
};
const english = {
  title: "Société Générale de Lindmoor raises its full-year guidance after record quarter",
  body: "The French lender said on Monday that revenue rose by 12 percent, and that it will pay a higher dividend.",
  symbols: ["DEMO:OBTX"],
  tags: [],
  source: "dispatch",
  external_id: "en",
};

async function itemOf(service: Service, key: string, id: string | null | undefined) {
  return feedItemDetail.parse(await (await service.get(`/v1/feeds/${id}`, key)).json());
}

onAnyEngine("the language of an item decides whether it is scored", async (context, engine) => {
  await using service = await startService(engine);
  const { key } = await service.key("pro");
  const [pushedFrench, pushedEnglish] = await service.push(french, english);

  await context.test("one in French is stored, linked and tagged, and not scored", async () => {
    const item = await itemOf(service, key, pushedFrench?.id);
    assert.deepEqual([item.language, item.title], ["fr", french.title]);
    assert.deepEqual(item.tags.corp_activity, ["earnings"]);
    assert.deepEqual(
      item.symbols.map(({ symbol }) => symbol),
      ["DEMO:OBTX"],
    );
    const { locked, ...scores } = item.scoring;
    assert.equal(locked, false);
    assert.deepEqual([...new Set(Object.values(scores))], [null]);
    assert.equal(item.sub_scores, null);
    assert.ok(item.summary !== null && french.body.startsWith(item.summary.slice(0, 40)));
    assert.equal(item.analysis.length, 1);
    const [entry] = item.analysis;
    assert.deepEqual([entry?.symbol, entry?.primary, entry?.evidence], ["DEMO:OBTX", true, []]);
    assert.ok((entry?.relevance ?? 0) > 0);
    const judged = Object.entries(entry ?? {}).filter(([name]) => name.startsWith("sentiment_"));
    assert.deepEqual([judged.length, ...new Set(judged.map(([, value]) => value))], [5, null]);
  });

  await context.test("one in English about a company with a French name is scored", async () => {
    const { language, scoring, sub_scores, analysis } = await itemOf(service, key, pushedEnglish?.id);
    assert.equal(language, "en");
    assert.equal(scoring.actionability, true);
    assert.ok((scoring.sentiment_short ?? 0) > 0, "guidance was raised");
    assert.ok((analysis[0]?.sentiment_short ?? 0) > 0);
    assert.ok(sub_scores !== null && scoring.model !== null && scoring.scored_at !== null);
  });

  await context.test("no filter on scores of the list finds the one that was not scored", async () => {
    const listed = async (query: string) =>
      feedList
        .parse(await (await service.get(`/v1/feeds?${query}`, key)).json())
        .data.map((item) => item.source)
        .sort();
    assert.deepEqual(await listed(""), ["depeche", "dispatch"]);
    assert.deepEqual(await listed("aggregator=depeche"), ["depeche"]);
    assert.deepEqual(await listed("actionability=true"), ["dispatch"]);
    assert.deepEqual(await listed("actionability=false"), []);
    assert.deepEqual(await listed("sentiment_min=0"), ["dispatch"]);
    assert.deepEqual(await listed("sentiment_max=10"), ["dispatch"]);
  });

  await context.test("nor does a filter on scores of the stream", async () => {
    const wanted = [
      [{ actionability: true }, true],
      [{ actionability: false }, false],
      [{ sentiment_min: 0 }, true],
      [{ sentiment_max: 10 }, true],
    ] as const;
    const last = { title: "Nothing of note", source: "last" };
    await using stack = new AsyncDisposableStack();
    const clients: StreamClient[] = [];
    for (const [filters] of wanted) {
      const client = stack.use(await StreamClient.connect(service.app.wsUrl, { key }));
      await client.next("welcome");
      await client.subscribe({ filters });
      clients.push(client);
    }
    // Of other companies: what was told before is no news.
    const another = (item: typeof french, title: string) => ({
      ...item,
      title,
      symbols: ["DEMO:HLVN"],
      external_id: `${item.external_id}-2`,
    });
    await service.push(
      another(french, "Halvorn relève ses prévisions annuelles après un trimestre record"),
      another(english, "Halvorn raises its full-year guidance after record quarter"),
    );
    for (const [index, [, gets]] of wanted.entries()) {
      const client = clients[index];
      if (gets) assert.equal((await client?.next("feed"))?.data.source, "dispatch");
      // What would come too much comes before this one.
      await client?.subscribe({ filters: { aggregators: ["last"] } });
    }
    await service.push(last);
    for (const client of clients) assert.equal((await client.next("feed")).data.source, "last");
  });
});
