import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  account,
  createdKey,
  type PushResult,
  pushAnswer,
  pushLimits,
  sourceHealthList,
} from "@tapewire/contract/admin.ts";
import { problem } from "@tapewire/contract/errors.ts";
import { feedItemDetail } from "@tapewire/contract/feeds.ts";
import { z } from "zod";
import { type Service, startService } from "../support/service.ts";

const nobody = "00000000-0000-4000-8000-000000000000";
const accountList = z.strictObject({ data: z.array(account.strict()) });

describe("admin API", () => {
  let service: Service;
  let reader = "";
  before(async () => {
    service = await startService("pglite");
    reader = (await service.key("enterprise")).key;
  });
  after(() => service[Symbol.asyncDispose]());

  const postItems = (body: string | Buffer, type = "application/json") =>
    fetch(`${service.url}/admin/v1/items`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.adminToken}`, "content-type": type },
      body,
    });
  const results = async (response: Response): Promise<PushResult[]> => {
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return pushAnswer.strict().parse(JSON.parse(text)).data;
  };
  const read = async (id: string | null | undefined) => {
    const response = await service.get(`/v1/feeds/${id}`, reader);
    assert.equal(response.status, 200);
    return feedItemDetail.parse(await response.json());
  };
  const refused = async (response: Response, status: number) => {
    assert.equal(response.status, status);
    return problem.parse(await response.json());
  };

  test("an account is created, listed and renamed", async () => {
    const response = await service.admin("POST", "/admin/v1/accounts", { name: " Desk ", plan: "starter" });
    assert.equal(response.status, 201);
    const made = account.strict().parse(await response.json());
    assert.deepEqual([made.name, made.plan], ["Desk", "starter"]);
    const renamed = await service.admin("PATCH", `/admin/v1/accounts/${made.id}`, { name: "Desk 2" });
    assert.deepEqual(account.parse(await renamed.json()), { ...made, name: "Desk 2" });
    const { data } = accountList.parse(await (await service.admin("GET", "/admin/v1/accounts")).json());
    assert.deepEqual(
      data.filter(({ id }) => id === made.id),
      [{ ...made, name: "Desk 2" }],
    );
  });

  test("a change of plan is in force for the next request", async () => {
    const { key, account_id } = await service.key("free");
    assert.equal((await service.get("/v1/feeds", key)).status, 403);
    await service.admin("PATCH", `/admin/v1/accounts/${account_id}`, { plan: "starter" });
    const response = await service.get("/v1/feeds", key);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("x-page-limit"), "100");
  });

  test("an account that is not there is 404, a change of nothing 400", async () => {
    await refused(await service.admin("PATCH", `/admin/v1/accounts/${nobody}`, { plan: "pro" }), 404);
    await refused(await service.admin("PATCH", "/admin/v1/accounts/17", { plan: "pro" }), 400);
    const { account_id } = await service.key("free");
    await refused(await service.admin("PATCH", `/admin/v1/accounts/${account_id}`, {}), 400);
  });

  test("a key is made for an account or for a plan, not for both or neither", async () => {
    const first = await service.key("pro");
    const second = await service.admin("POST", "/admin/v1/keys", {
      account_id: first.account_id,
      name: "laptop",
    });
    assert.equal(second.status, 201);
    const made = createdKey.strict().parse(await second.json());
    assert.deepEqual([made.account_id, made.name, made.plan], [first.account_id, "laptop", "pro"]);
    assert.notEqual(made.key, first.key);
    await refused(await service.admin("POST", "/admin/v1/keys", {}), 400);
    await refused(
      await service.admin("POST", "/admin/v1/keys", { account_id: first.account_id, plan: "pro" }),
      400,
    );
    await refused(await service.admin("POST", "/admin/v1/keys", { account_id: nobody }), 404);
    await refused(await service.admin("POST", "/admin/v1/keys", { plan: "pro", expires_at: "soon" }), 400);
  });

  test("revoking twice is no error and keeps the first time; an unknown key is 404", async () => {
    const { id } = await service.key("pro");
    const revoke = async () =>
      z
        .looseObject({ revoked_at: z.string() })
        .parse(await (await service.admin("DELETE", `/admin/v1/keys/${id}`)).json()).revoked_at;
    assert.equal(await revoke(), await revoke());
    await refused(await service.admin("DELETE", `/admin/v1/keys/${nobody}`), 404);
    await refused(await service.admin("DELETE", "/admin/v1/keys/17"), 400);
  });

  test("a single item, an array and NDJSON are all taken", async () => {
    const item = (external_id: string) => JSON.stringify({ title: `Notice ${external_id}`, external_id });
    const single = await results(await postItems(item("one")));
    const array = await results(await postItems(`[${item("two")},${item("three")}]`));
    const ndjson = await results(
      await postItems(`${item("four")}\r\n\n${item("five")}\n`, "application/x-ndjson; charset=utf-8"),
    );
    assert.deepEqual(
      [single, array, ndjson].map((list) => list.map(({ status, unique_id }) => [status, unique_id])),
      [
        [["created", "guid:push:one"]],
        [
          ["created", "guid:push:two"],
          ["created", "guid:push:three"],
        ],
        [
          ["created", "guid:push:four"],
          ["created", "guid:push:five"],
        ],
      ],
    );
    for (const { id } of [...single, ...array, ...ndjson]) await read(id);
  });

  test("null for an optional member is as if it were absent", async () => {
    const absent = {
      type: null,
      body: null,
      link: null,
      source: null,
      provider: null,
      published_at: null,
      symbols: null,
      tags: null,
    };
    const [pushed] = await results(
      await postItems(JSON.stringify({ ...absent, title: "Nulls", external_id: "nulls" })),
    );
    assert.deepEqual([pushed?.status, pushed?.unique_id], ["created", "guid:push:nulls"]);
    const nulls = { account_id: null, plan: "pro", name: null, expires_at: null };
    const made = await service.admin("POST", "/admin/v1/keys", nulls);
    assert.equal(createdKey.parse(await made.json()).name, "key");
  });

  test("an account may be sent back as it was read", async () => {
    const { account_id } = await service.key("pro");
    const path = `/admin/v1/accounts/${account_id}`;
    const read = account.parse(await (await service.admin("PATCH", path, { name: "Desk" })).json());
    const again = await service.admin("PATCH", path, { ...read, name: "Desk 2", plan: null });
    assert.deepEqual(account.parse(await again.json()), { ...read, name: "Desk 2" });
  });

  test("broken lines and invalid items are told in their place, the others are stored", async () => {
    const lines = [
      JSON.stringify({ title: "First of the good", external_id: "good-1" }),
      '{"title": "torn',
      JSON.stringify({ title: "", symbols: "X", published_at: "yesterday" }),
      "17",
      JSON.stringify({ title: "Second of the good", external_id: "good-2" }),
    ];
    const found = await results(await postItems(lines.join("\n"), "application/x-ndjson"));
    assert.deepEqual(
      found.map(({ status }) => status),
      ["created", "rejected", "rejected", "rejected", "created"],
    );
    assert.match(found[1]?.error ?? "", /not JSON/);
    assert.deepEqual(
      found[2]?.errors?.map(({ name }) => name),
      ["title", "published_at", "symbols"],
    );
    assert.equal((await read(found[0]?.id)).title, "First of the good");
    assert.equal((await read(found[4]?.id)).title, "Second of the good");
  });

  test("a repeat is a duplicate, one that says otherwise a revision, and both answer the id of the first", async () => {
    const item = { title: "Told twice", external_id: "twice" };
    const [first, again] = await service.push(item, item);
    const [later] = await service.push({ ...item, title: "Told twice, otherwise" });
    assert.deepEqual([first?.status, again?.status, later?.status], ["created", "duplicate", "revised"]);
    assert.equal(again?.id, first?.id);
    assert.equal(later?.id, first?.id);
    assert.equal((await read(first?.id)).title, "Told twice, otherwise");
    const less = await service.push({ ...item, title: "Told twice, otherwise", body: "With a body." });
    const [without] = await service.push({ ...item, title: "Told twice, otherwise" });
    assert.deepEqual([less[0]?.status, without?.status], ["revised", "duplicate"], "less is no revision");
  });

  test("nothing, and more than 10,000 items, are 400; 10,000 are taken", async () => {
    await refused(await postItems("[]"), 400);
    await refused(await postItems("\n\n", "application/x-ndjson"), 400);
    await refused(await postItems(JSON.stringify(Array(pushLimits.items + 1).fill({}))), 400);
    const broken = await results(await postItems(JSON.stringify(Array(pushLimits.items).fill({}))));
    assert.equal(broken.length, pushLimits.items);
    assert.ok(broken.every(({ status }) => status === "rejected"));
  });

  test("a push over 16 MiB is 413 and stores nothing of it", async () => {
    const first = JSON.stringify({ title: "Before the flood", external_id: "flood" });
    const body = `${first}\n${" ".repeat(pushLimits.bodyBytes)}`;
    await refused(await postItems(body, "application/x-ndjson"), 413);
    const [pushed] = await service.push({ title: "Before the flood", external_id: "flood" });
    assert.equal(pushed?.status, "created");
  });

  test("a push of another type is 415, one that is no JSON 400", async () => {
    await refused(await postItems("title=x", "application/x-www-form-urlencoded"), 415);
    await refused(await postItems("[{"), 400);
  });

  test("markup, NUL and lone surrogates in title and body are cleaned away, the rest is stored", async () => {
    const [made] = await service.push({
      external_id: "dirty",
      title:
        "<b>Orbitex\u0000 Robotics</b> &amp;amp; \ud800partner\n<script>alert(1)</script>sign  \u0007deal",
      body: "<p>First\u0000.</p><p>Second \udc00\ud83d\ude00.</p>",
    });
    assert.equal(made?.status, "created");
    const { title, summary } = await read(made.id);
    assert.equal(title, "Orbitex Robotics & \ufffdpartner sign deal");
    assert.doesNotMatch(summary ?? "", /[<\p{Cc}\p{Cs}]/u);
  });

  test("a member that is kept as given is refused when it cannot be stored, without harm to the others", async () => {
    const found = await service.push(
      { title: "Fine before", external_id: "fine-1" },
      { title: "NUL in the id", external_id: "a\u0000b" },
      { title: "Surrogate in the id", external_id: "a\ud800b" },
      { title: "NUL in a symbol", symbols: ["A\u0000B"] },
      { title: "NUL in the link", link: "https://a.example/\u0000" },
      { title: "Year 0", published_at: "0000-06-01T00:00:00Z" },
      { title: "Year 10000", published_at: "9999-12-31T23:59:59-23:59" },
      { title: "NUL in a tag means nothing", external_id: "fine-2", tags: ["x\u0000", "ipo"] },
    );
    assert.deepEqual(
      found.map(({ status, errors }) => [status, errors?.map(({ name }) => name).join()]),
      [
        ["created", undefined],
        ["rejected", "external_id"],
        ["rejected", "external_id"],
        ["rejected", "symbols[0]"],
        ["rejected", "link"],
        ["rejected", "published_at"],
        ["rejected", "published_at"],
        ["created", undefined],
      ],
    );
    assert.deepEqual((await read(found[7]?.id)).tags.corp_activity, ["ipo"]);
  });

  test("tags that nobody knows are told and ignored; a country's code among them is the item's market country", async () => {
    const [mixed, known] = await service.push(
      {
        title: "Brandmoor lists in Oslo",
        external_id: "tags-1",
        tags: ["IPO", "NO", "to-do", "XX", "ai", "Roadshow"],
      },
      { title: "Brandmoor lists in Turin", external_id: "tags-2", tags: ["ipo", "IT"] },
    );
    assert.deepEqual([mixed?.status, mixed?.ignored_tags], ["created", ["to-do", "XX", "ai", "Roadshow"]]);
    assert.deepEqual([known?.status, known !== undefined && "ignored_tags" in known], ["created", false]);
    const tagsOf = async (id: string | null | undefined) => {
      const { tags } = feedItemDetail.parse(await (await service.get(`/v1/feeds/${id}`, reader)).json());
      return [
        tags.corp_activity?.includes("ipo"),
        tags.market_country?.includes("NO"),
        tags.market_country?.includes("IT"),
      ];
    };
    assert.deepEqual(await tagsOf(mixed?.id), [true, true, false]);
    assert.deepEqual(await tagsOf(known?.id), [true, false, true]);
  });

  test("a pushed item keeps its type, link, provider, source and time", async () => {
    const [made] = await service.push({
      type: "research",
      title: "A study of harbours",
      link: "https://research.example/harbours?utm_source=x",
      provider: "harbour-lab",
      source: "lab-wire",
      published_at: "2026-02-03T04:05:06.789+01:00",
    });
    const item = await read(made?.id);
    assert.deepEqual(
      [item.type, item.link, item.provider_id, item.source, item.published_at, item.source_time],
      [
        "research",
        "https://research.example/harbours?utm_source=x",
        "harbour-lab",
        "lab-wire",
        "2026-02-03T03:05:06.789Z",
        "2026-02-03T03:05:06.789Z",
      ],
    );
  });

  test("a time that no item can have gives way to the time of first sight, and is still told", async () => {
    for (const published_at of ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]) {
      const [made] = await service.push({ title: `Out of time at ${published_at}`, published_at });
      const item = await read(made?.id);
      assert.equal(item.published_at, item.scraped_at);
      assert.equal(item.source_time, published_at);
    }
  });

  test("the health of sources is listed", async () => {
    const response = await service.admin("GET", "/admin/v1/sources");
    assert.equal(response.status, 200);
    sourceHealthList.strict().parse(await response.json());
  });
});

test("a source that has not been polled yet is listed as waiting, a disabled one as disabled", async () => {
  await using service = await startService("pglite", {
    roles: ["api"],
    sourcesFile: "./config/sources.json",
    demo: "on",
  });
  const answer = await service.admin("GET", "/admin/v1/sources");
  const { data } = sourceHealthList.strict().parse(await answer.json());
  assert.ok(data.length > 0);
  for (const { enabled, status, items } of data)
    assert.deepEqual([status, items], [enabled ? "waiting" : "disabled", 0]);
  assert.deepEqual([...new Set(data.map(({ enabled }) => enabled))].sort(), [false, true]);
});
