import assert from "node:assert/strict";
import { onAnyEngine, testDb } from "../../support/db.ts";
import { pollingOf, startAnswer } from "../../support/polls.ts";

const start = "2026-03-02T14:30:00Z";
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
