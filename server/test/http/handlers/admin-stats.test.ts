import assert from "node:assert/strict";
import { operatorStats, processList } from "@tapewire/contract/operator/process-stats.ts";
import { onAnyEngine } from "../../support/db.ts";
import { startReceivers, until } from "../../support/receiver.ts";
import { type Service, startService } from "../../support/service.ts";
import { connect, notices } from "../../support/stream-connect.ts";

type Series = readonly (number | null)[];
const sum = (series: Series) => series.reduce<number>((total, value) => total + (value ?? 0), 0);

async function statsOf(service: Service, minutes = "60") {
  const response = await service.admin("GET", `/admin/v1/stats?minutes=${minutes}`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return operatorStats.parse(JSON.parse(text));
}

async function processesOf(service: Service) {
  return processList.parse(await (await service.admin("GET", "/admin/v1/processes")).json()).data;
}

onAnyEngine("the operator sees what each process does, minute by minute", async (context, engine) => {
  await using receivers = await startReceivers({ "/good": () => 204 });
  await using service = await startService(engine, { webhookAllow: ["127.0.0.0/8"], demo: "off" });
  const { key } = await service.key("pro");

  await context.test("items, streams, deliveries and the process itself", async () => {
    await fetch(`${service.url}/v1/webhooks`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ url: receivers.url("/good"), filters: { symbols: ["DEMO:LOOK"] } }),
    });
    await using client = await connect(service, key);
    await client.subscribe();
    const pushed = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((n) =>
      notices(n, { source: `source-${n}`, symbols: n === 1 ? ["DEMO:LOOK"] : [] }),
    );
    const [first] = await service.push(...pushed);
    await service.admin("DELETE", `/admin/v1/items/${first?.id}`);
    await client.feeds(46);
    const delivered = async () => sum((await statsOf(service)).processes[0]?.deliveries ?? []);
    await until(async () => (await delivered()) === 2, "the deliveries are counted");
    const { minutes, processes, database } = await statsOf(service);
    assert.equal(minutes.length, 60);
    assert.equal(processes.length, 1);
    const [one] = processes;
    assert.ok(one?.running && one.answering);
    assert.deepEqual([one.pid, one.roles.length], [process.pid, 4]);
    assert.deepEqual([sum(one.items), sum(one.revisions), sum(one.stream_items)], [45, 1, 46]);
    assert.equal(one.streams.at(-1), 1);
    assert.deepEqual(
      one.sources.map(({ source, items }) => [source, sum(items)]),
      [...[9, 8, 7, 6, 5, 4, 3, 2].map((n) => [`source-${n}`, n]), [null, 1]],
    );
    assert.ok(sum(one.receive_to_publish_p99_ms) >= sum(one.receive_to_publish_p50_ms));
    assert.ok(one.receive_to_publish_p50_ms.some((ms) => ms !== null));
    assert.ok(
      one.source_to_publish_p50_ms.every((ms) => ms === null),
      "pushed items have no such time",
    );
    assert.ok((one.cpu.at(-1) ?? 0) > 0 && (one.rss_bytes.at(-1) ?? 0) > 1e7);
    assert.ok((one.disk_free_bytes ?? 0) > 0);
    assert.equal(
      database.bytes,
      database.parts.reduce((total, { bytes }) => total + bytes, 0),
    );
    const month = minutes.at(-1)?.slice(0, 7).replace("-", "");
    assert.ok(database.parts.some((part) => part.part === "bodies" && part.month === month));
    assert.equal(database.kept_since, null);
    assert.equal((await statsOf(service, "1440")).minutes.length, 1440);
  });

  await context.test("other numbers of minutes and other tokens are refused", async () => {
    for (const minutes of ["61", "", "x"])
      assert.equal((await service.admin("GET", `/admin/v1/stats?minutes=${minutes}`)).status, 400);
    for (const path of ["/admin/v1/stats", "/admin/v1/processes"])
      assert.equal((await service.get(path, key)).status, 401);
  });

  await context.test("every process on the database", async () => {
    const [one] = await processesOf(service);
    assert.deepEqual([one?.running, one?.answering, one?.log_head], [true, true, 46]);
    if (service.config.databaseUrl === null) return;
    await using second = await startService("postgres", {
      databaseUrl: service.config.databaseUrl,
      roles: ["api"],
    });
    await second.push(...notices(2, { source: "second" }));
    assert.equal((await processesOf(second)).length, 2);
    const { processes } = await statsOf(service);
    const other = processes.find(({ answering }) => !answering);
    assert.deepEqual([other?.roles, sum(other?.items ?? []), other?.running], [["api"], 2, true]);
    assert.deepEqual(sum(processes.find(({ answering }) => answering)?.items ?? []), 45);
  });
});
