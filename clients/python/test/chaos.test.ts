/**
 * The service is killed under load behind a line that cuts and stalls: once, and ten times with TAPEWIRE_CHAOS=full. Streams
 * of the Python client end with exactly what the log holds for their filters.
 */
import assert from "node:assert/strict";
import { badLine } from "../../../sdk/test/support/bad-line.ts";
import { ChaosService } from "../../../server/test/chaos/chaos-service.ts";
import { Pusher } from "../../../server/test/chaos/pusher.ts";
import { onPostgres } from "../../../server/test/support/db.ts";
import { isFull } from "../../../server/test/support/full-length.ts";
import { until } from "../../../server/test/support/receiver.ts";
import { Follower } from "./support/follower.ts";
import { needsPython } from "./support/python.ts";

const rounds = isFull ? 10 : 2;
const itemsPerSecond = 200;
/** For a service that was killed to be back under load, and its clients after their backoff. */
const recoveryMs = 60_000;
/** For this many items of each life of the service a slow consumer is slower than they come. */
const pauseS = 0.006;

onPostgres(
  "through kills, cuts and stalls each stream gives every version once and in order, to a slow consumer too",
  async (context) => {
    await using chaos = await ChaosService.start();
    await using line = await badLine(() => chaos.url);
    await using cleanup = new AsyncDisposableStack();
    const env = { TAPEWIRE_URL: line.url, TAPEWIRE_KEY: chaos.key };
    const followers = [
      cleanup.use(new Follower({}, { env })),
      cleanup.use(new Follower({}, { env, pauseS })),
      cleanup.use(new Follower({ tags: { market: ["stock"] }, exchanges: ["DEMO"] }, { env })),
    ];
    await until(() => followers.every(({ isLive }) => isLive), "all are live", recoveryMs);
    const begin = (await chaos.log()).entries.at(-1)?.seq ?? 0;
    const pusher = cleanup.use(new Pusher(chaos, itemsPerSecond));
    for (let n = 0; n < rounds; n++) {
      const counts = followers.map(({ got }) => got.length);
      const comes = ({ isLive, got }: Follower, at: number) => isLive && got.length > (counts[at] ?? 0);
      await until(() => followers.every(comes), "items come", recoveryMs);
      if (n % 2 === 0) line.stall();
      else line.cut();
      if (isFull || n === 0) await chaos.kill();
      const isLost = () => followers.every(({ losses }) => losses > n);
      await until(isLost, "each has lost its connection", recoveryMs);
    }
    await pusher.stop();
    const { entries } = await chaos.log();
    const isDone = () => followers.every((follower) => follower.hasAll(entries, begin));
    await until(isDone, "everything has come", recoveryMs);
    for (const follower of followers) follower.check(entries, begin);
    const losses = followers.map((follower) => follower.losses);
    context.diagnostic(`${entries.length} versions; connections lost by each: ${losses.join(", ")}`);
    assert.ok(losses.every((count) => count >= rounds));
  },
  { ...needsPython, timeout: (rounds * 60 + 100) * 1_000 },
);
