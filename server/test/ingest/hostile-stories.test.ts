import assert from "node:assert/strict";
import { test } from "node:test";
import { anyEngine, testDb } from "../support/db.ts";
import { pollingOf, startAnswer } from "../support/polls.ts";

interface Entry {
  readonly guid: string;
  readonly title: string;
  readonly body?: string;
  /** Absent: a page of its own on the host of its feed. */
  readonly link?: string;
  /** Minutes before the start that it claims as its time. */
  readonly agoMin?: number;
  readonly category?: string;
}

const startMs = Date.parse("2026-03-02T14:30:00Z");
const minuteMs = 60_000;

function rss(origin: string, entries: readonly Entry[]): string {
  const items = entries.map(
    ({ guid, title, body = "", link = `${origin}/${guid}`, agoMin = 1, category }) => {
      const at = new Date(startMs - agoMin * minuteMs).toUTCString();
      const about =
        category === undefined ? "" : `<category domain="${origin}/rss/stock">${category}</category>`;
      return `<item><title>${title}</title><link>${link}</link><guid isPermaLink="false">${guid}</guid><pubDate>${at}</pubDate><description>${body}</description>${about}</item>`;
    },
  );
  return `<rss version="2.0"><channel><title>t</title>${items.join("")}</channel></rss>`;
}

