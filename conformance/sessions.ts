import assert from "node:assert/strict";
import { session, tabKey } from "@tapewire/contract/dashboard/people.ts";
import { eventually } from "./eventually.ts";
import type { Live } from "./live.ts";
import type { Section } from "./section.ts";

/** A session of the dashboard, begun with a key. */
async function signIn(live: Live, plan: "pro" | "free" = "pro") {
  const { key, account_id: accountId } = await live.newKey({ plan });
  const headers = { origin: live.client.baseUrl.origin };
  const answer = await live.call("POST", "/app/v1/session", {
    key: null,
    headers,
    body: { secret: key },
    status: 201,
  });
  const cookie = answer.header("set-cookie");
  return {
    accountId,
    cookie,
    session: answer.read(session),
    headers: { ...headers, cookie: cookie.split(";")[0] ?? "" },
  };
}

/** The sign-in of the dashboard, for services that have one. Source: decisions of the project, Sign-in. */
export const sessions: Section = {
  name: "Sessions",
  rules: {
    "an API key begins a session, known by a cookie that no script and no other site can use": async (
      live,
    ) => {
      const { cookie, session: begun, headers, accountId } = await signIn(live);
      assert.match(
        cookie,
        /^(?:__Host-)?tw=[\w-]{43}; Path=\/(?:app)?; HttpOnly; SameSite=Strict; Max-Age=\d+(?:; Secure)?$/,
      );
      assert.deepEqual(
        begun.accounts.map(({ id, right }) => [id, right]),
        [[accountId, "key"]],
      );
      const read = await live.call("GET", "/app/v1/session", { key: null, headers, status: 200 });
      assert.equal(read.read(session).id, begun.id);
    },
    "the cookie opens neither /v1 nor /admin/v1": async (live) => {
      const { headers } = await signIn(live);
      for (const path of ["/v1/me", "/admin/v1/keys"])
        await live.refuses("unauthorized", "GET", path, { key: null, headers });
    },
    "a write needs the page's own origin": async (live) => {
      const { headers, accountId } = await signIn(live);
      const body = { account_id: accountId };
      for (const origin of ["https://page.example", "null"])
        await live.refuses("forbidden_origin", "POST", "/app/v1/token", {
          key: null,
          headers: { ...headers, origin },
          body,
        });
      const { cookie } = headers;
      await live.refuses("forbidden_origin", "POST", "/app/v1/token", {
        key: null,
        headers: { cookie },
        body,
      });
    },
    "every endpoint of the dashboard but sign-in needs a session": async (live) => {
      const headers = { origin: live.client.baseUrl.origin };
      for (const { method, path, auth } of live.description.operations)
        if (auth === "session")
          await live.refuses("unauthorized", method, path.replaceAll(/\{\w+\}/g, crypto.randomUUID()), {
            key: null,
            headers,
          });
    },
    "a tab's key works until its session ends": async (live) => {
      const { headers, accountId } = await signIn(live);
      const made = await live.call("POST", "/app/v1/token", {
        key: null,
        headers,
        body: { account_id: accountId },
        status: 201,
      });
      const { key, right } = made.read(tabKey);
      assert.equal(right, "key");
      await live.get("/v1/me", { key });
      await live.call("DELETE", "/app/v1/session", { key: null, headers, status: 200 });
      await eventually(() => live.refuses("unauthorized", "GET", "/v1/me", { key }));
      await live.refuses("unauthorized", "GET", "/app/v1/session", { key: null, headers });
    },
    "an account is seen by its own sessions only": async (live) => {
      const { headers } = await signIn(live);
      const other = await live.newKey({ plan: "pro" });
      const path = `/app/v1/accounts/${other.account_id}/views`;
      await live.refuses("not_found", "GET", path, { key: null, headers });
      await live.refuses("not_found", "POST", "/app/v1/token", {
        key: null,
        headers,
        body: { account_id: other.account_id },
      });
    },
  },
};
