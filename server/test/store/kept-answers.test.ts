import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { answersSince, dropAnswers, keepAnswer } from "../../src/store/intake/raw-answers.ts";
import { onBothEngines, testDb } from "../support/db.ts";

onBothEngines(
  "a source that fills the kept answers drops its own, not those of others",
  async (_, engine) => {
    await using db = await testDb(engine);
    const { signal } = new AbortController();
    const since = new Date("2026-03-02T00:00:00Z");
    // Random bytes stay as large when they are packed.
    const keep = (sourceId: string, n: number) =>
      keepAnswer(db.main, { sourceId, url: `${n}`, headers: {}, body: randomBytes(1_000), fetchedAt: since });
    const kept = async () => {
      const answers = await answersSince(db.main, { since, after: 0, sourceId: null, limit: 100 });
      return answers.map(({ sourceId, url }) => `${sourceId} ${url}`);
    };
    await keep("calm", 0);
    for (let n = 1; n <= 6; n++) await keep("busy", n);
    await keep("calm", 7);
    await dropAnswers(db.main, { before: since, mostBytes: 16_000, signal });
    assert.deepEqual(await kept(), ["calm 0", "busy 4", "busy 5", "busy 6", "calm 7"]);
    await dropAnswers(db.main, { before: new Date(since.getTime() + 1), mostBytes: 16_000, signal });
    assert.deepEqual(await kept(), []);
  },
);
