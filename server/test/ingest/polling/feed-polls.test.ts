import assert from "node:assert/strict";
import { recentGaps } from "../../../src/store/intake/gaps.ts";
import { onAnyEngine, testDb } from "../../support/db.ts";
import { listenLocally } from "../../support/http.ts";
import { pollingOf, startAnswer } from "../../support/polls.ts";

const start = "2026-03-02T15:30:00Z";
const source = { id: "wire", name: "wire", provider: "wire", format: "feed" as const, requests_per_s: 100 };
const rss = (entries: readonly string[]) =>
  `<rss version="2.0"><channel><title>t</title>${entries.join("")}</channel></rss>`;

onAnyEngine("an entry that is listed twice for a poll is not published again", async (_, engine) => {
  await using db = await testDb(engine);
  await using feed = await startAnswer();
  await using polls = pollingOf(db, [{ ...source, url: feed.url }], start);
  const entries = [
    `<item><title>Quillon names a CFO</title><guid isPermaLink="false">q-1</guid></item>`,
    `<item><title>Brandmoor hires</title><guid isPermaLink="false">b-1</guid><link>https://wire.example/b</link></item>`,
  ];
  feed.state.body = rss(entries);
  await polls.poll("wire");
  const corrected = entries.map((entry) => entry.replace("</title>", ", corrected</title>"));
  for (const shown of [entries, corrected, corrected.slice(1), corrected]) {
    feed.state.body = rss([...shown, ...shown]);
    await polls.poll("wire");
  }
  assert.deepEqual((await polls.log()).map(({ title, revision }) => `${title} ${revision}`).sort(), [
    "Brandmoor hires 0",
    "Brandmoor hires, corrected 1",
    "Quillon names a CFO 0",
    "Quillon names a CFO, corrected 1",
  ]);
});

const notice = (n: number) =>
  `<item><title>Notice ${n}</title><guid isPermaLink="false">n-${n}</guid><pubDate>Mon, 02 Mar 2026 14:${n}:00 GMT</pubDate></item>`;
const perPage = 5;

/** A feed of notices by their minute, newest first; some arrive while it is walked. */
async function startNotices() {
  const state = { newest: 0, arriving: 0, withRepeat: false };
  const server = await listenLocally((request, response) => {
    const page = Number(new URL(request.url ?? "/", "http://wire").searchParams.get("page") ?? 1);
    if (page > 1) state.newest += state.arriving;
    const shown = Array.from({ length: perPage }, (_, n) => state.newest - (page - 1) * perPage - n);
    const entries = shown.filter((n) => n >= 10).map(notice);
    const repeated = state.withRepeat ? entries.slice(-1) : [];
    const next = `<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="next" href="?page=${page + 1}"/>`;
    response
      .writeHead(200, { "content-type": "application/rss+xml" })
      .end(rss([next, ...entries, ...repeated]));
  });
  return { state, url: `${server.origin}/list`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

for (const [what, changed] of [
  ["lists an entry twice", { withRepeat: true }],
  ["grows while it is walked, and lists the end of a page again", { arriving: 1 }],
] as const)
  onAnyEngine(
    `new items that join on to no known one leave a gap, though the feed ${what}`,
    async (_, engine) => {
      await using db = await testDb(engine);
      await using notices = await startNotices();
      const { state, url } = notices;
      await using polls = pollingOf(db, [{ ...source, url, follow_pages: true, max_pages: 2 }], start);
      const gaps = async () =>
        ((await recentGaps(db.main)).get("wire") ?? []).map(({ from_at, to_at }) =>
          [from_at, to_at].map((at) => at?.toISOString().slice(14, 16)).join("-"),
        );
      state.newest = 14;
      await polls.poll("wire");
      Object.assign(state, { newest: 19, ...changed });
      await polls.poll("wire");
      assert.deepEqual(await gaps(), [], "the second page joins on");
      state.newest = 40;
      await polls.poll("wire");
      assert.deepEqual(await gaps(), [`19-${state.newest - 2 * perPage + 1}`]);
    },
  );
