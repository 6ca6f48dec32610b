import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { newSecret } from "../../../src/account/secrets.ts";
import { type Clock, systemClock } from "../../../src/runtime/clock.ts";
import { Browser } from "../../support/browser.ts";
import { postgresUrl } from "../../support/db.ts";
import { type Service, startService } from "../../support/service.ts";

describe("guessed cookies, over two services on one PostgreSQL and a clock that stands still", {
  skip: postgresUrl === null ? "no PostgreSQL" : false,
}, () => {
  const services: Service[] = [];
  let nowMs = Date.parse("2026-03-02T14:30:00Z");
  const clock: Clock = { ...systemClock, now: () => new Date(nowMs) };
  before(async () => {
    const first = await startService("postgres", { clock, trustedProxies: 1 });
    const { databaseUrl } = first.config;
    services.push(first, await startService("postgres", { clock, trustedProxies: 1, databaseUrl }));
  });
  after(async () => {
    // The first one owns the database.
    for (const service of services.toReversed()) await service[Symbol.asyncDispose]();
  });

  const service = (n: number): Service => {
    const found = services[n];
    assert.ok(found !== undefined);
    return found;
  };
  /** Sessions that the first service has seen, and the second has not. */
  const begun = async (count: number): Promise<string[]> => {
    const { key: secret } = await service(0).key("pro");
    const browsers = Array.from({ length: count }, () => new Browser(service(0).url));
    await Promise.all(browsers.map((browser) => browser.signIn({ secret })));
    return browsers.map(({ cookie }) => cookie ?? "");
  };
  const guess = () => `tw=${newSecret()}`;
  const ask = async (n: number, address: string, cookie: string): Promise<number> => {
    const headers = { cookie, "x-forwarded-for": address };
    return (await fetch(`${service(n).url}/app/v1/session`, { headers })).status;
  };
  const askAll = (address: string, cookies: readonly string[]) =>
    Promise.all(cookies.map((cookie) => ask(1, address, cookie)));

  test("after 60 from an address no session is looked up for it that was not seen yet; known ones pass", async () => {
    const [known = "", unseen = ""] = await begun(2);
    assert.equal(await ask(1, "198.51.100.1", known), 200);
    const guesses = await askAll("198.51.100.1", Array.from({ length: 60 }, guess));
    assert.deepEqual(new Set(guesses), new Set([401]));
    assert.equal(await ask(1, "198.51.100.1", guess()), 429);
    assert.equal(await ask(1, "198.51.100.1", unseen), 429);
    assert.equal(await ask(1, "198.51.100.1", known), 200);
    assert.equal(await ask(1, "198.51.100.2", unseen), 200);
    assert.equal(await ask(1, "198.51.100.1", unseen), 200, "known by now");
    nowMs += 1_000;
    assert.equal(await ask(1, "198.51.100.1", guess()), 401);
  });

  test("a session that has ended is a guess like others", async () => {
    const [cookie = ""] = await begun(1);
    const address = "198.51.100.3";
    assert.equal(await ask(1, address, cookie), 200);
    await new Browser(service(0).url, cookie).send("DELETE", "/app/v1/session");
    const answers = await askAll(
      address,
      Array.from({ length: 80 }, () => cookie),
    );
    assert.deepEqual(new Set(answers), new Set([401, 429]));
    const [unseen = ""] = await begun(1);
    for (let more = 0; more < 60; more++) await ask(1, address, cookie);
    assert.equal(await ask(1, address, unseen), 429);
  });

  test("a hundred sessions of one address, none seen yet, pass at once: as after a start", async () => {
    const cookies = await begun(100);
    assert.deepEqual(new Set(await askAll("198.51.100.4", cookies)), new Set([200]));
    const guesses = await askAll("198.51.100.4", Array.from({ length: 80 }, guess));
    assert.equal(guesses.filter((status) => status === 401).length, 60);
  });
});
