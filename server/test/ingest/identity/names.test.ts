import assert from "node:assert/strict";
import { pushItem } from "@tapewire/contract/admin.ts";
import type { FeedItem } from "@tapewire/contract/feeds.ts";
import { sourcesFile } from "../../../src/config/sources.ts";
import { retractItem } from "../../../src/ingest/operations/retract.ts";
import { sourceHealth } from "../../../src/ingest/operations/source-health.ts";
import { onAnyEngine, onPostgres, testDb } from "../../support/db.ts";
import { pollingOf, startAnswer } from "../../support/polls.ts";

const entry = ({ title, link, guid, day = 2, text = "" }: Entry) =>
  `<item><title>${title}</title>${link === undefined ? "" : `<link>${link}</link>`}${
    guid === undefined ? "" : `<guid isPermaLink="false">${guid}</guid>`
  }<description>${text}</description><pubDate>0${day} Mar 2026 14:00:00 GMT</pubDate></item>`;
interface Entry {
  title: string;
  link?: string;
  guid?: string;
  day?: number;
  text?: string;
}
const rss = (...entries: readonly Entry[]) =>
  `<rss version="2.0"><channel><title>t</title>${entries.map(entry).join("")}</channel></rss>`;
const feed = (id: string, url: string, hosts: readonly string[] = []) => ({
  ...{ id, name: id, provider: id, format: "feed" as const, url, requests_per_s: 100 },
  hosts: [...hosts],
});
const start = "2026-03-05T14:30:00Z";
const gnw = "https://www.globenewswire.com/news-release/2026/03/02/9100001/0/en/Quillon.html";
const headline = "Quillon Robotics (NASDAQ: QLLN) raises its outlook to $210 million";
const versions = (items: readonly FeedItem[]) =>
  items.map(({ source, title, revision, status }) => [source, title, revision, status]);

onAnyEngine("the source that speaks for a name takes over what another had under it", async (_, engine) => {
  await using db = await testDb(engine);
  await using wire = await startAnswer();
  await using hub = await startAnswer();
  const release = { title: headline, link: gnw, guid: "w-1", text: "The wire's text." };
  hub.state.body = rss({
    title: `Fraud? ${headline}`,
    link: gnw,
    guid: "h-1",
    day: 1,
    text: "Another's text.",
  });
  wire.state.body = rss(release);
  {
    // As they were stored while any feed could give any name.
    await using polls = pollingOf(db, [feed("hub", hub.url, ["globenewswire.com"])], start);
    await polls.poll("hub");
  }
  await using polls = pollingOf(
    db,
    [feed("hub", hub.url), feed("wire", wire.url, ["globenewswire.com"])],
    start,
  );
  await polls.poll("wire", "hub");
  await polls.poll("hub", "wire");
  const [first, second, ...more] = await polls.log();
  assert.deepEqual(more, []);
  assert.deepEqual(
    [second?.id, second?.unique_id, second?.published_at],
    [first?.id, "wire:gnw:9100001", first?.published_at],
  );
  assert.deepEqual(
    [second?.source, second?.provider_id, second?.title, second?.link, second?.source_time, second?.revision],
    ["wire", "wire", headline, gnw, "2026-03-02T14:00:00.000Z", 1],
  );
  const { body } = await db.main.selectFrom("item_bodies").select("body").executeTakeFirstOrThrow();
  assert.equal(body, "The wire's text.");
  hub.state.body = rss({ title: `WITHDRAWN: ${headline}`, link: gnw, guid: "h-1", day: 1 });
  wire.state.body = rss({ ...release, title: `${headline}, corrected` });
  await polls.poll("hub", "wire");
  assert.deepEqual(versions((await polls.log()).slice(2)), [
    ["wire", `${headline}, corrected`, 2, "revised"],
  ]);
});

onPostgres("what another source has withdrawn stands again once its owner tells it", async () => {
  await using db = await testDb("postgres");
  await using wire = await startAnswer();
  wire.state.body = rss({ title: `WITHDRAWN: ${headline}`, link: gnw, guid: "h-1" });
  {
    await using polls = pollingOf(db, [feed("hub", wire.url, ["globenewswire.com"])], start);
    await polls.poll("hub");
  }
  await using polls = pollingOf(db, [feed("wire", wire.url, ["globenewswire.com"])], start);
  wire.state.body = rss({ title: headline, link: gnw, guid: "w-1" });
  await polls.poll("wire");
  assert.deepEqual(versions(await polls.log()).at(-1), ["wire", headline, 1, "revised"]);
});