/** A regulator, an aggregator and a foe, each polled when it says something: half a minute after what was said before. */
async function startFeeds() {
  await using stack = new AsyncDisposableStack();
  const db = stack.use(await testDb(anyEngine));
  const answers = {
    regulator: stack.use(await startAnswer()),
    hub: stack.use(await startAnswer()),
    foe: stack.use(await startAnswer()),
  };
  const sources = Object.entries(answers).map(([id, { url }]) => ({
    id,
    name: id,
    provider: "p",
    format: "feed" as const,
    url,
    hosts: id === "regulator" ? ["regulator.example"] : [],
    requests_per_s: 100,
  }));
  const polls = stack.use(pollingOf(db, sources, new Date(startMs).toISOString()));
  const owned = stack.move();
  return {
    say: async (who: keyof typeof answers, ...entries: Entry[]): Promise<void> => {
      const { state, origin } = answers[who];
      state.body = rss(origin, entries);
      polls.time.now = new Date(polls.time.now.getTime() + minuteMs / 2);
      await polls.poll(who);
    },
    /** The items of a source as they stand: whose copy each is, and what it is worth. */
    standing: async (who: string) => {
      const newest = new Map((await polls.log()).map((item) => [item.id, item]));
      return [...newest.values()]
        .filter(({ source }) => source === who)
        .map(({ copy_of, scoring }) => ({
          copyOf: newest.get(copy_of ?? "")?.source ?? null,
          score: scoring.actionability_score,
          actionable: scoring.actionability,
        }));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const deal = {
  title: "Merck to acquire Verona Pharma for $10 billion in third quarter",
  body: "Merck agreed to buy Verona Pharma for $107 a share, a premium of 23%.",
};
const longer = `${deal.body} It expects to close by March.`;
const results = {
  title: "Pfizer Reports Third Quarter 2026 Results",
  body: "Pfizer cut its full-year revenue guidance to $58 billion from $64 billion and will cut 9,000 jobs after third quarter revenue fell 21% and missed estimates.",
};

test("who rewrites an old item to the words of another's lowers nothing of it and takes no copy from it", async () => {
  await using feeds = await startFeeds();
  const old = { guid: "old", agoMin: 30 };
  await feeds.say("foe", { ...old, title: "Weather in Oslo 12 today" });
  await feeds.say("regulator", { guid: "r", agoMin: 5, ...deal });
  const [alone] = await feeds.standing("regulator");
  await feeds.say("foe", { ...old, ...deal });
  const [foe] = await feeds.standing("foe");
  assert.ok((foe?.score ?? 100) < (alone?.score ?? 0), "it repeats what it took");
  await feeds.say("regulator", { guid: "r", agoMin: 5, ...deal, body: longer });
  const [after] = await feeds.standing("regulator");
  assert.ok(
    (after?.score ?? 0) >= (alone?.score ?? 100) && after?.actionable === true,
    "longer text lowers nothing",
  );
  assert.equal(after.copyOf, null);
  await feeds.say("hub", { guid: "h", agoMin: 4, ...deal });
  assert.equal((await feeds.standing("hub"))[0]?.copyOf, "regulator");
});

test("what we read first is first, whatever time another feed claims", async () => {
  await using feeds = await startFeeds();
  await feeds.say("hub", { guid: "h", agoMin: 0, ...deal, link: "https://hub.example/h" });
  await feeds.say("foe", { guid: "slow", agoMin: 6, ...deal, link: "https://foe.example/slow" });
  const [first] = await feeds.standing("hub");
  const [slow] = await feeds.standing("foe");
  assert.deepEqual([first?.copyOf, slow?.copyOf], [null, "hub"]);
  assert.ok((slow?.score ?? 100) < (first?.score ?? 0));
});

test("a headline told before its figures hides and lowers nothing of the item that has them", async () => {
  const alone = async (entry: Entry) => {
    await using feeds = await startFeeds();
    await feeds.say("regulator", entry);
    return feeds.standing("regulator");
  };
  const filler = "Pfizer reported on its third quarter today. A call with analysts follows.";
  const decision = {
    title: "Pfizer Gives FDA Decision of Third Quarter",
    body: "The Food and Drug Administration has rejected the vaccine of Pfizer and wants another trial in Europe.",
  };
  for (const [told, ...guesses] of [[results, "", filler] as const, [decision, filler] as const]) {
    const [best] = await alone({ guid: "r", ...told });
    for (const body of guesses) {
      await using feeds = await startFeeds();
      await feeds.say("foe", { guid: "guess", title: told.title, body, agoMin: 40 * 60 });
      await feeds.say("regulator", { guid: "r", ...told });
      const [item] = await feeds.standing("regulator");
      assert.deepEqual([item?.copyOf, item?.actionable], [null, best?.actionable], body);
      // More than alone: a second item on the symbol says that something is up with it.
      assert.ok((item?.score ?? 0) >= (best?.score ?? 100), body);
    }
  }
});

test("a headline that becomes a whole item is a copy of the headline before it no more", async () => {
  await using feeds = await startFeeds();
  const { title } = results;
  await feeds.say("foe", { guid: "guess", title, agoMin: 60 });
  await feeds.say("hub", { guid: "h", title, link: "https://hub.example/h" });
  assert.equal((await feeds.standing("hub"))[0]?.copyOf, "foe", "two headlines are one story");
  await feeds.say("hub", { guid: "h", ...results, link: "https://hub.example/h" });
  const [whole] = await feeds.standing("hub");
  assert.deepEqual([whole?.copyOf, whole?.actionable], [null, true]);
});

test("who fills in a headline once another has told it takes no copy from that one", async () => {
  await using feeds = await startFeeds();
  await feeds.say("foe", { guid: "guess", title: deal.title, agoMin: 60 });
  await feeds.say("regulator", { guid: "r", ...deal });
  await feeds.say("foe", { guid: "guess", ...deal, agoMin: 60 });
  await feeds.say("hub", { guid: "h", ...deal, link: "https://hub.example/h" });
  assert.equal((await feeds.standing("hub"))[0]?.copyOf, "regulator");
});

test("a page of a declared host is no copy of a page of another", async () => {
  await using feeds = await startFeeds();
  const link = "https://regulator.example/r";
  await feeds.say("foe", { guid: "fast", ...deal });
  await feeds.say("regulator", { guid: "r", ...deal, link });
  await feeds.say("hub", { guid: "h", ...deal, link });
  const [own] = await feeds.standing("regulator");
  assert.deepEqual([own?.copyOf, own?.actionable], [null, true]);
  assert.equal((await feeds.standing("hub"))[0]?.copyOf, "regulator", "who links to it copies it");
});

test("a flood about a company counts no more than three items of its source", async () => {
  const cuts = (jobs: number): Entry => ({
    guid: `r${jobs}`,
    title: `Pfizer cuts ${jobs} jobs in restructuring`,
    body: `Pfizer said it will cut ${jobs} jobs.`,
  });
  const note = (n: number): Entry => ({
    guid: `n${n}`,
    title: `Note ${n} of the day ${n * 7}`,
    body: `word ${n}`,
    category: "NYSE: PFE",
  });
  const worthAfter = async (notes: number) => {
    await using feeds = await startFeeds();
    await feeds.say("foe", ...Array.from({ length: notes }, (_, n) => note(n)));
    await feeds.say("regulator", cuts(900));
    return feeds.standing("regulator");
  };
  assert.deepEqual(await worthAfter(40), await worthAfter(3));
});
