/**
 * The stream of the service with gateway, keys, quota and counts, over a database of its own; stdin feeds its log: a number
 * is that many items, which arrive as the log's bus brings them, already committed. The database would not append as fast as
 * the stream delivers.
 */
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { tagDictionary } from "@tapewire/contract/tags.ts";
import { Accounts } from "@tapewire/server/account/keys/accounts.ts";
import { Authenticator } from "@tapewire/server/account/keys/auth.ts";
import { RealtimeQuota } from "@tapewire/server/account/realtime-quota.ts";
import { Refusals } from "@tapewire/server/account/refusals.ts";
import { SnapshotAllowance } from "@tapewire/server/account/snapshot-allowance.ts";
import { StreamSlots } from "@tapewire/server/account/stream-slots.ts";
import { inProcessBus } from "@tapewire/server/bus/bus.ts";
import { readConfigFile } from "@tapewire/server/config/files.ts";
import { encodeDoc } from "@tapewire/server/feed/view.ts";
import { apiErrorOf } from "@tapewire/server/http/wire/error-mapping.ts";
import { ItemTail } from "@tapewire/server/itemlog/tail.ts";
import { systemClock as clock } from "@tapewire/server/runtime/clock.ts";
import { createLog } from "@tapewire/server/runtime/log.ts";
import { Metrics } from "@tapewire/server/runtime/metrics.ts";
import { openDb } from "@tapewire/server/store/engine/db.ts";
import { migrate } from "@tapewire/server/store/schema/migrate.ts";
import { StreamGateway } from "@tapewire/server/stream/gateway.ts";
import { roomyPlans } from "./roomy-plans.ts";
import { preparedItems } from "./stream-items.ts";

const accountCount = 50;
const config = (name: string) => new URL(`../config/${name}`, import.meta.url);
const [, , databaseUrl = "", dataDir = ""] = process.argv;

await using stack = new AsyncDisposableStack();
const log = createLog("warn");
const db = stack.use(await openDb({ databaseUrl: databaseUrl === "" ? null : databaseUrl, dataDir, log }));
await migrate(db);
const bus = inProcessBus();
// The bus's items are not in the table, so a tail that read the table would take the log for lost.
const unpolled = { ...clock, sleep: (_: number, signal?: AbortSignal) => untilAborted(signal) };
const tail = stack.use(await ItemTail.open({ db: db.main, bus, log, clock: unpolled }));
const auth = stack.use(new Authenticator({ db: db.main, bus, plans: roomyPlans(), clock, log }));
const tags = readConfigFile(config("tags.json"), tagDictionary);
const server = createServer();
stack.use(
  new StreamGateway(server, {
    ...{ tail, auth, bus },
    slots: stack.use(await StreamSlots.start({ db: db.main, log })),
    quota: stack.use(new RealtimeQuota({ db: db.main, clock, log, usage: auth.usage })),
    snapshots: new SnapshotAllowance({ db: db.main, clock, rates: auth.rates }),
    dictionary: { tags, events: [] },
    clock,
    log,
    ready: () => true,
    // No client requests a snapshot.
    latest: async () => ({ items: [], last: null }),
    apiErrorOf,
    refusals: new Refusals(new Metrics(log)),
  }),
);
const keys = await makeKeys();
const items = preparedItems().map((item) => ({ item, encoded: JSON.stringify(item) }));
createInterface({ input: process.stdin }).on("line", (line) => publish(Number(line)));
process.on("SIGTERM", () => process.exit(0));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.address();
const port = typeof address === "object" ? address?.port : null;
console.log(`ready ${JSON.stringify({ port, keys })}`);
await new Promise<never>(() => {});

async function makeKeys(): Promise<string[]> {
  const accounts = new Accounts({ db: db.main, clock, auth });
  const made = Array.from({ length: accountCount }, (_, n) =>
    accounts.createKey({ plan: "enterprise", name: `bench ${n}` }),
  );
  return (await Promise.all(made)).map(({ key }) => key);
}

function publish(count: number): void {
  const at = clock.now().toISOString();
  const fresh = Array.from({ length: count }, (_, n) => {
    const seq = tail.head + 1 + n;
    const { item, encoded } = items[seq % items.length] ?? raise();
    return { seq, item: { ...item, seq, scraped_at: at }, doc: encodeDoc(seq, encoded) };
  });
  bus.publish({ epoch: tail.epoch, items: fresh });
}

function untilAborted(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal?.addEventListener("abort", () => resolve()));
}

function raise(): never {
  throw new Error("no items");
}