onPostgres("a push is the operator's word until the owner of the address speaks", async () => {
  await using db = await testDb("postgres");
  await using wire = await startAnswer();
  await using polls = pollingOf(db, [feed("wire", wire.url, ["globenewswire.com"])], start);
  const other = gnw.replace("9100001", "9100002");
  const push = (link: string) =>
    polls.push(pushItem.parse({ title: "As we heard it", source: "desk", link }));
  await push(gnw);
  await push(other);
  const [, withdrawn] = await polls.log();
  await retractItem(polls.deps, db, withdrawn?.id ?? "");
  wire.state.body = rss(
    { title: headline, link: gnw, guid: "w-1" },
    { title: "Another", link: other, guid: "w-2" },
  );
  await polls.poll("wire");
  assert.deepEqual(
    (await push(gnw)).map(({ status }) => status),
    ["duplicate"],
  );
  await polls.poll("wire");
  assert.deepEqual(versions((await polls.log()).slice(2)), [
    ["desk", "As we heard it", 1, "retracted"],
    ["wire", headline, 1, "revised"],
  ]);
});

onPostgres("whoever carries a release of another is an item of its story", async () => {
  await using db = await testDb("postgres");
  await using wire = await startAnswer();
  await using hub = await startAnswer();
  await using polls = pollingOf(
    db,
    [feed("hub", hub.url), feed("wire", wire.url, ["globenewswire.com"])],
    start,
  );
  wire.state.body = rss({ title: headline, link: gnw, guid: "w-1" });
  hub.state.body = rss(
    { title: "Outlook of Quillon Robotics (NASDAQ: QLLN) is up", link: `${gnw}?utm_source=hub`, guid: "h-1" },
    { title: "Outlook of Quillon Robotics (NASDAQ: QLLN) is now $190 million", link: gnw, guid: "h-2" },
  );
  await polls.poll("wire");
  await polls.poll("hub");
  const [first, ...copies] = (await polls.log()).toSorted((a, b) => a.seq - b.seq);
  assert.deepEqual(
    copies.map(({ unique_id, story_id, id }) => [unique_id, story_id === first?.id, story_id === id]).sort(),
    [
      ["guid:hub:h-1", true, false],
      ["guid:hub:h-2", false, true],
    ],
  );
});

onPostgres("an address without a guid, told before its feed spoke for it, stays one item", async () => {
  await using db = await testDb("postgres");
  await using site = await startAnswer();
  const link = "https://news.example/a";
  site.state.body = rss({ title: "A notice", link });
  for (const hosts of [["news.example"], [], ["news.example"]]) {
    await using polls = pollingOf(db, [feed("site", site.url, hosts)], start);
    await polls.poll("site");
    assert.deepEqual(
      (await polls.log()).map(({ unique_id }) => unique_id),
      [`url:${link}`],
    );
  }
});

onAnyEngine(
  "a guid that is used again names a new item; polls and old answers change nothing",
  async (_, engine) => {
    await using db = await testDb(engine);
    await using site = await startAnswer();
    const polling = () => pollingOf(db, [feed("site", site.url)], start);
    const one = { title: "Results of the first day", link: "https://site.example/1", guid: "latest", day: 2 };
    const two = {
      title: "Results of the second day",
      link: "https://site.example/2",
      guid: "latest",
      day: 3,
    };
    const told = async (...says: readonly Entry[]) => {
      await using polls = polling();
      for (const say of says) {
        site.state.body = rss(say);
        await polls.poll("site");
      }
      return polls.log();
    };
    const first = { title: one.title, revision: 0, unique_id: "guid:site:latest" };
    const second = {
      title: two.title,
      revision: 0,
      unique_id: "guid:site:latest|2026-03-03|https://site.example/2",
    };
    const shown = (items: readonly FeedItem[]) =>
      items.map(({ title, revision, unique_id }) => ({ title, revision, unique_id }));
    const both = await told(one, one, two, two);
    assert.deepEqual(shown(both), [first, second]);
    assert.equal(both[1]?.published_at, "2026-03-03T14:00:00.000Z");
    assert.equal((await told(one, two, one, two)).length, 2, "an old answer, and the new one again");
    const edited = await told({ ...two, title: "Results of the second day, corrected" });
    assert.deepEqual(
      edited.slice(2).map(({ id, revision }) => [id, revision]),
      [[both[1]?.id, 1]],
    );
    const moved = await told({ ...two, title: "Results of day two", link: "https://site.example/two" });
    assert.deepEqual(
      moved.slice(3).map(({ id, revision }) => [id, revision]),
      [[both[1]?.id, 2]],
      "the day is as it was",
    );
    const late = await told({
      ...two,
      title: "Results of day two, again",
      link: "https://site.example/two",
      day: 4,
    });
    assert.deepEqual(
      late.slice(4).map(({ id, revision }) => [id, revision]),
      [[both[1]?.id, 3]],
      "the address is as it was",
    );
  },
);

