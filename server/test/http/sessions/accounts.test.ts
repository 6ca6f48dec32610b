import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { apiKey, createdKey } from "@tapewire/contract/admin.ts";
import {
  auditList,
  ended,
  invite,
  listedSession,
  madeInvite,
  memberRecord,
  person,
} from "@tapewire/contract/dashboard/people.ts";
import { z } from "zod";
import { type Clock, systemClock } from "../../../src/runtime/clock.ts";
import { Browser, tokenOf } from "../../support/browser.ts";
import { anyEngine } from "../../support/db.ts";
import { password, peopleOf } from "../../support/people.ts";
import { type Service, startService } from "../../support/service.ts";

const nobody = "00000000-0000-4000-8000-000000000000";
const listOf = <S extends z.ZodType>(schema: S) => z.strictObject({ data: z.array(schema) });

describe("an account in the dashboard", () => {
  let service: Service;
  let shiftMs = 0;
  const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + shiftMs) };
  before(async () => {
    service = await startService(anyEngine, { clock });
  });
  after(() => service[Symbol.asyncDispose]());

  const { operator, joined } = peopleOf(() => service);
  const isGood = async (key: string) => (await service.get("/v1/me", key)).status === 200;

  test("a member creates keys and sees those only; an owner sees and revokes all", async () => {
    const { account_id, id: first } = await service.key("pro");
    const path = `/app/v1/accounts/${account_id}/keys`;
    const member = await joined(account_id, "member");
    const owner = await joined(account_id, "owner");
    const made = await member.browser.ask(createdKey.strict(), "POST", path, { name: "laptop" });
    assert.ok(await isGood(made.key));
    assert.notEqual(made.created_by, null);
    const ofMember = await member.browser.ask(listOf(apiKey.strict()), "GET", path);
    assert.deepEqual(
      ofMember.data.map(({ id }) => id),
      [made.id],
    );
    const ofOwner = await owner.browser.ask(listOf(apiKey.strict()), "GET", path);
    assert.deepEqual(
      ofOwner.data.map(({ id }) => id),
      [first, made.id],
    );
    assert.equal(await member.browser.refused("DELETE", `/app/v1/keys/${first}`), "forbidden");
    await owner.browser.ask(apiKey.strict(), "DELETE", `/app/v1/keys/${made.id}`);
    assert.equal(await isGood(made.key), false);
    const viewer = await joined(account_id, "viewer");
    assert.equal(await viewer.browser.refused("GET", path), "forbidden");
    assert.equal(await viewer.browser.refused("POST", path, { name: "x" }), "forbidden");
    const stranger = await joined((await service.key("pro")).account_id, "owner");
    assert.equal(await stranger.browser.refused("GET", path), "not_found");
    assert.equal(await stranger.browser.refused("DELETE", `/app/v1/keys/${first}`), "not_found");
  });

  test("a rotated key works for its grace, never beyond its own expiry; the new one has the same expiry", async () => {
    const { account_id } = await service.key("pro");
    const { browser } = await joined(account_id, "owner");
    const expires_at = new Date(clock.now().getTime() + 3_600_000).toISOString();
    const path = `/app/v1/accounts/${account_id}/keys`;
    const old = await browser.ask(createdKey, "POST", path, { name: "desk", expires_at });
    const made = await browser.ask(createdKey.strict(), "POST", `/app/v1/keys/${old.id}/rotate`, {});
    assert.deepEqual([made.name, made.expires_at, made.replaces], ["desk", expires_at, old.id]);
    assert.deepEqual([await isGood(old.key), await isGood(made.key)], [true, true]);
    const { data } = await browser.ask(listOf(apiKey), "GET", path);
    assert.equal(data.find(({ id }) => id === old.id)?.expires_at, expires_at);
    assert.equal(await browser.refused("POST", `/app/v1/keys/${old.id}/rotate`, {}), "conflict");
    const quick = await browser.ask(createdKey, "POST", `/app/v1/keys/${made.id}/rotate`, { grace_s: 60 });
    shiftMs = 61_000;
    assert.deepEqual([await isGood(made.key), await isGood(quick.key)], [false, true]);
    shiftMs = 0;
    const last = await browser.ask(createdKey, "POST", `/app/v1/keys/${quick.id}/rotate`, { grace_s: 0 });
    assert.deepEqual([await isGood(quick.key), await isGood(last.key)], [false, true]);
  });

  test("of ten rotations of a key at once, one makes a key", async () => {
    const { account_id, id } = await service.key("pro");
    const { browser } = await joined(account_id, "owner");
    const all = await Promise.all(
      Array.from({ length: 10 }, () => browser.send("POST", `/app/v1/keys/${id}/rotate`, { grace_s: 60 })),
    );
    assert.deepEqual(all.map(({ status }) => status).toSorted(), [201, ...Array<number>(9).fill(409)]);
    assert.equal(
      (await browser.ask(listOf(apiKey), "GET", `/app/v1/accounts/${account_id}/keys`)).data.length,
      2,
    );
  });

  test("a key is renamed and its expiry changed, here and by the operator's token", async () => {
    const { account_id, id, key } = await service.key("pro");
    const { browser } = await joined(account_id, "owner");
    const soon = new Date(clock.now().getTime() + 1_000).toISOString();
    const changed = await browser.ask(apiKey, "PATCH", `/app/v1/keys/${id}`, {
      name: "tape",
      expires_at: soon,
    });
    assert.deepEqual([changed.name, changed.expires_at], ["tape", soon]);
    shiftMs = 2_000;
    assert.equal(await isGood(key), false);
    shiftMs = 0;
    const back = await service.admin("PATCH", `/admin/v1/keys/${id}`, { expires_at: null });
    assert.equal(apiKey.parse(await back.json()).expires_at, null);
    assert.ok(await isGood(key));
    assert.equal(await browser.refused("PATCH", `/app/v1/keys/${id}`, {}), "invalid_body");
    assert.equal(await browser.refused("PATCH", `/app/v1/keys/${nobody}`, { name: "x" }), "not_found");
  });

  test("an owner invites, changes and removes people; the last owner stays", async () => {
    const { account_id } = await service.key("pro");
    const owner = await joined(account_id, "owner");
    const member = await joined(account_id, "member");
    const path = `/app/v1/accounts/${account_id}/people`;
    const { data } = await owner.browser.ask(listOf(memberRecord.strict()), "GET", path);
    assert.deepEqual(new Set(data.map(({ email }) => email)), new Set([owner.email, member.email]));
    assert.equal(
      await owner.browser.refused("PATCH", `${path}/${owner.personId}`, { role: "viewer" }),
      "conflict",
    );
    assert.equal(await owner.browser.refused("DELETE", `${path}/${owner.personId}`), "conflict");
    assert.equal(await member.browser.refused("GET", path), "forbidden");
    await owner.browser.ask(memberRecord.strict(), "PATCH", `${path}/${member.personId}`, { role: "owner" });
    await member.browser.ask(ended.strict(), "DELETE", `${path}/${owner.personId}`);
    assert.equal(await owner.browser.refused("GET", path), "not_found");
  });

  test("of two owners who remove each other at once, one stays", async () => {
    const { account_id } = await service.key("pro");
    const [one, two] = [await joined(account_id, "owner"), await joined(account_id, "owner")];
    const path = `/app/v1/accounts/${account_id}/people`;
    await Promise.all([
      one.browser.send("DELETE", `${path}/${two.personId}`),
      two.browser.send("DELETE", `${path}/${one.personId}`),
    ]);
    const { data } = await (await operator()).ask(listOf(memberRecord), "GET", path);
    assert.equal(data.filter(({ account_role }) => account_role === "owner").length, 1);
  });

  test("an invitation is listed, replaced by a newer one, and withdrawn", async () => {
    const { account_id } = await service.key("pro");
    const { browser } = await joined(account_id, "owner");
    const path = `/app/v1/accounts/${account_id}/invites`;
    const body = { email: "grace@example.com", role: "viewer" };
    const first = await browser.ask(madeInvite.strict(), "POST", path, body);
    const second = await browser.ask(madeInvite.strict(), "POST", path, body);
    const { data } = await browser.ask(listOf(invite.strict()), "GET", path);
    assert.deepEqual(
      data.map(({ id }) => id),
      [second.id],
    );
    const stranger = new Browser(service.url);
    for (const { url } of [first])
      assert.equal(
        await stranger.refused("POST", "/app/v1/session", { link: tokenOf(url), password }),
        "link_expired",
      );
    await browser.ask(ended.strict(), "DELETE", `/app/v1/invites/${second.id}`);
    assert.equal(
      await stranger.refused("POST", "/app/v1/session", { link: tokenOf(second.url), password }),
      "link_expired",
    );
    assert.equal(await browser.refused("DELETE", `/app/v1/invites/${second.id}`), "not_found");
  });

  test("an owner makes no reset link for a person with rights elsewhere", async () => {
    const [one, two] = [await service.key("pro"), await service.key("pro")];
    const owner = await joined(one.account_id, "owner");
    const { browser, email, personId } = await joined(one.account_id, "member");
    const invited = await (await operator()).ask(
      madeInvite,
      "POST",
      `/app/v1/accounts/${two.account_id}/invites`,
      {
        email,
        role: "owner",
      },
    );
    const path = `/app/v1/accounts/${one.account_id}/people/${personId}/reset`;
    assert.equal((await owner.browser.send("POST", path)).status, 201);
    // Signed in as that person, no password is needed.
    await browser.signIn({ link: tokenOf(invited.url) });
    assert.equal(await owner.browser.refused("POST", path), "forbidden");
    assert.equal((await (await operator()).send("POST", path)).status, 201);
  });

  test("sessions are listed and ended one by one; those of others are not", async () => {
    const { account_id } = await service.key("pro");
    const { browser, email } = await joined(account_id, "member");
    const elsewhere = new Browser(service.url);
    const other = await elsewhere.signIn({ email, password });
    const { data } = await browser.ask(listOf(listedSession.strict()), "GET", "/app/v1/sessions");
    assert.deepEqual(data.map(({ current }) => current).toSorted(), [false, true]);
    const stranger = await joined(account_id, "owner");
    assert.equal(await stranger.browser.refused("DELETE", `/app/v1/sessions/${other.id}`), "not_found");
    await browser.ask(ended.strict(), "DELETE", `/app/v1/sessions/${other.id}`);
    assert.equal(await elsewhere.refused("GET", "/app/v1/session"), "unauthorized");
  });

  test("the audit of an account is for its owners, in pages, and of all accounts for the operator", async () => {
    const { account_id } = await service.key("pro");
    const owner = await joined(account_id, "owner");
    const path = `/app/v1/accounts/${account_id}`;
    for (const name of ["one", "two", "three"])
      await owner.browser.ask(createdKey, "POST", `${path}/keys`, { name });
    const first = await owner.browser.ask(auditList.strict(), "GET", `${path}/audit?limit=2`);
    assert.deepEqual(
      first.data.map(({ action, subject }) => [action, subject]),
      [
        ["key.created", "three"],
        ["key.created", "two"],
      ],
    );
    const next = await owner.browser.ask(
      auditList,
      "GET",
      `${path}/audit?limit=2&cursor=${first.next_cursor}`,
    );
    assert.equal(next.data[0]?.subject, "one");
    assert.equal(next.data[0]?.actor, owner.email);
    assert.equal(await owner.browser.refused("GET", `${path}/audit?cursor=x`), "invalid_cursor");
    assert.equal(await owner.browser.refused("GET", "/app/v1/audit"), "forbidden");
    const member = await joined(account_id, "member");
    assert.equal(await member.browser.refused("GET", `${path}/audit`), "forbidden");
    assert.ok((await (await operator()).ask(auditList, "GET", "/app/v1/audit")).data.length > 0);
  });

  test("the audit names the operator who used the admin API in a tab", async () => {
    const { account_id } = await service.key("pro");
    const email = `${crypto.randomUUID()}@example.com`;
    const admin = async (browser: Browser, method: string, path: string, body: object) => {
      const { key } = await browser.tabKey(account_id, "operator");
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      return fetch(`${service.url}/admin/v1/${path}`, { method, headers, body: JSON.stringify(body) });
    };
    const browser = await operator();
    await admin(browser, "PATCH", `accounts/${account_id}`, { name: "by nobody" });
    await browser.ask(person, "PATCH", "/app/v1/profile", { email, password });
    await admin(browser, "PATCH", `accounts/${account_id}`, { name: "by a person" });
    const { data } = await browser.ask(auditList, "GET", `/app/v1/accounts/${account_id}/audit?limit=2`);
    assert.deepEqual(
      data.map(({ actor, detail }) => [actor, detail.name]),
      [
        [email, "by a person"],
        ["operator", "by nobody"],
      ],
    );
  });
});
