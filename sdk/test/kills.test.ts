/**
 * An installation of seven members in which processes are killed, and NATS and the sessions of the database end; after each
 * round list, streams and webhooks have exactly what was pushed and polled. By default two roles are killed, which are
 * processes of their own; each of the other members is a service in the process of the test. With TAPEWIRE_CHAOS=full all
 * seven are processes, each role is killed at each moment, stopped and frozen, and all are killed at once.
 */
import assert from "node:assert/strict";
import { Tapewire } from "tapewire";
import { Installation, type MemberName, memberNames } from "../../server/test/chaos/installation.ts";
import { Pusher } from "../../server/test/chaos/pusher.ts";
import type { KnownLog } from "../../server/test/chaos/tape-client.ts";
import { checkList } from "../../server/test/chaos/whole-log.ts";
import { onPostgres } from "../../server/test/support/db.ts";
import { isFull } from "../../server/test/support/full-length.ts";
import { noNats } from "../../server/test/support/nats.ts";
import { until } from "../../server/test/support/receiver.ts";
import { badLine } from "./support/bad-line.ts";
import { moments, nameOf, play, type Round, roles, type Scene } from "./support/kill-rounds.ts";
import { Reader } from "./support/reader.ts";
import { Verdicts } from "./support/verdicts.ts";

const matrix: readonly Round[] = [
  ...moments.flatMap((moment) => roles.map((role) => ({ fault: "kill", role, moment }) as const)),
  { fault: "nats", moment: "idle", awayMs: 1_500 },
  { fault: "nats", moment: "batch", awayMs: 1_500 },
  ...moments.slice(0, 3).map((moment) => ({ fault: "connections", moment }) as const),
  ...roles.map((role) => ({ fault: "stop", role }) as const),
  ...roles.map((role) => ({ fault: "freeze", role, forMs: 17_000 }) as const),
  ...(["batch", "accepted"] as const).map((moment) => ({ fault: "blackout", moment }) as const),
];
// crash.test.ts kills who sends webhooks, replay.test.ts of ingest who polls, group.test.ts who scores.
const cut: readonly Round[] = [
  { fault: "kill", role: "api", moment: "accepted" },
  { fault: "kill", role: "stream", moment: "batch" },
  { fault: "nats", moment: "batch", awayMs: 300 },
  { fault: "connections", moment: "batch" },
];
const rounds = isFull ? matrix : cut;
const processes: readonly MemberName[] = isFull ? memberNames : ["api-1", "stream-1"];
const itemsPerSecond = isFull ? 40 : 20;
const recoveryMs = 30_000;

onPostgres(
  "whichever process is killed, list, streams and webhooks have what was pushed and polled, once and in order",
  async (context) => {
    await using installation = await Installation.start(processes);
    const { key, deliveries } = installation;
    const hooks = await deliveries.add({ url: installation.url("api-1"), key }, [
      {},
      { symbols: ["DEMO:CH1", "DEMO:CH2"] },
      {},
    ]);
    await using cleanup = new AsyncDisposableStack();
    const readersOf = async (name: "stream-1" | "stream-2") => {
      const line = cleanup.use(await badLine(() => installation.url(name)));
      const tw = new Tapewire({ baseUrl: line.url, key });
      const made = [
        new Reader(tw, { filters: {} }),
        new Reader(tw, { filters: { symbols: ["DEMO:CH1", "CH2"] } }),
        new Reader(tw, { filters: { sentiment_min: 6 }, transport: "sse" }),
      ];
      cleanup.defer(async () => void (await Promise.all(made.map((reader) => reader.stop()))));
      return made;
    };
    const readers = { "stream-1": await readersOf("stream-1"), "stream-2": await readersOf("stream-2") };
    const all = Object.values(readers).flat();
    await until(() => all.every(({ isLive }) => isLive), "all are live", recoveryMs);
    const pusher = cleanup.use(new Pusher(installation, itemsPerSecond));
    const verdicts = cleanup.use(new Verdicts(installation));
    const scene: Scene = { installation, pusher, readers };
    for (const [n, round] of rounds.entries()) {
      const isLast = n === rounds.length - 1;
      await context.test(nameOf(round), async (part) => {
        const times = [performance.now()];
        installation.feed.goOn();
        await play(round, scene);
        times.push(performance.now());
        // A machine that is busy delivers more slowly than it is pushed to: what is owed would grow from round to round.
        const [log, owed] = await pusher.paused(async () => {
          const whole = await settled(scene, all);
          times.push(performance.now());
          return [whole, isFull || isLast ? await deliveries.reach(hooks, whole) : []] as const;
        });
        await verdicts.more();
        times.push(performance.now());
        const tookS = times.slice(1).map((ms, at) => ((ms - (times[at] ?? 0)) / 1_000).toFixed(1));
        const [fault, streams, webhooks] = tookS;
        part.diagnostic(
          `${log.entries.length} items, ${owed.join(" and ")} delivered; ${fault} s, streams and lists after ${streams} s, endpoints after ${webhooks} s`,
        );
      });
    }
    for (const line of new Set(installation.said)) context.diagnostic(line.slice(0, 400));
  },
  { timeout: isFull ? 1_800_000 : 240_000, ...(noNats === false ? {} : { skip: noNats }) },
);

/** Waits until all is caught up while nothing is pushed. @returns the log, which everybody has */
async function settled({ installation, pusher }: Scene, readers: readonly Reader[]): Promise<KnownLog> {
  const { feed, key } = installation;
  feed.pause();
  await installation.isWhole(recoveryMs);
  let log = await installation.log();
  const isPolled = async () => {
    log = await installation.log();
    const titles = new Set(log.entries.map(({ item }) => item.title));
    return feed.titles.every((title) => titles.has(title));
  };
  await until(isPolled, "the feed was polled", recoveryMs);
  const idByTitle = new Map(log.entries.map(({ item }) => [item.title, item.id]));
  const ids = new Set(log.entries.map(({ item }) => item.id));
  assert.equal(ids.size, pusher.taken.size + feed.titles.length, "items in the log");
  for (const [title, id] of pusher.taken) assert.equal(idByTitle.get(title), id, title);
  const isDone = (reader: Reader) => reader.lastSeq === (reader.owed(log.entries, 0).at(-1)?.seq ?? 0);
  await until(() => readers.every(isDone), "everything has come to the streams", recoveryMs);
  for (const reader of readers) reader.check(log.entries, 0);
  for (const name of ["api-1", "api-2"] as const) await checkList({ url: installation.url(name), key }, log);
  return log;
}
