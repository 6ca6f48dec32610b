import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { feedItemDetail, feedList } from "@tapewire/contract/feeds.ts";
import { anyEngine } from "../support/db.ts";
import { type Service, startService } from "../support/service.ts";
import { StreamClient } from "../support/stream-client.ts";

/** A connection with its welcome read. */
async function connect(service: Service, key: string): Promise<StreamClient> {
  const client = await StreamClient.connect(service.app.wsUrl, { key });
  await client.next("welcome");
  return client;
}

describe("stories and revisions on the stream", () => {
  let service: Service;
  let key = "";
  before(async () => {
    service = await startService(anyEngine);
    key = (await service.key("pro")).key;
  });
  after(() => service[Symbol.asyncDispose]());

  test("the copy of a withdrawn item is told in its place, with the score of one told alone", async () => {
    await using client = await connect(service, key);
    await using without = await connect(service, key);
    await client.subscribe({ filters: { providers: ["orphans"] } });
    await without.subscribe({ filters: { providers: ["orphans"], story_copies: false } });
    const told = {
      title: "Orbitex Robotics (DEMO:OBTX) agrees to be acquired for $1.2 billion in cash",
      symbols: ["DEMO:OBTX"],
      published_at: "2026-03-04T14:30:00Z",
      provider: "orphans",
    };
    // Alone in its week, behind another item about the company, as the copy is.
    const before = { ...told, published_at: "2026-02-20T14:30:00Z" };
    await service.push({ ...before, title: "Orbitex Robotics names a chief of sales", source: "orphan-x" });
    await service.push({ ...before, source: "orphan-y" });
    const [a] = await service.push({ ...told, source: "orphan-a", external_id: "a" });
    await service.push({ ...told, source: "orphan-b", external_id: "b" });
    const [, alone, , copy] = (await client.feeds(4)).map(({ data }) => data);
    assert.ok(a !== undefined && "id" in a && alone !== undefined && copy !== undefined);
    const score = ({ scoring }: typeof copy) => [scoring.actionability, scoring.actionability_score];
    assert.notDeepEqual(score(copy), score(alone));
    assert.equal((await service.admin("DELETE", `/admin/v1/items/${a.id}`)).status, 200);
    const [gone, now] = (await client.feeds(2)).map(({ data }) => data);
    assert.deepEqual([gone?.id, gone?.status], [a.id, "retracted"]);
    assert.deepEqual([now?.id, now?.status, now?.copy_of], [copy.id, "revised", null]);
    assert.deepEqual(now && score(now), score(alone));
    const seen = (await without.feeds(5)).map(({ data }) => data.source);
    assert.deepEqual(seen, ["orphan-x", "orphan-y", "orphan-a", "orphan-a", "orphan-b"]);
    const list = feedList.parse(
      await (
        await service.get("/v1/feeds?symbol=DEMO:OBTX&story_copies=false&since=2026-03-04T00:00:00Z", key)
      ).json(),
    );
    assert.deepEqual(list.data.map(({ source }) => source).toSorted(), ["orphan-a", "orphan-b"]);
    const read = feedItemDetail.parse(await (await service.get(`/v1/feeds/${copy.id}`, key)).json());
    assert.deepEqual(score(read), score(alone));
    assert.doesNotMatch(read.scoring.actionability_comment ?? "", /Repeats/);
  });

  test("a subscription without copies gets the first of two tellings, any other gets both", async () => {
    await using plain = await connect(service, key);
    await using explicit = await connect(service, key);
    await using without = await connect(service, key);
    await plain.subscribe();
    await explicit.subscribe({ filters: { story_copies: true } });
    const answer = await without.subscribe({ filters: { story_copies: false } });
    assert.deepEqual(answer.filters, { story_copies: false });
    const story = {
      title: "Orbitex Robotics halts its warehouse trial in Lindmoor",
      symbols: ["DEMO:OBTX"],
      published_at: "2026-03-02T14:30:00Z",
    };
    // In calls of their own and in one: the first of a story may be stored long before its copies, or with them.
    await service.push({ ...story, source: "wire-a", external_id: "a" });
    await service.push(
      { ...story, source: "wire-b", external_id: "b" },
      { ...story, title: "Orbitex Robotics names a new chief", source: "wire-c", external_id: "c" },
      { ...story, title: "Orbitex Robotics names a new chief", source: "wire-d", external_id: "d" },
      { title: "Something else", source: "wire-e" },
    );
    for (const client of [plain, explicit]) {
      const all = await client.feeds(5);
      const sources = all.map(({ data }) => data.source);
      assert.deepEqual(sources, ["wire-a", "wire-b", "wire-c", "wire-d", "wire-e"]);
      const [a, b, c, d, e] = all.map(({ data }) => data);
      assert.deepEqual(
        [a?.story_id, b?.story_id, c?.story_id, d?.story_id, e?.story_id],
        [a?.id, a?.id, c?.id, c?.id, e?.id],
      );
      assert.deepEqual(
        [a?.copy_of, b?.copy_of, c?.copy_of, d?.copy_of, e?.copy_of],
        [null, a?.id, null, c?.id, null],
      );
    }
    const firsts = await without.feeds(3);
    assert.deepEqual(
      firsts.map(({ data }) => data.source),
      ["wire-a", "wire-c", "wire-e"],
    );
  });

  test("a snapshot leaves copies out as well", async () => {
    const story = { title: "Orbitex Robotics opens a plant in Tarnfield", symbols: ["DEMO:OBTX"] };
    const last = { title: "Orbitex Robotics closes a plant", source: "snap-c", provider: "snap" };
    await service.push(
      { ...story, source: "snap-a", provider: "snap", external_id: "a" },
      { ...story, source: "snap-b", provider: "snap", external_id: "b" },
    );
    await using client = await connect(service, key);
    await client.subscribe({ filters: { providers: ["snap"], story_copies: false }, snapshot: 10 });
    await service.push(last);
    const frames = await client.feeds(2);
    assert.deepEqual(
      frames.map(({ data, snapshot }) => [data.source, snapshot]),
      [
        ["snap-a", true],
        ["snap-c", false],
      ],
    );
  });

  test("a filter on copies that is neither true nor false is a bad frame, and the old filters stay", async () => {
    await using client = await connect(service, key);
    await client.subscribe({ id: 1, filters: { aggregators: ["kept"] } });
    for (const story_copies of ["no", "false", 0, []]) {
      client.send({ type: "subscribe", id: 2, filters: { story_copies } });
      const { code, id, fatal, message } = await client.next("error");
      assert.deepEqual([code, id, fatal], ["invalid_frame", 2, false]);
      assert.match(message, /filters\.story_copies/);
      // A good frame between: three bad ones in a row would end the connection.
      await client.settle();
    }
    await service.push({ title: "One", source: "dropped" }, { title: "Two", source: "kept" });
    assert.equal((await client.next("feed")).data.source, "kept");
  });

  test("a revision arrives as a version of its item, and a resume brings both versions in order", async () => {
    const filters = { aggregators: ["corrected"] };
    const item = { source: "corrected", external_id: "1", published_at: "2026-03-02T09:00:00Z" };
    await using client = await connect(service, key);
    const { cursor } = await client.subscribe({ filters });
    const before = { ...item, title: "Tidewane Shipping sees profit of $4 million" };
    const now = { ...item, title: "Tidewane Shipping sees profit of $5 million" };
    const [created] = await service.push(before);
    const [same] = await service.push(before);
    const [revised] = await service.push(now);
    assert.deepEqual([created?.status, same?.status, revised?.status], ["created", "duplicate", "revised"]);
    assert.equal(revised?.id, created?.id);

    await using late = await connect(service, key);
    assert.equal((await late.subscribe({ filters, after: cursor })).resumed, true);
    const cursors: string[] = [];
    for (const reader of [client, late]) {
      const frames = await reader.feeds(2);
      const [first, second] = frames;
      cursors.push(...frames.map((frame) => frame.cursor));
      assert.ok(first !== undefined && second !== undefined);
      assert.deepEqual(
        [first.data.title, first.data.status, first.data.revision],
        [before.title, "published", 0],
      );
      assert.deepEqual(
        [second.data.title, second.data.status, second.data.revision],
        [now.title, "revised", 1],
      );
      assert.deepEqual([second.data.id, second.data.published_at], [first.data.id, first.data.published_at]);
      assert.ok(second.seq > first.seq && second.data.updated_at >= first.data.updated_at);
    }
    // Between the two only the second is left.
    await using between = await connect(service, key);
    await between.subscribe({ filters, after: cursors[0] });
    assert.equal((await between.next("feed")).data.revision, 1);
  });
});
