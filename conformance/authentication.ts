import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { crc32 } from "node:zlib";
import { apiKey } from "@tapewire/contract/admin.ts";
import { z } from "zod";
import { eventually } from "./eventually.ts";
import type { Live } from "./live.ts";
import { interfaceRoutes } from "./routes.ts";
import type { Rule, Section } from "./section.ts";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A well-formed key that does not exist: prefix, 32 digits, checksum. Source: decisions, Keys. */
function unknownKey(): string {
  const secret = `tw_live_${randomUUID().replaceAll("-", "").slice(0, 32)}`;
  let rest = crc32(secret);
  let checksum = "";
  for (let digit = 0; digit < 6; digit++) {
    checksum = `${base62[rest % 62]}${checksum}`;
    rest = Math.floor(rest / 62);
  }
  return secret + checksum;
}

async function refused(live: Live, authorization: string | null): Promise<void> {
  await live.refuses("unauthorized", "GET", "/v1/me", {
    key: null,
    headers: authorization === null ? {} : { authorization },
  });
}

async function keyless(live: Live, method: string, path: string): Promise<void> {
  await live.refuses("unauthorized", method, path.replace(/\{\w+\}/, randomUUID()), { key: null });
}

function withoutKey(route: (typeof interfaceRoutes)[number]): Rule {
  const [method = "", path = ""] = route.split(" ");
  return (live) => keyless(live, method, path);
}

export const authentication: Section = {
  name: "Authentication",
  rules: {
    "1 the header Authorization: Bearer <API_KEY> opens REST": async (live) => {
      const key = await live.key("pro");
      await live.get("/v1/me", { key });
      await live.get("/v1/me", { key: null, headers: { authorization: `bearer ${key}` } });
    },
    "1 keys begin with a fixed live prefix, followed by the secret part": async (live) => {
      for (const key of [await live.key("free"), await live.key("enterprise")])
        assert.match(key, /^tw_live_[0-9A-Za-z]{38}$/);
    },
    "1 a key is shown once, when it is created": async (live) => {
      const made = await live.newKey({ plan: "free" });
      const answer = await live.get("/admin/v1/keys");
      assert.ok(!answer.text.includes(made.key));
      const { data } = z.object({ data: z.array(apiKey) }).parse(answer.json);
      assert.ok(data.some(({ id }) => id === made.id));
    },
    "2 api_key in the query is not accepted by REST": async (live) => {
      const query = { api_key: await live.key("pro") };
      await live.refuses("unauthorized", "GET", "/v1/me", { key: null, query });
    },
    "3 401 without a key, with WWW-Authenticate: Bearer": async (live) => {
      await refused(live, null);
      const answer = await live.get("/v1/me", { key: null, status: 401 });
      assert.match(answer.header("www-authenticate"), /^Bearer\b/);
    },
    "3 401 for another scheme, an empty or a malformed header": async (live) => {
      const key = await live.key("pro");
      const basic = Buffer.from(`${key}:`).toString("base64");
      for (const value of ["", "Bearer", "Bearer ", key, `Basic ${basic}`, `Token ${key}`, `Bearer ${key} x`])
        await refused(live, value);
    },
    "3 401 for an invalid key: mistyped, cut, in another case, unknown": async (live) => {
      const key = await live.key("pro");
      const swapped = key.slice(0, -1) + (key.endsWith("A") ? "B" : "A");
      for (const bad of ["x", key.slice(0, -1), `${key}A`, swapped, key.toLowerCase(), unknownKey()])
        await refused(live, `Bearer ${bad}`);
    },
    "3 401 for the admin token on REST, and for a key on the admin API": async (live) => {
      await live.refuses("unauthorized", "GET", "/v1/me", { key: live.adminToken });
      await live.refuses("unauthorized", "GET", "/admin/v1/keys", { key: await live.key("enterprise") });
    },
    "3 401 for a revoked key, within 5 s and permanently": async (live) => {
      const { id, key } = await live.newKey({ plan: "pro" });
      await live.get("/v1/me", { key });
      await live.revoke(id);
      await eventually(() => live.refuses("unauthorized", "GET", "/v1/me", { key }));
      await live.refuses("unauthorized", "GET", "/v1/feeds", { key });
    },
    "3 401 for an expired key; other keys of the account stay valid": async (live) => {
      const { key, account_id } = await live.newKey({ plan: "pro" });
      const soon = await live.newKey({ account_id, expires_at: new Date(Date.now() + 700).toISOString() });
      await eventually(() => live.refuses("unauthorized", "GET", "/v1/me", { key: soon.key }));
      await live.get("/v1/me", { key });
    },
    "3 401 on the admin API without the admin token": async (live) => {
      for (const { method, path, auth } of live.description.operations)
        if (auth === "admin") await keyless(live, method, path);
    },
    "every endpoint but sign-in needs authentication": async (live) => {
      const open = live.description.operations.filter(({ auth }) => auth === "none").map(({ id }) => id);
      const signIn = ["readSignInOptions", "lookAtLink", "beginSession"];
      assert.deepEqual(
        open.filter((id) => !signIn.includes(id)),
        [],
      );
    },
    ...Object.fromEntries(
      interfaceRoutes.map((route) => [`3 401 without a key: ${route}`, withoutKey(route)]),
    ),
    "4 the plan decides: the Free plan has no list, scoring needs Pro or higher": async (live) => {
      const body = { artifact: { type: "news", title: "x", body: "y" } };
      for (const [plan, list, scoring] of [
        ["free", 403, 403],
        ["starter", 200, 403],
        ["pro", 200, 200],
        ["quant", 200, 200],
        ["enterprise", 200, 200],
      ] as const) {
        const { key } = await live.newKey({ plan });
        await live.get("/v1/feeds", { key, query: { limit: 1 }, status: list });
        await live.call("POST", "/v1/score", { key, body, status: scoring });
      }
    },
    "4 a change of plan takes effect within 5 s, up and down": async (live) => {
      const { key, account_id: accountId } = await live.newKey({ plan: "free" });
      await live.get("/v1/feeds", { key, status: 403 });
      await live.movePlan(accountId, "starter");
      await eventually(() => live.get("/v1/feeds", { key }));
      await live.movePlan(accountId, "free");
      await eventually(() => live.get("/v1/feeds", { key, status: 403 }));
    },
  },
};
