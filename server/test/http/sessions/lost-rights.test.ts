import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { apiKey, createdKey } from "@tapewire/contract/admin.ts";
import { madeLink, memberRecord, person } from "@tapewire/contract/dashboard/people.ts";
import { peopleList } from "@tapewire/contract/operator/people.ts";
import { z } from "zod";
import { type Clock, systemClock } from "../../../src/runtime/clock.ts";
import { Browser, tokenOf } from "../../support/browser.ts";
import { anyEngine } from "../../support/db.ts";
import { password, peopleOf } from "../../support/people.ts";
import { type Service, startService } from "../../support/service.ts";

describe("a right that ends leaves nothing behind", () => {
  let service: Service;
  let shiftMs = 0;
  const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + shiftMs) };
  before(async () => {
    service = await startService(anyEngine, { clock });
  });
  after(() => service[Symbol.asyncDispose]());

  const { operator, inviteTo, joined } = peopleOf(() => service);
  const isGood = async (key: string) => (await service.get("/v1/me", key)).status === 200;

  for (const how of ["removed", "made a viewer"])
    test(`a member who is ${how} loses the keys that he created, and all that was made with them`, async () => {
      const { account_id } = await service.key("pro");
      const { browser, personId } = await joined(account_id, "member");
      const made = await browser.ask(createdKey, "POST", `/app/v1/accounts/${account_id}/keys`, {
        name: "mine",
      });
      const byKey = new Browser(service.url);
      await byKey.signIn({ secret: made.key });
      const tab = await byKey.tabKey(account_id);
      const path = `/app/v1/accounts/${account_id}/people/${personId}`;
      const owner = await operator();
      if (how === "removed") await owner.ask(z.unknown(), "DELETE", path);
      else await owner.ask(memberRecord, "PATCH", path, { role: "viewer" });
      assert.deepEqual([await isGood(made.key), await isGood(tab.key)], [false, false]);
      assert.equal(await byKey.refused("GET", "/app/v1/session"), "unauthorized");
    });

  test("a revoked or shortened key ends the tab keys of its sessions", async () => {
    const key = await service.key("pro");
    const browser = new Browser(service.url);
    await browser.signIn({ secret: key.key });
    const tab = await browser.tabKey(key.account_id);
    const soon = new Date(clock.now().getTime() + 60_000).toISOString();
    await service.admin("PATCH", `/admin/v1/keys/${key.id}`, { expires_at: soon });
    assert.equal(await isGood(tab.key), true);
    const later = await browser.tabKey(key.account_id);
    assert.ok(Date.parse(later.expires_at) <= Date.parse(soon), "no later than its key");
    shiftMs = 61_000;
    assert.deepEqual([await isGood(tab.key), await isGood(later.key)], [false, false]);
    shiftMs = 0;
    const other = await service.key("pro");
    await browser.signIn({ secret: other.key });
    const second = await browser.tabKey(other.account_id);
    await service.admin("DELETE", `/admin/v1/keys/${other.id}`);
    assert.equal(await isGood(second.key), false);
  });

  test("an owner who is removed does not come back by an invitation of his own", async () => {
    const { account_id } = await service.key("pro");
    await joined(account_id, "owner");
    const leaver = await joined(account_id, "owner");
    const link = await inviteTo(account_id, `${crypto.randomUUID()}@example.com`, "owner", leaver.browser);
    await (await operator()).ask(
      z.unknown(),
      "DELETE",
      `/app/v1/accounts/${account_id}/people/${leaver.personId}`,
    );
    assert.equal(
      await new Browser(service.url).refused("POST", "/app/v1/session", { link, password }),
      "link_expired",
    );
  });

  test("a reset link ends when its person joins another account", async () => {
    const [one, two] = [await service.key("pro"), await service.key("pro")];
    const owner = await joined(one.account_id, "owner");
    const { browser, email, personId } = await joined(one.account_id, "member");
    const path = `/app/v1/accounts/${one.account_id}/people/${personId}/reset`;
    const { url } = await owner.browser.ask(madeLink, "POST", path);
    await browser.signIn({ link: await inviteTo(two.account_id, email, "owner") });
    const body = { link: tokenOf(url), password: "another long password" };
    assert.equal(await new Browser(service.url).refused("POST", "/app/v1/session", body), "link_expired");
  });

  describe("a reset of the password", () => {
    const next = "another long password";
    const begin = async () => {
      const { account_id } = await service.key("pro");
      const person = await joined(account_id, "member");
      const path = `/app/v1/accounts/${account_id}/people/${person.personId}/reset`;
      const { url } = await (await operator()).ask(madeLink, "POST", path);
      const use = () =>
        new Browser(service.url).send("POST", "/app/v1/session", { link: tokenOf(url), password: next });
      return { ...person, use };
    };

    test("leaves no session that the old password begins meanwhile", async () => {
      const { browser, email, use } = await begin();
      const thieves = Array.from({ length: 4 }, () => new Browser(service.url));
      const resetting = use();
      await Promise.all(thieves.map((one) => one.send("POST", "/app/v1/session", { email, password })));
      assert.equal((await resetting).status, 201);
      for (const one of [...thieves, browser])
        assert.equal(await one.refused("GET", "/app/v1/session"), "unauthorized");
    });

    test("and a change with the old password at once: at most one of them succeeds", async () => {
      const { browser, email, use } = await begin();
      const own = "a password of one's own";
      const change = { password: own, current_password: password };
      const [reset, changed] = await Promise.all([use(), browser.send("PATCH", "/app/v1/profile", change)]);
      assert.ok(!(reset.ok && changed.ok));
      // A busy machine refuses either with 503.
      const now = reset.ok ? next : changed.ok ? own : password;
      await new Browser(service.url).signIn({ email, password: now });
    });
  });

  test("the key of an operator's tab makes no sign-in link", async () => {
    const { account_id } = await service.key("pro");
    const tab = await (await operator()).tabKey(account_id, "operator");
    const response = await fetch(`${service.url}/admin/v1/sign-in-links`, {
      method: "POST",
      headers: { authorization: `Bearer ${tab.key}` },
    });
    assert.equal(response.status, 403);
  });

  test("an operator whose role is taken keeps what a member of the account may", async () => {
    const { account_id } = await service.key("pro");
    const { browser, email, personId } = await joined(account_id, "member");
    const role = (role: string, token = service.adminToken) =>
      fetch(`${service.url}/admin/v1/people/${personId}`, {
        method: "PATCH",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ role }),
      });
    assert.equal(person.strict().parse(await (await role("operator")).json()).role, "operator");
    const listed = peopleList.parse(await (await service.admin("GET", "/admin/v1/people")).json()).data;
    assert.equal(listed.find(({ id }) => id === personId)?.role, "operator");
    const tab = await browser.tabKey(account_id, "operator");
    assert.equal((await role("operator", tab.key)).status, 403);
    const other = (await service.key("pro")).account_id;
    const make = (account: string) =>
      browser.ask(createdKey, "POST", `/app/v1/accounts/${account}/keys`, { name: "made as operator" });
    const [own, elsewhere] = [await make(account_id), await make(other)];
    const link = await inviteTo(other, `${crypto.randomUUID()}@example.com`, "owner", browser);
    assert.equal((await role("member", tab.key)).status, 200);
    assert.equal(await browser.refused("GET", "/app/v1/session"), "unauthorized");
    assert.deepEqual(
      [await isGood(tab.key), await isGood(elsewhere.key), await isGood(own.key)],
      [false, false, true],
    );
    assert.equal(await browser.refused("POST", "/app/v1/session", { link, password }), "link_expired");
    const again = await browser.signIn({ email, password });
    assert.deepEqual([again.operator, again.accounts.map(({ id }) => id)], [false, [account_id]]);
  });

  test("keys that a tab asks for while its session ends do not survive it", async () => {
    const { account_id } = await service.key("pro");
    const { browser } = await joined(account_id, "member");
    const asking = Array.from({ length: 40 }, () => browser.send("POST", "/app/v1/token", { account_id }));
    const leaving = new Browser(service.url, browser.cookie).send("DELETE", "/app/v1/session");
    const answers = await Promise.all(asking);
    await leaving;
    const told = await Promise.all(answers.map((one) => one.json()));
    const keys = told.flatMap((one) => z.object({ key: z.string() }).safeParse(one).data?.key ?? []);
    for (const key of keys) assert.equal(await isGood(key), false);
  });

  test("keys that an owner rotates while he is removed do not survive it", async () => {
    const { account_id } = await service.key("pro");
    await joined(account_id, "owner");
    const { browser, personId } = await joined(account_id, "owner");
    const remover = await operator();
    // The operator's keys: the removal revokes those that the owner made.
    const make = () => service.admin("POST", "/admin/v1/keys", { account_id, name: "the operator's" });
    const made = await Promise.all(Array.from({ length: 40 }, make));
    const ids = await Promise.all(made.map(async (one) => apiKey.parse(await one.json()).id));
    const rotate = (id: string) => browser.send("POST", `/app/v1/keys/${id}/rotate`, { grace_s: 60 });
    const rotating = ids.slice(0, 20).map(rotate);
    const removing = remover.send("DELETE", `/app/v1/accounts/${account_id}/people/${personId}`);
    const answers = await Promise.all([...rotating, ...ids.slice(20).map(rotate)]);
    assert.equal((await removing).status, 200);
    const told = await Promise.all(answers.map((one) => one.json()));
    const keys = told.flatMap((one) => z.object({ key: z.string() }).safeParse(one).data?.key ?? []);
    for (const key of keys) assert.equal(await isGood(key), false);
    // Nobody was told of a key that was taken back.
    const listed = z.object({ data: z.array(apiKey) });
    const { data } = await remover.ask(listed, "GET", `/app/v1/accounts/${account_id}/keys`);
    const left = data.filter(({ replaces, revoked_at }) => replaces !== null && revoked_at === null);
    assert.deepEqual(left, []);
  });

  test("an account keeps its last owner although that one is invited again as a viewer", async () => {
    const { account_id } = await service.key("pro");
    const owner = await joined(account_id, "owner");
    const next = `${crypto.randomUUID()}@example.com`;
    const link = await inviteTo(account_id, next, "viewer");
    const changes = { email: next, current_password: password };
    await owner.browser.ask(person, "PATCH", "/app/v1/profile", changes);
    assert.equal(await owner.browser.refused("POST", "/app/v1/session", { link, password }), "conflict");
  });

  test("of two who accept invitations of one new address at once, one becomes the person", async () => {
    const [one, two] = [await service.key("pro"), await service.key("pro")];
    const email = `${crypto.randomUUID()}@example.com`;
    const links = [
      await inviteTo(one.account_id, email, "member"),
      await inviteTo(two.account_id, email, "member"),
    ];
    const answers = await Promise.all(
      links.map((link) => new Browser(service.url).send("POST", "/app/v1/session", { link, password })),
    );
    for (const { status } of answers) assert.ok([201, 409].includes(status), String(status));
    assert.ok(answers.some(({ status }) => status === 201));
  });

  test("a person changes the e-mail address a few times a day only", async () => {
    const { account_id } = await service.key("pro");
    const { browser } = await joined(account_id, "member");
    const change = (n: number) => ({
      email: `${n}-${crypto.randomUUID()}@example.com`,
      current_password: password,
    });
    for (const n of [1, 2, 3]) await browser.ask(person, "PATCH", "/app/v1/profile", change(n));
    assert.equal(await browser.refused("PATCH", "/app/v1/profile", change(4)), "rate_limited");
  });
});
