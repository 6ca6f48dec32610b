import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { problem } from "@tapewire/contract/errors.ts";
import { planTable } from "@tapewire/contract/plans.ts";
import { tagDictionary } from "@tapewire/contract/tags.ts";
import { type Webhook, webhookDeletion, webhookSchemas } from "@tapewire/contract/webhooks.ts";
import { sql } from "kysely";
import { SecretError } from "../../src/account/sealed-secrets.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { openPostgres } from "../../src/store/engine/db.ts";
import { onBothEngines } from "../support/db.ts";
import { temporaryFolder } from "../support/process.ts";
import { until } from "../support/receiver.ts";
import { type Service, startService } from "../support/service.ts";

const shipped = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../config/${name}.json`, import.meta.url), "utf8"));
const dictionary = tagDictionary.parse(shipped("tags"));
const plans = planTable.parse(shipped("plans"));
const { endpoint, list } = webhookSchemas(dictionary);
const wholeEndpoint = endpoint.strict();
const wholeList = list.strict();

const nobody = "00000000-0000-4000-8000-000000000000";
// Of the public internet, and judged without a name server.
const url = "https://1.1.1.1/hook";

/** Calls of one account's key. */
function client(service: Pick<Service, "url">, key: string) {
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/v1/webhooks${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const endpointOf = async (response: Response, status: number): Promise<Webhook> => {
    const text = await response.text();
    assert.equal(response.status, status, text);
    return wholeEndpoint.parse(JSON.parse(text));
  };
  return {
    call,
    create: async (body: unknown, headers?: Record<string, string>) =>
      endpointOf(await call("POST", "", body, headers), 201),
    read: async (id: string) => endpointOf(await call("GET", `/${id}`), 200),
    update: async (id: string, body: unknown) => endpointOf(await call("PATCH", `/${id}`, body), 200),
    list: async () => wholeList.parse(await (await call("GET", "")).json()).data,
    /** Status, code and the fields that are named, of a call that is refused. */
    refused: async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
      const response = await call(method, path, body, headers);
      const { status, code, errors = [] } = problem.parse(await response.json());
      assert.equal(response.status, status);
      return [status, code, ...errors.map(({ name }) => name)];
    },
  };
}
type Client = ReturnType<typeof client>;

onBothEngines("webhook endpoints", async (context, engine) => {
  using folder = temporaryFolder();
  const plansFile = join(folder.path, "plans.json");
  // Calls as fast as a test makes them.
  const hurried = Object.entries(plans).map(([name, plan]) => [
    name,
    { ...plan, requests_per_minute: 1_000_000 },
  ]);
  writeFileSync(plansFile, JSON.stringify(Object.fromEntries(hurried)));
  const secret = "the secret of all these processes";
  await using service = await startService(engine, { plansFile, secret });
  const account = async (plan: "free" | "starter" | "enterprise") =>
    client(service, (await service.key(plan)).key);
  const [mine, other] = [await account("enterprise"), await account("starter")];

  await context.test("one is created with a secret, and read with it", () => createdAndRead(mine));
  await context.test("the list is the account's own, oldest first, without secrets", () =>
    listed(mine, other),
  );
  await context.test("what is malformed is refused, naming the member", () => malformed(mine));
  await context.test("a URL that deliveries may not go to is refused at creation and at change", () =>
    refusedUrls(mine),
  );
  await context.test("any of url, description, enabled and filters is changed", () => changed(mine));
  await context.test("a record may be sent back as it was read; what no update changes is left", () =>
    sentBack(mine),
  );
  await context.test("a deleted endpoint is gone", () => deleted(mine));
  await context.test("another account's endpoint is as one that is not there", () => ofAnother(mine, other));
  await context.test("a repeat with its Idempotency-Key makes no second endpoint", () => repeated(mine));
  await context.test("a plan allows so many endpoints an account", async () => {
    const free = await account("free");
    const { id } = await free.create({ url });
    assert.deepEqual(await free.refused("POST", "", { url }), [403, "plan_limit"]);
    await free.call("DELETE", `/${id}`);
    await free.create({ url });
  });
  await context.test("a smaller plan disables the newest, and says why", async () => {
    const { key, account_id } = await service.key("pro");
    const moving = client(service, key);
    const made = [];
    for (let n = 0; n < 4; n += 1) made.push((await moving.create({ url, filters: null })).id);
    const [first, second, third] = made;
    await service.admin("PATCH", `/admin/v1/accounts/${account_id}`, { plan: "starter" });
    const shown = async () => (await moving.list()).map(({ status }) => status);
    await until(async () => (await shown()).includes("auto_disabled"), "the plan is smaller");
    assert.deepEqual(await shown(), ["enabled", "enabled", "auto_disabled", "auto_disabled"]);
    const { disabled_reason } = await moving.read(third ?? "");
    assert.equal(disabled_reason, "the plan allows 2 enabled endpoints");
    assert.deepEqual(await moving.refused("PATCH", `/${third}`, { enabled: true }), [403, "plan_limit"]);
    await moving.update(second ?? "", { enabled: true });
    await moving.update(first ?? "", { enabled: false });
    assert.equal((await moving.update(third ?? "", { enabled: true })).disabled_reason, null);
    assert.deepEqual(await shown(), ["disabled", "enabled", "enabled", "auto_disabled"]);
  });
  const { databaseUrl } = service.config;
  if (databaseUrl === null) return;
  await context.test("no secret lies open in the database; what the service disabled is revived", () =>
    inTheDatabase(mine, databaseUrl),
  );
  await context.test("processes on one database share the limit of a plan", () =>
    limitOverProcesses(service),
  );
  await context.test("a process with another secret does not start", async () => {
    const stranger = startService("postgres", { databaseUrl, secret: "another secret altogether" });
    await assert.rejects(stranger, (error) => {
      assert.ok(error instanceof SecretError);
      assert.match(error.message, /TAPEWIRE_SECRET/);
      assert.doesNotMatch(error.message, /another secret altogether/);
      return true;
    });
  });
});

async function createdAndRead(mine: Client): Promise<void> {
  const answer = await mine.call("POST", "", { url });
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const made = wholeEndpoint.parse(await answer.json());
  assert.match(made.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(await mine.read(made.id), made);
  const { id: _, secret, created_at, updated_at, ...rest } = made;
  assert.equal(created_at, updated_at);
  assert.deepEqual(rest, {
    url,
    description: null,
    enabled: true,
    filters: {},
    status: "enabled",
    disabled_reason: null,
    failing_since: null,
    last_delivery_at: null,
    last_status: null,
    matched_today: 0,
    delivered_today: 0,
    matched_total: 0,
    delivered_total: 0,
    rotation_ends_at: null,
    max_age: 86_400,
  });
  const filters = {
    symbols: ["nasdaq:aapl", " AAPL", "aapl"],
    exchanges: ["nyse"],
    actionability: true,
    sentiment_min: 0,
    sentiment_max: 3,
    tags: { market: ["Stock"], market_country: ["us"] },
  };
  const filtered = await mine.create({ url, description: " for the desk ", filters });
  assert.equal(filtered.description, "for the desk");
  assert.notEqual(filtered.secret, secret);
  assert.deepEqual(filtered.filters, {
    ...filters,
    symbols: ["AAPL", "NASDAQ:AAPL"],
    exchanges: ["NYSE"],
    tags: { market: ["stock"], market_country: ["US"] },
  });
}

async function sentBack(mine: Client): Promise<void> {
  const absent = { description: null, filters: null, max_age: null };
  const made = await mine.create({ url, ...absent });
  assert.deepEqual([made.description, made.max_age], [null, 86_400]);
  const read = await mine.read(made.id);
  const changed = await mine.update(made.id, { ...read, description: "sent back", matched_total: 17 });
  assert.deepEqual({ ...changed, updated_at: "" }, { ...read, description: "sent back", updated_at: "" });
  const nulls = await mine.update(made.id, { url: null, enabled: null, max_age: null });
  assert.deepEqual({ ...nulls, updated_at: "" }, { ...changed, updated_at: "" });
  const others = {
    id: nobody,
    status: "disabled",
    created_at: "2026-01-01T00:00:00.000Z",
    secret: "whsec_x",
  };
  for (const [name, value] of Object.entries(others))
    assert.deepEqual(await mine.refused("PATCH", `/${made.id}`, { ...read, [name]: value }), [
      400,
      "invalid_body",
      name,
    ]);
}

async function listed(mine: Client, other: Client): Promise<void> {
  const before = await mine.list();
  const made = [await mine.create({ url }), await mine.create({ url }), await mine.create({ url })];
  const text = await (await mine.call("GET", "")).text();
  assert.doesNotMatch(text, /whsec_|secret/);
  const shown = made.map(({ secret: _, ...rest }) => rest);
  assert.deepEqual(await mine.list(), [...before, ...shown]);
  assert.deepEqual(await other.list(), []);
}

async function malformed(mine: Client): Promise<void> {
  const bodies: [body: unknown, ...names: string[]][] = [
    [{}, "url"],
    [{ url: 17 }, "url"],
    [{ url, description: "x".repeat(501) }, "description"],
    [{ url, description: "a\u0000b" }, "description"],
    [{ url, enabled: true }, "enabled"],
    [{ url, filters: [] }, "filters"],
    [{ url, max_age: 59 }, "max_age"],
    [{ url, max_age: 604_801 }, "max_age"],
    [{ url, filters: { symbol: ["AAPL"] } }, "filters.symbol"],
    [{ url, filters: { providers: ["sec"] } }, "filters.providers"],
    [{ url, filters: { symbols: "AAPL" } }, "filters.symbols"],
    [{ url, filters: { tags: { mood: ["x"] } } }, "filters.tags.mood"],
    [{ url, filters: { tags: { market: ["x"] } } }, "filters.tags.market[0]"],
    [{ url, filters: { sentiment_max: 11 } }, "filters.sentiment_max"],
    [{ url, filters: { sentiment_min: 6, sentiment_max: 5 } }, "filters.sentiment_min"],
    [
      { url, filters: { symbols: Array.from({ length: 1_000 }, (_, n) => `${n}`.padEnd(200, "X")) } },
      "filters",
    ],
  ];
  const before = await mine.list();
  for (const [body, ...names] of bodies)
    assert.deepEqual(await mine.refused("POST", "", body), [400, "invalid_body", ...names]);
  assert.deepEqual(await mine.list(), before);
  const made = await mine.create({ url });
  for (const [body, ...names] of [
    [{ enabled: "no" }, "enabled"],
    [{ url: 17 }, "url"],
    [{ colour: "blue" }, "colour"],
    [{ secret: "whsec_" }, "secret"],
    [{ filters: { symbol: [] } }, "filters.symbol"],
  ] as const)
    assert.deepEqual(await mine.refused("PATCH", `/${made.id}`, body), [400, "invalid_body", ...names]);
  assert.deepEqual(await mine.read(made.id), made);
  for (const method of ["GET", "DELETE"])
    assert.deepEqual(await mine.refused(method, "/17"), [400, "invalid_parameter", "id"]);
}

async function refusedUrls(mine: Client): Promise<void> {
  const made = await mine.create({ url });
  const path = `https://1.1.1.1/${"x".repeat(2_048 - "https://1.1.1.1/".length)}`;
  await mine.create({ url: path });
  for (const bad of [
    "",
    "not a URL",
    "/hook",
    "ftp://1.1.1.1/",
    "http://1.1.1.1/",
    "https://user:word@1.1.1.1/",
    "https://1.1.1.1/a\nb",
    `${path}x`,
    "https://10.0.0.1/",
    "https://0xa9fea9fe/",
    "https://[::ffff:10.0.0.1]/",
    "https://printer.local/",
  ]) {
    assert.deepEqual(await mine.refused("POST", "", { url: bad }), [400, "invalid_url", "url"], bad);
    assert.deepEqual(await mine.refused("PATCH", `/${made.id}`, { url: bad }), [400, "invalid_url", "url"]);
  }
  assert.deepEqual(await mine.read(made.id), made);
}

