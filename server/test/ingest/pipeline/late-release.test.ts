import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { sourceHealthList } from "@tapewire/contract/admin.ts";
import { feedList } from "@tapewire/contract/feeds.ts";
import { type Clock, systemClock } from "../../../src/runtime/clock.ts";
import { anyEngine } from "../../support/db.ts";
import { temporaryFolder, writeSources } from "../../support/process.ts";
import { withRecorded } from "../../support/recorded.ts";
import { startService } from "../../support/service.ts";
import { type Filing, readTape, startTapeServer } from "../../support/tape.ts";

/** Accepted in the evening, yet not shown before the next morning, where it then stands among the evening's. */
const isHeld = ({ accepted, filed }: Filing) =>
  accepted.slice(11, 19) > "17:30:00" && filed > accepted.slice(0, 10);
const acceptedBy = (at: Date) => (filing: Filing) => new Date(filing.accepted) <= at;

test(
  "filings accepted in the evening and released in the morning behind newer ones are all found",
  withRecorded,
  async (context) => {
    const tape = readTape();
    const evening = new Date("2025-12-11T22:30:00-05:00");
    const morning = new Date("2025-12-12T06:01:00-05:00");
    const held = tape.filter((filing) => isHeld(filing) && acceptedBy(evening)(filing));
    assert.ok(held.length > 100, "the tape has some");
    await using tapeServer = await startTapeServer(tape);
    using folder = temporaryFolder();
    const state = { now: evening };
    const clock: Clock = { now: () => state.now, sleep: systemClock.sleep };
    const source = {
      id: "edgar",
      name: "sec-edgar",
      provider: "sec",
      format: "edgar",
      type: "filing",
      url: tapeServer.url.replace("count=100", "count=40"),
      interval_s: 1,
      requests_per_s: 100,
      documents: false,
      max_pages: 51,
    };
    tapeServer.state.isShown = (filing) => acceptedBy(evening)(filing) && !isHeld(filing);
    await using service = await startService(anyEngine, {
      sourcesFile: writeSources(folder.path, [source]),
      clock,
    });
    const health = async () =>
      sourceHealthList.parse(await (await service.admin("GET", "/admin/v1/sources")).json()).data[0];
    const shown = () => tape.filter(tapeServer.state.isShown).length;
    while ((await health())?.items !== shown()) await delay(50);

    const before = tapeServer.state.requests;
    // First those that stand deepest, behind pages of known ones; the others with the next re-scan.
    for (const [now, until] of [
      [morning, "18:00:00"],
      [new Date(morning.getTime() + 5 * 60_000), "24:00:00"],
    ] as const) {
      state.now = now;
      tapeServer.state.isShown = (filing) =>
        acceptedBy(now)(filing) && (!isHeld(filing) || filing.accepted.slice(11, 19) < until);
      while (((await health())?.items ?? 0) < shown()) await delay(50);
    }
    const { key } = await service.key("enterprise");
    const known = new Set<string>();
    for (let cursor = ""; ; ) {
      const page = feedList.parse(await (await service.get(`/v1/feeds?limit=1000${cursor}`, key)).json());
      for (const { unique_id } of page.data) known.add(unique_id);
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    const missing = tape
      .filter(tapeServer.state.isShown)
      .filter(({ accession }) => !known.has(`sec:${accession}`));
    assert.deepEqual(missing, [], "accessions lost");
    context.diagnostic(
      `${held.length} released late, ${tapeServer.state.requests - before} requests to find them`,
    );
  },
);
