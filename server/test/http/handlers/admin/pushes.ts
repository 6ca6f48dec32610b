import assert from "node:assert/strict";
import { test } from "node:test";
import { createdKey, type PushResult, pushAnswer, pushLimits } from "@tapewire/contract/admin.ts";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { feedItemDetail } from "@tapewire/contract/feeds.ts";
import type { Service } from "../../../support/service.ts";

/** Items that the operator pushes. @param running the service, once it has started, and a key that reads */
export function pushTests(running: () => { readonly service: Service; readonly reader: string }): void {
  const postItems = (body: string | Buffer, type = "application/json") =>
    fetch(`${running().service.url}/admin/v1/items`, {
      method: "POST",
      headers: { authorization: `Bearer ${running().service.adminToken}`, "content-type": type },
      body,
    });
  const results = async (response: Response): Promise<PushResult[]> => {
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return pushAnswer.strict().parse(JSON.parse(text)).data;
  };
  const read = async (id: string | null | undefined) => {
    const response = await running().service.get(`/v1/feeds/${id}`, running().reader);
    assert.equal(response.status, 200);
    return feedItemDetail.parse(await response.json());
  };
  const refused = async (response: Response, status: number) => {
    assert.equal(response.status, status);
    return problem.parse(await response.json());
  };

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
    const made = await running().service.admin("POST", "/admin/v1/keys", nulls);
    assert.equal(createdKey.parse(await made.json()).name, "key");
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
    const [first, again] = await running().service.push(item, item);
    const [later] = await running().service.push({ ...item, title: "Told twice, otherwise" });
    assert.deepEqual([first?.status, again?.status, later?.status], ["created", "duplicate", "revised"]);
    assert.equal(again?.id, first?.id);
    assert.equal(later?.id, first?.id);
    assert.equal((await read(first?.id)).title, "Told twice, otherwise");
    const less = await running().service.push({
      ...item,
      title: "Told twice, otherwise",
      body: "With a body.",
    });
    const [without] = await running().service.push({ ...item, title: "Told twice, otherwise" });
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
    const [pushed] = await running().service.push({ title: "Before the flood", external_id: "flood" });
    assert.equal(pushed?.status, "created");
  });

  test("a push of another type is 415, one that is no JSON 400", async () => {
    await refused(await postItems("title=x", "application/x-www-form-urlencoded"), 415);
    await refused(await postItems("[{"), 400);
  });

  test("markup, NUL and lone surrogates in title and body are cleaned away, the rest is stored", async () => {
    const [made] = await running().service.push({
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
    const found = await running().service.push(
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
    const [mixed, known] = await running().service.push(
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
      const { tags } = feedItemDetail.parse(
        await (await running().service.get(`/v1/feeds/${id}`, running().reader)).json(),
      );
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
    const [made] = await running().service.push({
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
      const [made] = await running().service.push({ title: `Out of time at ${published_at}`, published_at });
      const item = await read(made?.id);
      assert.equal(item.published_at, item.scraped_at);
      assert.equal(item.source_time, published_at);
    }
  });
}