async function changed(mine: Client): Promise<void> {
  const made = await mine.create({ url, filters: { symbols: ["AAPL"], actionability: true } });
  assert.deepEqual(await mine.update(made.id, {}), made);

  const steps: [body: object, wanted: Partial<Webhook>][] = [
    [{ url: "https://1.1.1.1/other" }, {}],
    [{ description: "desk" }, {}],
    [{ description: null }, {}],
    [{ max_age: 60 }, {}],
    [{ max_age: 604_800 }, {}],
    [{ enabled: false }, { status: "disabled" }],
    [{ enabled: true }, { status: "enabled" }],
    [{ filters: { exchanges: ["NYSE"] } }, {}],
    [{ filters: {} }, {}],
    [{ filters: { exchanges: ["NYSE"] }, enabled: false }, { status: "disabled" }],
    [{ filters: null }, { filters: {} }],
  ];
  let now = made;
  for (const [body, wanted] of steps) {
    const { updated_at, ...after } = await mine.update(made.id, body);
    const { updated_at: earlier, ...before } = now;
    assert.deepEqual(after, { ...before, ...body, ...wanted });
    assert.ok(updated_at >= earlier);
    now = { ...after, updated_at };
    assert.deepEqual(await mine.read(made.id), now);
  }
  assert.deepEqual(await mine.refused("PATCH", `/${nobody}`, { enabled: true }), [404, "not_found"]);
  assert.deepEqual(await mine.refused("PATCH", `/${nobody}`, {}), [404, "not_found"]);
}

