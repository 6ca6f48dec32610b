import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type Webhook, webhookDeletion } from "@tapewire/contract/webhooks.ts";
import { type Client, nobody, url, wholeEndpoint } from "./client.ts";

export async function createdAndRead(mine: Client): Promise<void> {
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
    last_attempt_at: null,
    last_error: null,
    matched_today: 0,
    delivered_today: 0,
    matched_total: 0,
    delivered_total: 0,
    rotation_ends_at: null,
    max_age: 86_400,
    format: "tapewire",
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

export async function sentBack(mine: Client): Promise<void> {
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

export async function listed(mine: Client, other: Client): Promise<void> {
  const before = await mine.list();
  const made = [await mine.create({ url }), await mine.create({ url }), await mine.create({ url })];
  const text = await (await mine.call("GET", "")).text();
  assert.doesNotMatch(text, /whsec_|secret/);
  const shown = made.map(({ secret: _, ...rest }) => rest);
  assert.deepEqual(await mine.list(), [...before, ...shown]);
  assert.deepEqual(await other.list(), []);
}

export async function malformed(mine: Client): Promise<void> {
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

export async function refusedUrls(mine: Client): Promise<void> {
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

export async function changed(mine: Client): Promise<void> {
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

export async function deleted(mine: Client): Promise<void> {
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

export async function ofAnother(mine: Client, other: Client): Promise<void> {
  const made = await mine.create({ url });
  await isNotThere(other, made.id);
  assert.deepEqual(await mine.read(made.id), made);
}

export async function repeated(mine: Client): Promise<void> {
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
