import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createDatabase, onPostgres } from "../support/db.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { type Service, startService } from "../support/service.ts";
import { silentProxy } from "../support/silent-proxy.ts";
import { StreamClient } from "../support/stream-client.ts";

const silentMs = 3_000;
/** From the beginning of the silence: by then everything goes on by itself. */
const recoveredMs = 15_000;

onPostgres("15 s after a database vanished for 3 s, without a word, every answer is 200 again", async () => {
  await using database = await createDatabase();
  await using proxy = await silentProxy(database.url);
  await using receivers = await startReceivers({});
  await using service = await startService("postgres", {
    databaseUrl: proxy.url,
    webhookAllow: ["127.0.0.0/8"],
  });
  const { key } = await service.key("enterprise");
  await makeEndpoint(service, key, receivers.url("/"));
  await using stream = await StreamClient.connect(service.app.wsUrl, { key });
  await stream.next("welcome");
  await stream.subscribe();
  const [first] = await service.push({ title: "Quillmere Freight before the silence" });
  const id = first?.id ?? "";
  await stream.feeds(1);
  await until(() => receivers.at("/").length > 0, "the first delivery");

  await proxy.silence();
  const end = performance.now() + recoveredMs;
  const left = () => Math.max(1, Math.ceil(end - performance.now()));
  const waves: Promise<number[]>[] = [];
  for (const silentUntil = performance.now() + silentMs; performance.now() < silentUntil; await sleep(200))
    waves.push(everyPath(service, { key, id, timeoutMs: left() }));
  await proxy.forward();
  const ask = () => everyPath(service, { key, id, timeoutMs: left() });
  const isWell = (statuses: readonly number[]) => statuses.every((status) => status === 200);
  await until(async () => isWell(await ask()), "every answer is 200", left());
  // More at once than there were connections, so that each of those left over would be found.
  for (const statuses of await Promise.all(Array.from({ length: 25 }, ask)))
    assert.ok(isWell(statuses), statuses.join());
  const last = "Quillmere Freight after the silence";
  const [pushed] = await service.push({ title: last });
  assert.equal(pushed?.status, "created");
  await until(() => receivers.at("/").some(({ body }) => body.includes(last)), "the delivery", left());
  for (let title = ""; title !== last; ) title = (await stream.next("feed")).data.title ?? "";
  await Promise.all(waves);
});

async function makeEndpoint(service: Service, key: string, url: string): Promise<void> {
  const made = await fetch(`${service.url}/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ url }),
  });
  assert.equal(made.status, 201, await made.text());
}

let pushes = 0;

/** The status of each; 0: no answer in time. */
async function everyPath(
  service: Service,
  { key, id, timeoutMs }: { key: string; id: string; timeoutMs: number },
): Promise<number[]> {
  const signal = AbortSignal.timeout(timeoutMs);
  const reader = { authorization: `Bearer ${key}` };
  const push = {
    method: "POST",
    headers: { authorization: `Bearer ${service.adminToken}`, "content-type": "application/json" },
    body: JSON.stringify([{ title: `Quillmere Freight, report ${pushes++}` }]),
  };
  const asked = [
    fetch(`${service.url}/readyz`, { signal }),
    fetch(`${service.url}/v1/feeds?limit=5`, { headers: reader, signal }),
    fetch(`${service.url}/v1/feeds/${id}`, { headers: reader, signal }),
    fetch(`${service.url}/v1/usage`, { headers: reader, signal }),
    fetch(`${service.url}/v1/symbols?limit=5`, { headers: reader, signal }),
    fetch(`${service.url}/admin/v1/items`, { ...push, signal }),
  ];
  const statuses = asked.map((answer) =>
    answer.then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    ),
  );
  return Promise.all(statuses);
}