async function deleted(mine: Client): Promise<void> {
  const { id } = await mine.create({ url });
  const answer = await mine.call("DELETE", `/${id}`);
  assert.equal(answer.status, 200);
  assert.deepEqual(webhookDeletion.strict().parse(await answer.json()), { id, deleted: true });
  await isNotThere(mine, id);
  assert.ok((await mine.list()).every((one) => one.id !== id));
}

async function isNotThere(who: Client, id: string): Promise<void> {
  const gone = [404, "not_found"];
  assert.deepEqual(await who.refused("GET", `/${id}`), gone);
  assert.deepEqual(await who.refused("PATCH", `/${id}`, { enabled: false }), gone);
  assert.deepEqual(await who.refused("DELETE", `/${id}`), gone);
}

async function ofAnother(mine: Client, other: Client): Promise<void> {
  const made = await mine.create({ url });
  await isNotThere(other, made.id);
  assert.deepEqual(await mine.read(made.id), made);
}

async function repeated(mine: Client): Promise<void> {
  const before = (await mine.list()).length;
  const key = { "idempotency-key": randomUUID() };
  const made = await mine.create({ url }, key);
  assert.deepEqual(await mine.create({ url }, key), made);
  assert.equal((await mine.list()).length, before + 1);
  const conflict = [409, "idempotency_conflict"];
  assert.deepEqual(await mine.refused("POST", "", { url: "https://1.1.1.1/2" }, key), conflict);
  await mine.call("DELETE", `/${made.id}`);
  assert.deepEqual(await mine.refused("POST", "", { url }, key), conflict);
}

