import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { auditList, linkInfo, madeLink, person, session } from "@tapewire/contract/dashboard/people.ts";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { type Clock, systemClock } from "../../../src/runtime/clock.ts";
import { Browser, tokenOf } from "../../support/browser.ts";
import { anyEngine, onAnyEngine } from "../../support/db.ts";
import { password, peopleOf } from "../../support/people.ts";
import { type Service, startService } from "../../support/service.ts";

onAnyEngine("the first start leaves a link that signs the operator in once", async (_, engine) => {
  await using service = await startService(engine);
  const path = join(service.config.dataDir, "sign-in-link");
  const link = readFileSync(path, "utf8").trim();
  assert.equal(link, service.app.signInLink);
  assert.match(link, new RegExp(`^${service.url}/app/#/start/[\\w-]{43}$`));
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const browser = new Browser(service.url);
  const looked = await browser.ask(linkInfo.strict(), "POST", "/app/v1/links/look", { link: tokenOf(link) });
  assert.deepEqual([looked.purpose, looked.needs_password], ["first", false]);
  const begun = await browser.signIn({ link: tokenOf(link) });
  assert.deepEqual([begun.kind, begun.operator, begun.person], ["admin", true, null]);
  assert.deepEqual(
    begun.accounts.map(({ right }) => right),
    ["operator"],
  );
  assert.match(browser.setCookie, /^tw=[\w-]{43}; Path=\/app; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
  assert.deepEqual((await browser.ask(session, "GET", "/app/v1/session")).id, begun.id);
  const second = new Browser(service.url);
  assert.equal(await second.refused("POST", "/app/v1/session", { link: tokenOf(link) }), "link_expired");
});

describe("sign-in", () => {
  let service: Service;
  let shiftMs = 0;
  const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + shiftMs) };
  before(async () => {
    service = await startService(anyEngine, { clock });
  });
  after(() => service[Symbol.asyncDispose]());

  const { operator, inviteTo, joined } = peopleOf(() => service);

  test("a link that is not used within an hour has expired, and says how to get another", async () => {
    const made = madeLink
      .strict()
      .parse(await (await service.admin("POST", "/admin/v1/sign-in-links")).json());
    shiftMs = 3_600_001;
    const response = await new Browser(service.url).send("POST", "/app/v1/session", {
      link: tokenOf(made.url),
    });
    shiftMs = 0;
    assert.equal(response.status, 410);
    assert.match(await response.text(), /link_expired/);
  });

  test("of ten who use a link at once, one gets in", async () => {
    const made = madeLink.parse(await (await service.admin("POST", "/admin/v1/sign-in-links")).json());
    const all = await Promise.all(
      Array.from({ length: 10 }, () =>
        new Browser(service.url).send("POST", "/app/v1/session", { link: tokenOf(made.url) }),
      ),
    );
    assert.deepEqual(all.map(({ status }) => status).toSorted(), [201, ...Array<number>(9).fill(410)]);
  });

  test("an API key opens its account and nothing else", async () => {
    const key = await service.key("pro");
    const browser = new Browser(service.url);
    const begun = await browser.signIn({ secret: key.key });
    assert.deepEqual([begun.kind, begun.operator], ["key", false]);
    assert.deepEqual(
      begun.accounts.map(({ id, right }) => [id, right]),
      [[key.account_id, "key"]],
    );
    assert.equal(await browser.refused("GET", `/app/v1/accounts/${key.account_id}/keys`), "forbidden");
    const other = await service.key("pro");
    assert.equal(
      await browser.refused("POST", "/app/v1/token", { account_id: other.account_id }),
      "not_found",
    );
    // The session ends with its key.
    await service.admin("DELETE", `/admin/v1/keys/${key.id}`);
    assert.equal(await browser.refused("GET", "/app/v1/session"), "unauthorized");
  });

  test("a wrong secret, a revoked key and a tab key are 401", async () => {
    const key = await service.key("pro");
    const browser = new Browser(service.url);
    await browser.signIn({ secret: key.key });
    const tab = await browser.tabKey(key.account_id);
    await service.admin("DELETE", `/admin/v1/keys/${key.id}`);
    const stranger = new Browser(service.url);
    for (const secret of ["nonsense", key.key, tab.key, "tw_live_0"])
      assert.equal(await stranger.refused("POST", "/app/v1/session", { secret }), "unauthorized");
  });

  test("a wrong password is told in the words of the sign-in", async () => {
    const body = { email: "stranger@example.com", password: "wrong wrong wrong" };
    const answer = await new Browser(service.url).send("POST", "/app/v1/session", body);
    const { title, detail } = problem.parse(await answer.json());
    assert.equal(detail, "The e-mail address or the password is wrong");
    assert.doesNotMatch(title, /key/i);
  });

  test("a body names exactly one way", async () => {
    const browser = new Browser(service.url);
    for (const body of [
      {},
      { secret: "x", email: "a@example.com", password },
      { email: "a@example.com" },
      { link: "x" },
    ])
      assert.equal(await browser.refused("POST", "/app/v1/session", body), "invalid_body");
  });

  test("signing in ends the session that the client came with, and never takes over a planted one", async () => {
    const { account_id } = await service.key("pro");
    const { browser } = await joined(account_id, "member", "rotate@example.com");
    const first = browser.cookie;
    await browser.signIn({ email: "rotate@example.com", password });
    assert.notEqual(browser.cookie, first);
    assert.equal(await new Browser(service.url, first).refused("GET", "/app/v1/session"), "unauthorized");
    const planted = new Browser(service.url, `tw=${"A".repeat(43)}`);
    await planted.signIn({ email: "rotate@example.com", password });
    assert.notEqual(planted.cookie, `tw=${"A".repeat(43)}`);
  });

  test("an invitation makes a person, who then signs in by e-mail in any case", async () => {
    const { account_id } = await service.key("pro");
    const { begun } = await joined(account_id, "owner", "ada@example.com");
    assert.deepEqual([begun.kind, begun.person?.name, begun.person?.role], ["person", "Ada", "member"]);
    assert.deepEqual(
      begun.accounts.map(({ id, right }) => [id, right]),
      [[account_id, "owner"]],
    );
    const again = await new Browser(service.url).signIn({ email: " ADA@Example.com", password });
    assert.equal(again.person?.id, begun.person?.id);
  });

  test("a short password is refused and the invitation stays good", async () => {
    const { account_id } = await service.key("pro");
    const link = await inviteTo(account_id, "short@example.com", "member");
    const browser = new Browser(service.url);
    assert.equal(
      await browser.refused("POST", "/app/v1/session", { link, password: "short" }),
      "invalid_body",
    );
    assert.equal(await browser.refused("POST", "/app/v1/session", { link }), "invalid_body");
    await browser.signIn({ link, password });
  });

  test("an invitation does not open a person who is known already", async () => {
    const [one, two] = [await service.key("pro"), await service.key("pro")];
    await joined(one.account_id, "owner", "known@example.com");
    const link = await inviteTo(two.account_id, "known@example.com", "member");
    const thief = new Browser(service.url);
    assert.equal(
      await thief.refused("POST", "/app/v1/session", { link, password: "another long password" }),
      "unauthorized",
    );
    const begun = await new Browser(service.url).signIn({ link, password });
    assert.deepEqual(
      begun.accounts.map(({ id }) => id).toSorted(),
      [one.account_id, two.account_id].toSorted(),
    );
  });

  test("an invitation needs no password of whoever is signed in as the invited, and tells nobody else", async () => {
    const { account_id } = await service.key("pro");
    const { browser, email } = await joined((await service.key("pro")).account_id, "owner");
    const link = await inviteTo(account_id, email, "member");
    const needs = async (who: Browser) =>
      (await who.ask(linkInfo.strict(), "POST", "/app/v1/links/look", { link })).needs_password;
    assert.deepEqual(
      [await needs(browser), await needs(new Browser(service.url)), await needs(await operator())],
      [false, true, true],
    );
    assert.equal((await browser.signIn({ link })).accounts.length, 2);
  });

  test("a reset sets the password, ends all sessions, and works once", async () => {
    const { account_id } = await service.key("pro");
    const { browser, begun } = await joined(account_id, "member", "reset@example.com");
    const path = `/app/v1/accounts/${account_id}/people/${begun.person?.id}/reset`;
    const { url } = await (await operator()).ask(madeLink.strict(), "POST", path);
    const renewed = "another long password";
    await new Browser(service.url).signIn({ link: tokenOf(url), password: renewed });
    assert.equal(await browser.refused("GET", "/app/v1/session"), "unauthorized");
    const stranger = new Browser(service.url);
    assert.equal(
      await stranger.refused("POST", "/app/v1/session", { link: tokenOf(url), password }),
      "link_expired",
    );
    assert.equal(
      await stranger.refused("POST", "/app/v1/session", { email: "reset@example.com", password }),
      "unauthorized",
    );
    await stranger.signIn({ email: "reset@example.com", password: renewed });
  });

  test("ten wrong passwords an hour, also at once, and the answers do not tell whether the address is known", async () => {
    const { account_id } = await service.key("pro");
    await joined(account_id, "member", "guess@example.com");
    for (const email of ["guess@example.com", "nobody@example.com"]) {
      const guess = { email, password: "wrong wrong wrong" };
      const tried = () => new Browser(service.url).send("POST", "/app/v1/session", guess);
      const all = await Promise.all(Array.from({ length: 14 }, tried));
      const codes = await Promise.all(
        all.map(async (one) => `${one.status} ${problem.parse(await one.json()).detail}`),
      );
      // On a busy machine some are not checked in time.
      assert.equal(codes.filter((one) => /^(?:401|503)/.test(one)).length, 10, codes.join("\n"));
      assert.equal(codes.filter((one) => one.startsWith("429")).length, 4);
      assert.equal(new Set(codes.filter((one) => one.startsWith("401"))).size, 1);
      // They are no attempts.
      while ((await tried()).status !== 429);
    }
    const right = { email: "guess@example.com", password };
    assert.equal(await new Browser(service.url).refused("POST", "/app/v1/session", right), "rate_limited");
    shiftMs = 3_600_001;
    await new Browser(service.url).signIn(right);
    shiftMs = 0;
  });

  test("a session ends when it is not used for 14 days, and after 90 at the latest", async () => {
    const { account_id } = await service.key("pro");
    const { browser } = await joined(account_id, "member", "idle@example.com");
    const dayMs = 86_400_000;
    for (let day = 13; day < 90; day += 13) {
      shiftMs = day * dayMs;
      await browser.ask(session, "GET", "/app/v1/session");
    }
    shiftMs = 90 * dayMs + 1;
    assert.equal(await browser.refused("GET", "/app/v1/session"), "unauthorized");
    shiftMs = 0;
    const other = (await joined(account_id, "member", "idle2@example.com")).browser;
    shiftMs = 14 * dayMs + 1;
    assert.equal(await other.refused("GET", "/app/v1/session"), "unauthorized");
    shiftMs = 0;
  });

  test("the operator becomes a person who signs in with a password", async () => {
    const old = await operator();
    shiftMs = 15 * 60_000 + 1;
    const root = { email: "root@example.com", password };
    assert.equal(await old.refused("PATCH", "/app/v1/profile", root), "forbidden", "long signed in");
    const browser = await operator();
    shiftMs = 0;
    assert.equal(await browser.refused("PATCH", "/app/v1/profile", { name: "Root" }), "invalid_body");
    const made = await browser.ask(person.strict(), "PATCH", "/app/v1/profile", {
      email: "root@example.com",
      password,
      name: "Root",
    });
    assert.deepEqual([made.role, made.has_password], ["operator", true]);
    const begun = await new Browser(service.url).signIn({ email: "root@example.com", password });
    assert.equal(begun.operator, true);
  });

  test("a password is changed with the current one only, and signs the person out elsewhere", async () => {
    const { account_id } = await service.key("pro");
    const { browser } = await joined(account_id, "member", "change@example.com");
    const elsewhere = new Browser(service.url);
    await elsewhere.signIn({ email: "change@example.com", password });
    const renewed = "another long password";
    assert.equal(await browser.refused("PATCH", "/app/v1/profile", { password: renewed }), "invalid_body");
    assert.equal(
      await browser.refused("PATCH", "/app/v1/profile", { password: renewed, current_password: "wrong" }),
      "unauthorized",
    );
    await browser.ask(person, "PATCH", "/app/v1/profile", { password: renewed, current_password: password });
    await browser.ask(session, "GET", "/app/v1/session");
    assert.equal(await elsewhere.refused("GET", "/app/v1/session"), "unauthorized");
  });

  test("a session that several requests end at once ends once", async () => {
    const browser = await operator();
    const { id } = await browser.ask(session, "GET", "/app/v1/session");
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => browser.send("DELETE", "/app/v1/session")),
    );
    const others = answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 401);
    assert.deepEqual(others, []);
    const { data } = await (await operator()).ask(auditList, "GET", "/app/v1/audit?limit=200");
    const ends = data.filter(({ action, detail }) => action === "session.ended" && detail.session === id);
    assert.equal(ends.length, 1);
  });

  test("the audit tells who signed in and who failed, without a secret", async () => {
    const browser = await operator();
    await new Browser(service.url).refused("POST", "/app/v1/session", { secret: "tw_live_secret_text" });
    const { data } = await browser.ask(auditList.strict(), "GET", "/app/v1/audit?limit=200");
    const actions = new Set(data.map(({ action }) => action));
    for (const action of ["session.begun", "sign_in.failed"]) assert.ok(actions.has(action), action);
    assert.doesNotMatch(JSON.stringify(data), /secret_text|a long enough/);
  });
});