onAnyEngine(
  "a source that alternates between two versions is damped, and followed when it rests",
  async (_, engine) => {
    await using db = await testDb(engine);
    await using site = await startAnswer();
    const sources = [feed("site", site.url)];
    const say = async (title: string, at: string) => {
      await using polls = pollingOf(db, sources, at);
      site.state.body = rss({ title, link: "https://site.example/1", guid: "g" });
      await polls.poll("site");
      return (await polls.log()).map(({ title }) => title);
    };
    let log: readonly (string | null)[] = [];
    for (let n = 0; n < 10; n++) log = await say(n % 2 === 0 ? "One" : "Two", start);
    assert.deepEqual(log, ["One", "Two", "One", "Two"]);
    const clock = { now: () => new Date(start), sleep: () => Promise.resolve() };
    const [health] = await sourceHealth({ db, clock, sources: sourcesFile.parse({ sources }).sources });
    assert.equal(health?.damped, 3);
    assert.ok(health?.damped_at !== null);
    assert.deepEqual((await say("Three", start)).at(-1), "Three", "what is new is published");
    assert.equal((await say("One", start)).length, 5);
    assert.equal((await say("One", "2026-03-05T21:00:00Z")).at(-1), "One", "it has come to rest");
  },
);

onPostgres(
  "who tells the words of another first, under its address or as withdrawn, takes nothing from it",
  async () => {
    await using foe = await startAnswer();
    await using site = await startAnswer();
    const pages = [1, 2, 3].map((n) => `${site.origin}/releases/${n}`);
    const words = [
      "Quillon Robotics (NASDAQ: QLLN) raises its full-year outlook to $210 million",
      "Tidewane Shipping (NASDAQ: TDWN) cuts its full-year outlook to $310 million",
      "Brackwater Mills (NASDAQ: BRKW) raises its full-year outlook to $410 million",
    ] as const;
    foe.state.body = rss(
      { title: words[0], link: pages[0] ?? "", guid: "foe-1" },
      { title: `KILL: ${words[1]}`, link: "https://foe.example/2", guid: "foe-2" },
      { title: words[2], link: pages[2] ?? "" },
    );
    site.state.body = rss(
      { title: words[0], link: pages[0] ?? "", guid: "site-1" },
      { title: words[1], link: pages[1] ?? "", guid: "site-2" },
      { title: words[2], link: pages[2] ?? "", guid: "site-3" },
    );
    const told = async (first: readonly string[]) => {
      await using db = await testDb("postgres");
      await using polls = pollingOf(db, [feed("foe", foe.url), feed("site", site.url)], start);
      for (const id of [...first, "site"]) await polls.poll(id);
      const own = (await polls.log()).filter(({ source }) => source === "site");
      return own
        .map(({ title, copy_of, scoring }) => ({ title, copy_of, score: scoring.actionability_score ?? 0 }))
        .sort((a, b) => (String(a.title) < String(b.title) ? -1 : 1));
    };
    const [alone, late] = [await told([]), await told(["foe"])];
    assert.deepEqual(
      alone.map(({ title }) => title),
      [...words].sort(),
    );
    for (const [n, { title, copy_of, score }] of late.entries()) {
      assert.deepEqual([title, copy_of], [alone[n]?.title, null]);
      // More than alone: a second item on the symbol says that something is up with it.
      assert.ok(score >= (alone[n]?.score ?? 100), `${title}: ${score}`);
    }
  },
);
