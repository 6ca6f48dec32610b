import assert from "node:assert/strict";
import { replayAnswers } from "../../../src/ingest/operations/replay.ts";
import { keepAnswer } from "../../../src/store/intake/raw-answers.ts";
import { onAnyEngine, testDb } from "../../support/db.ts";
import { pollingOf, startAnswer } from "../../support/polls.ts";

const entry = (id: string, title: string, text: string) =>
  `<item><guid isPermaLink="false">${id}</guid><title>${title}</title><description>${text}</description></item>`;
const rss = (...entries: readonly string[]) =>
  `<rss version="2.0"><channel><title>t</title>${entries.join("")}</channel></rss>`;

/** What the feed said, and when. The stored plant is of a later time than its response, as after its article was read. */
const said = [
  {
    at: new Date("2026-03-02T14:30:00Z"),
    keptAt: new Date("2026-03-02T14:29:00Z"),
    body: rss(
      entry("halt", "Brandmoor: trading paused", "Since noon."),
      entry("plant", "Brandmoor opens a plant", "In May."),
    ),
  },
  {
    at: new Date("2026-03-02T15:30:00Z"),
    keptAt: new Date("2026-03-02T15:30:00Z"),
    body: rss(entry("halt", "Brandmoor: trading resumes", "At one.")),
  },
];

onAnyEngine("a replay revises what a changed reader reads differently, each item once", async (_, engine) => {
  await using db = await testDb(engine);
  await using feed = await startAnswer();
  const source = {
    id: "notices",
    name: "notices",
    provider: "brandmoor",
    format: "feed",
    url: feed.url,
  } as const;
  await using polls = pollingOf(
    db,
    [{ ...source, headline_only: true, requests_per_s: 100 }],
    "2026-03-02T14:30:00Z",
  );
  for (const { at, keptAt, body } of said) {
    feed.state.body = body;
    polls.time.now = at;
    await polls.poll("notices");
    const answer = { sourceId: "notices", url: feed.url, headers: { "content-type": "application/rss+xml" } };
    await keepAnswer(db.main, { ...answer, body: Buffer.from(body), fetchedAt: keptAt });
  }
  const titles = async () => (await polls.log()).map(({ title, revision }) => `${title} (${revision})`);
  const before = await titles();

  const reader = {
    ...polls.deps,
    sources: polls.deps.sources.map((one) => ({ ...one, headline_only: false })),
  };
  const request = { since: "2026-03-02T00:00:00Z", source: "notices", after: 0 };
  for (const dry_run of [true, false]) {
    const { items, created, revised, errors } = await replayAnswers(reader, { ...request, dry_run });
    assert.deepEqual({ items, created, revised, errors }, { items: 3, created: 0, revised: 2, errors: [] });
  }
  const after = ["Brandmoor opens a plant (1)", "Brandmoor: trading resumes (2)"];
  assert.deepEqual(await titles(), [...before, ...after]);
  assert.equal((await replayAnswers(reader, { ...request, dry_run: false })).revised, 0);
});
