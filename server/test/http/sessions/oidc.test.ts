import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createdKey } from "@tapewire/contract/admin.ts";
import { auditList, madeLink, person, session, signInOptions } from "@tapewire/contract/dashboard/people.ts";
import { type Config, ConfigError, readConfig } from "../../../src/config/config.ts";
import { type Clock, systemClock } from "../../../src/runtime/clock.ts";
import { Browser, tokenOf } from "../../support/browser.ts";
import { anyEngine } from "../../support/db.ts";
import { type Claims, type Issuer, startIssuer } from "../../support/issuer.ts";
import { password, peopleOf } from "../../support/people.ts";
import { type Service, startService } from "../../support/service.ts";

const clientId = "tapewire-test";

describe("sign-in with an identity provider", () => {
  let issuer: Issuer;
  let service: Service;
  let shiftMs = 0;
  const oidcAllow: Config["oidcAllow"][number][] = [];
  const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + shiftMs) };
  before(async () => {
    issuer = await startIssuer(clientId);
    oidcAllow.push(
      ...readConfig({
        TAPEWIRE_OIDC_ALLOW: "Root@Example.com=operator,boss@example.com=operator,@example.com",
      }).oidcAllow,
    );
    const oidc = { oidcIssuer: issuer.url, oidcClientId: clientId, oidcAllow };
    service = await startService(anyEngine, { ...oidc, clock });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await issuer[Symbol.asyncDispose]();
  });

  const { joined, operator, inviteTo } = peopleOf(() => service);

  /** Goes to the provider and back. @returns the cookie of the attempt, and the address at which the provider sends back */
  const leave = async (session = "") => {
    const headers = session === "" ? {} : { cookie: session };
    const begun = await fetch(`${service.url}/app/v1/oidc/start`, { redirect: "manual", headers });
    const cookie = begun.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
    const provider = await fetch(begun.headers.get("location") ?? "", { redirect: "manual" });
    return { begun, cookie, back: provider.headers.get("location") ?? "" };
  };
  const arrive = async (back: string, cookie: string) => {
    const response = await fetch(back, { redirect: "manual", headers: cookie === "" ? {} : { cookie } });
    const failed = response.headers.get("location") === `${service.url}/app/?sign_in=failed`;
    return { failed, cookie: response.headers.get("set-cookie")?.split(";", 1)[0] ?? null };
  };
  const signIn = async (claims: Claims) => {
    issuer.claims = claims;
    const { cookie, back } = await leave();
    return arrive(back, cookie);
  };
  const sessionOf = (cookie: string | null) =>
    new Browser(service.url, cookie).ask(session, "GET", "/app/v1/session");

  test("a provider that is down leads back to the sign-in page, and is asked again at the next sign-in", async () => {
    issuer.isDown = true;
    const begun = await fetch(`${service.url}/app/v1/oidc/start`, { redirect: "manual" });
    issuer.isDown = false;
    assert.deepEqual(
      [begun.status, begun.headers.get("location"), begun.headers.get("set-cookie")],
      [302, `${service.url}/app/?sign_in=failed`, null],
    );
    assert.equal((await signIn({ email: "first@example.com", email_verified: true })).failed, false);
  });

  test("the sign-in page is told that there is one", async () => {
    const told = await new Browser(service.url).ask(signInOptions, "GET", "/app/v1/sign-in-options");
    assert.deepEqual(told, { password: false, oidc: true });
  });

  test("a verified address that is allowed signs in; the cookie of the attempt is bound to the provider's way back", async () => {
    const { begun } = await leave();
    assert.match(
      begun.headers.get("set-cookie") ?? "",
      /^tw_oidc=[\w-]{43}; Path=\/app\/v1\/oidc; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
    const { cookie } = await signIn({ email: "Ada@example.com", email_verified: true, name: "Ada" });
    const ada = await sessionOf(cookie);
    assert.deepEqual([ada.person?.email, ada.person?.name, ada.operator], ["ada@example.com", "Ada", false]);
    const again = await sessionOf((await signIn({ email: "ada@example.com", email_verified: true })).cookie);
    assert.equal(again.person?.id, ada.person?.id);
    const root = await sessionOf((await signIn({ email: "root@example.com", email_verified: true })).cookie);
    assert.equal(root.operator, true);
  });

  test("an address that somebody else took before is cleared for the person whom the provider knows", async () => {
    const { account_id } = await service.key("pro");
    const email = "bob@example.com";
    const { browser: thief } = await joined(account_id, "owner", email);
    const link = await inviteTo(account_id, "friend@example.com", "owner", thief);
    const bob = await sessionOf((await signIn({ email, email_verified: true })).cookie);
    assert.deepEqual([bob.accounts, bob.person?.has_password], [[], false]);
    assert.equal(await thief.refused("GET", "/app/v1/session"), "unauthorized");
    assert.equal(await thief.refused("POST", "/app/v1/session", { email, password }), "unauthorized");
    assert.equal(await thief.refused("POST", "/app/v1/session", { link, password }), "link_expired");
    const path = `/app/v1/accounts/${account_id}/audit?limit=1`;
    const [removed] = (await (await operator()).ask(auditList, "GET", path)).data;
    assert.deepEqual(
      [removed?.action, removed?.subject, removed?.detail],
      ["member.removed", email, { cleared: true, last_owner: true }],
    );
  });

  test("a reset link that an owner made ends when the provider shows that its person is an operator", async () => {
    const { account_id } = await service.key("pro");
    const email = "boss@example.com";
    const { browser: owner } = await joined(account_id, "owner");
    const { browser: boss, personId } = await joined(account_id, "member", email);
    const path = `/app/v1/accounts/${account_id}/people/${personId}/reset`;
    const { url } = await owner.ask(madeLink, "POST", path);
    issuer.claims = { email, email_verified: true };
    const { cookie, back } = await leave(boss.cookie ?? "");
    assert.equal((await sessionOf((await arrive(back, cookie)).cookie)).operator, true);
    const reset = { link: tokenOf(url), password: "another long password" };
    assert.equal(await owner.refused("POST", "/app/v1/session", reset), "link_expired");
  });

  test("a role that is named for the address is given and taken at each sign-in; without one it stays", async () => {
    const { account_id } = await service.key("pro");
    const claims = { email: "cara@example.com", email_verified: true };
    const signedIn = async () => new Browser(service.url, (await signIn(claims)).cookie);
    const isOperator = async (cara: Browser) => (await cara.ask(session, "GET", "/app/v1/session")).operator;
    assert.equal(await isOperator(await signedIn()), false);
    oidcAllow.push({ match: claims.email, role: "operator" });
    const cara = await signedIn();
    assert.equal(await isOperator(cara), true);
    oidcAllow.pop();
    assert.equal(await isOperator(await signedIn()), true);
    const tab = await cara.tabKey(account_id, "operator");
    const key = await cara.ask(createdKey, "POST", `/app/v1/accounts/${account_id}/keys`, { name: "cara's" });
    const link = await inviteTo(account_id, "friend@example.com", "owner", cara);
    oidcAllow.push({ match: claims.email, role: "member" });
    assert.equal(await isOperator(await signedIn()), false);
    oidcAllow.pop();
    assert.equal(await cara.refused("GET", "/app/v1/session"), "unauthorized");
    assert.equal((await service.get("/admin/v1/accounts", tab.key)).status, 401);
    assert.equal((await service.get("/v1/me", key.key)).status, 401);
    assert.equal(await cara.refused("POST", "/app/v1/session", { link, password }), "link_expired");
  });

  test("a person who signs in by the provider while signed in keeps everything", async () => {
    const { account_id } = await service.key("pro");
    const email = "eve@example.com";
    const { browser: eve } = await joined(account_id, "owner", email);
    issuer.claims = { email, email_verified: true };
    const { cookie, back } = await leave(eve.cookie ?? "");
    const begun = await sessionOf((await arrive(back, cookie)).cookie);
    assert.deepEqual([begun.accounts.map(({ id }) => id), begun.person?.has_password], [[account_id], true]);
  });

  test("a person without a password sets one, or another address, only soon after the sign-in", async () => {
    const claims = { email: "open-tab@example.com", email_verified: true };
    const tab = new Browser(service.url, (await signIn(claims)).cookie);
    await tab.ask(person, "PATCH", "/app/v1/profile", { name: "Open Tab" });
    shiftMs = 15 * 60_000 + 1;
    for (const change of [{ password }, { email: "other@example.com" }]) {
      const response = await tab.send("PATCH", "/app/v1/profile", change);
      assert.equal(response.status, 403);
      assert.match(await response.text(), /Sign in again/);
    }
    await tab.ask(person, "PATCH", "/app/v1/profile", { name: "Still a Tab" });
    const fresh = new Browser(service.url, (await signIn(claims)).cookie);
    const changed = await fresh.ask(person, "PATCH", "/app/v1/profile", { password });
    shiftMs = 0;
    assert.equal(changed.has_password, true);
  });

  test("a sign-in by the provider ends the session that the same browser had before, once it succeeds", async () => {
    issuer.claims = { email: "before@example.com", email_verified: true };
    const before = new Browser(service.url);
    await before.signIn({ secret: service.adminToken });
    const tab = await before.tabKey((await service.key("pro")).account_id);
    const { cookie, back } = await leave(before.cookie ?? "");
    assert.equal((await arrive(back.replace(/state=[^&]*/, "state=x"), cookie)).failed, true);
    await before.ask(session, "GET", "/app/v1/session");
    const again = await leave(before.cookie ?? "");
    assert.equal((await arrive(again.back, again.cookie)).failed, false);
    assert.equal(await before.refused("GET", "/app/v1/session"), "unauthorized");
    assert.equal((await service.get("/v1/me", tab.key)).status, 401);
  });

  test("an address that is not verified, not allowed or missing does not", async () => {
    const cases: Claims[] = [
      { email: "ada@example.com" },
      { email: "ada@example.com", email_verified: false },
      { email: "mallory@evil.example", email_verified: true },
      { email: "ada@evil.example@example.com.evil", email_verified: true },
      { email_verified: true },
      { email: "\u212Aim@example.com", email_verified: true },
    ];
    for (const claims of cases) assert.equal((await signIn(claims)).failed, true, JSON.stringify(claims));
  });

  test("another browser, a second use, a wrong state and a wrong nonce do not", async () => {
    issuer.claims = { email: "ada@example.com", email_verified: true };
    const other = await leave();
    assert.equal((await arrive(other.back, "")).failed, true);
    const once = await leave();
    assert.equal((await arrive(once.back, once.cookie)).failed, false);
    assert.equal((await arrive(once.back, once.cookie)).failed, true);
    const state = await leave();
    assert.equal((await arrive(state.back.replace(/state=[^&]*/, "state=x"), state.cookie)).failed, true);
    assert.equal((await signIn({ email: "ada@example.com", email_verified: true, nonce: "x" })).failed, true);
  });
});

test("a provider needs a client id, who may sign in, and https unless it is on this machine", () => {
  const all = {
    TAPEWIRE_OIDC_ISSUER: "http://id.example",
    TAPEWIRE_OIDC_CLIENT_ID: "",
    TAPEWIRE_OIDC_ALLOW: "",
  };
  assert.throws(
    () => readConfig(all),
    (error) =>
      error instanceof ConfigError &&
      ["TAPEWIRE_OIDC_ISSUER: must be https", "TAPEWIRE_OIDC_CLIENT_ID", "TAPEWIRE_OIDC_ALLOW"].every(
        (part) => error.message.includes(part),
      ),
  );
  assert.throws(() => readConfig({ TAPEWIRE_OIDC_ALLOW: "example.com" }), /TAPEWIRE_OIDC_ALLOW/);
});
