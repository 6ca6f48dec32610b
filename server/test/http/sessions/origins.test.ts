import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, describe, test } from "node:test";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { Browser } from "../../support/browser.ts";
import { anyEngine } from "../../support/db.ts";
import { type Service, startService } from "../../support/service.ts";

/** A request whose headers are sent as given, Host included, which fetch would set itself. */
function raw(
  url: string,
  {
    method,
    path,
    headers,
    body,
  }: { method: string; path: string; headers: Record<string, string>; body?: string },
): Promise<{ status: number; code: string; headers: Record<string, unknown> }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const told = problem.safeParse(JSON.parse(Buffer.concat(chunks).toString() || "{}"));
        resolve({ status: response.statusCode ?? 0, code: told.data?.code ?? "", headers: response.headers });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

describe("requests that a page of another origin makes a browser send", () => {
  let service: Service;
  let browser: Browser;
  before(async () => {
    service = await startService(anyEngine);
    browser = new Browser(service.url);
    await browser.signIn({ secret: service.adminToken });
  });
  after(() => service[Symbol.asyncDispose]());

  const writes: readonly (readonly [method: string, path: string, body: unknown])[] = [
    ["POST", "/app/v1/session", { secret: "x" }],
    ["POST", "/app/v1/token", { account_id: crypto.randomUUID() }],
    ["PATCH", "/app/v1/profile", { name: "Mallory" }],
    ["DELETE", `/app/v1/sessions/${crypto.randomUUID()}`, undefined],
  ];
  for (const [method, path, body] of writes)
    test(`${method} ${path} is refused without the page's own origin`, async () => {
      const cases: Record<string, string>[] = [
        { origin: "https://evil.example" },
        { origin: "null" },
        { origin: "" },
        { origin: service.url.replace("127.0.0.1", "localhost") },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "none" },
      ];
      for (const headers of cases)
        assert.equal(
          await browser.refused(method, path, body, headers),
          "forbidden_origin",
          JSON.stringify(headers),
        );
    });

  test("a form cannot write: its media types are refused", async () => {
    for (const type of ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]) {
      const response = await browser.send(
        "POST",
        "/app/v1/session",
        { secret: "x" },
        { "content-type": type },
      );
      assert.equal(response.status, 415);
    }
  });

  test("the session routes have no CORS headers, not even for a preflight", async () => {
    for (const method of ["GET", "OPTIONS"]) {
      const response = await browser.send(method, "/app/v1/session", undefined, {
        origin: "https://evil.example",
      });
      assert.equal(response.headers.get("access-control-allow-origin"), null);
    }
  });

  test("/v1 and /admin/v1 do not look at the cookie", async () => {
    for (const path of ["/v1/me", "/admin/v1/keys"])
      assert.equal((await browser.send("GET", path)).status, 401);
  });

  test("on a loopback address the service answers to its own names only", async () => {
    const { port } = new URL(service.url);
    const look = (host: string) =>
      raw(service.url, { method: "GET", path: "/app/v1/sign-in-options", headers: { host } });
    for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example"])
      assert.equal((await look(host)).code, "forbidden_origin", host);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
      assert.equal((await look(host)).status, 200, host);
  });
});

test("behind a proxy with https the cookie is for this host and https only", async () => {
  await using service = await startService(anyEngine, {
    publicUrl: "https://tape.example",
    trustedProxies: 1,
  });
  const signIn = (headers: Record<string, string>) =>
    raw(service.url, {
      method: "POST",
      path: "/app/v1/session",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ secret: service.adminToken }),
    });
  const proxied = { host: "tape.example", origin: "https://tape.example", "x-forwarded-proto": "https" };
  const { status, headers } = await signIn(proxied);
  assert.equal(status, 201);
  assert.match(
    String(headers["set-cookie"]),
    /^__Host-tw=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/,
  );
  assert.equal((await signIn({ ...proxied, origin: "https://evil.example" })).code, "forbidden_origin");
});