/** What only a second look into the tables shows. */
async function inTheDatabase(mine: Client, databaseUrl: string): Promise<void> {
  await using db = await openPostgres(databaseUrl, silentLog);
  const made = await mine.create({ url }, { "idempotency-key": "in-the-database" });
  const bytes = Buffer.from(made.secret.slice("whsec_".length), "base64");
  const kept = await sql<{ text: string }>`
    select row_to_json(e)::text as text from webhook_endpoints e
    union all select row_to_json(c)::text from idempotent_calls c
    union all select row_to_json(s)::text from settings s`.execute(db.main);
  const all = kept.rows.map(({ text }) => text).join("\n");
  assert.ok(all.includes(made.id));
  for (const shape of [made.secret, Buffer.from(made.secret).toString("hex"), bytes.toString("hex")])
    assert.ok(!all.includes(shape), "a signing secret lies open in the database");

  await sql`
    update webhook_endpoints set status = 'auto_disabled', disabled_reason = 'answers 410', failing_since = now(),
      matched_total = 5, matched_today = 3, counted_on = (now() at time zone 'utc')::date - 1
    where id = ${made.id}`.execute(db.main);
  const ended = await mine.read(made.id);
  assert.deepEqual(
    [ended.enabled, ended.status, ended.disabled_reason, ended.matched_total, ended.matched_today],
    [false, "auto_disabled", "answers 410", 5, 0],
  );
  assert.ok(ended.failing_since !== null);
  const described = await mine.update(made.id, { description: "x" });
  assert.equal(described.status, "auto_disabled");
  const revived = await mine.update(made.id, { enabled: true });
  assert.deepEqual(
    [revived.enabled, revived.status, revived.disabled_reason, revived.failing_since],
    [true, "enabled", null, null],
  );
}

async function limitOverProcesses(first: Service): Promise<void> {
  const { databaseUrl, plansFile, secret } = first.config;
  await using second = await startService("postgres", { databaseUrl, plansFile, secret });
  const { key } = await first.key("quant");
  const limit = plans.quant.webhook_endpoints;
  const [here, there] = [client(first, key), client(second, key)];
  const creations = Array.from({ length: 100 }, (_, index) => ({ url: `${url}/${index}` })).flatMap(
    (body) => [here.call("POST", "", body), there.call("POST", "", body)],
  );
  const answers = await Promise.all(creations);
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 201).length, limit);
  assert.equal(statuses.filter((status) => status === 403).length, 200 - limit);
  const [shown, alsoShown] = [await here.list(), await there.list()];
  assert.deepEqual(shown, alsoShown);
  assert.equal(shown.length, limit);
  const id = shown[0]?.id ?? "";
  assert.deepEqual(await here.read(id), await there.read(id));
}
