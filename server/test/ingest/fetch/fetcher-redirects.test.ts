import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { test } from "node:test";
import { Fetcher, type FetcherOptions } from "../../../src/ingest/fetch/fetcher.ts";
import { firstHop, nextHop } from "../../../src/ingest/fetch/redirects.ts";
import { FetchError } from "../../../src/ingest/fetch/types.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { LocalHostGates } from "../../support/host-gates.ts";

interface Site extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  readonly asked: (string | undefined)[];
}

async function site(answer: RequestListener, host = "127.0.0.1", port = 0): Promise<Site> {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    answer(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return {
    origin: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const feed: RequestListener = (_, response) => response.end("<rss/>");
const redirectTo =
  (location: string, status = 302): RequestListener =>
  (_, response) =>
    response.writeHead(status, { location }).end();

const newFetcher = (options: Partial<FetcherOptions> = {}) =>
  new Fetcher({ clock: systemClock, userAgent: "Tapewire/test", gates: new LocalHostGates(), ...options });

function get(fetcher: Fetcher, url: string, trusted = true) {
  const request = { url, accept: "*/*", conditional: false, trusted };
  const { signal } = new AbortController();
  return fetcher.fetch(request, {
    validators: null,
    asker: { url, hosts: [], requests_per_s: 1_000 },
    signal,
  });
}

async function failure(promise: Promise<unknown>): Promise<FetchError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof FetchError, String(error));
  return error;
}

test("a source on this machine may send on to itself, by a path or by its whole address", async () => {
  await using server = await site((request, response) => {
    if (request.url === "/end") return response.end("<rss/>");
    const location = request.url === "/a" ? "/b" : `http://${request.headers.host}/end`;
    return response.writeHead(302, { location }).end();
  });
  await using fetcher = newFetcher();
  const fetched = await get(fetcher, `${server.origin}/a`);
  assert.ok(fetched.status === "ok");
  assert.equal(fetched.response.url, `${server.origin}/end`);
});

test("a redirect to another private address is refused, however it is written, and nothing is asked there", async () => {
  await using inside = await site(feed, "0.0.0.0");
  const { port } = inside;
  const targets = [
    `http://127.0.0.1:${port}/`,
    `//127.0.0.1:${port}/`,
    `http://127.0.0.2:${port}/`,
    `http://127.1:${port}/`,
    `http://2130706433:${port}/`,
    `http://0x7f000001:${port}/`,
    `http://0177.0.0.1:${port}/`,
    `http://0:${port}/`,
    `http://127.0.0.1.:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://[::ffff:7f00:1]:${port}/`,
    `http://[::1]:${port}/`,
    `http://[64:ff9b::7f00:1]:${port}/`,
    `http://localhost:${port}/`,
    `http://LOCALHOST.:${port}/`,
    `http://feeds.localhost:${port}/`,
    "http://169.254.169.254/latest/meta-data/",
    "http://metadata.google.internal/",
    "http://[fd00:ec2::254]/",
    "http://10.0.0.1/",
    "http://redis/",
  ];
  await using fetcher = newFetcher();
  for (const target of targets) {
    await using server = await site(redirectTo(target));
    const error = await failure(get(fetcher, server.origin));
    assert.match(error.message, /^a redirect may lead to public addresses only: /, target);
  }
  assert.deepEqual(inside.asked, []);
});

test("a redirect to what is no web page, or holds a password, is refused", async () => {
  const table: readonly (readonly [string, RegExp])[] = [
    ["file:///etc/passwd", /no http or https URL/],
    ["gopher://127.0.0.1:6379/_INFO", /no http or https URL/],
    ["javascript:alert(1)", /no http or https URL/],
    ["data:text/xml,<rss/>", /no http or https URL/],
    ["http://", /no http or https URL/],
    ["http://user:secret@example.com/", /user name or password/],
    ["", /without a Location/],
    [`http://${"a-".repeat(12_000)}a.example/`, /too long$/],
    [`https://${"a.".repeat(126)}example/`, /too long$/],
    [`/${"a".repeat(5_000)}`, /too long$/],
  ];
  await using fetcher = newFetcher();
  for (const [location, message] of table) {
    await using server = await site(redirectTo(location));
    const error = await failure(get(fetcher, server.origin));
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /secret/);
    assert.ok(error.message.length < 100);
    assert.equal(error.status, 302);
  }
});

test("a link from outside may not lead to this machine, the operator's own address may", async () => {
  await using server = await site(feed);
  await using fetcher = newFetcher();
  assert.equal((await get(fetcher, server.origin)).status, "ok");
  const error = await failure(get(fetcher, server.origin, false));
  assert.equal(error.message, "a link may lead to public addresses only: 127.0.0.1 is no public address");
  // A connection that the trusted request has left open is not used either.
  assert.equal(server.asked.length, 1);
  const { host } = new URL(server.origin);
  await using lenient = newFetcher({ isAllowed: () => true });
  const named = await failure(get(lenient, `http://user:secret@${host}/`, false));
  assert.match(named.message, /^a link may lead .* holds a user name or password$/);
});

test("a link with a backslash or blanks in its query is asked for like any other", async () => {
  await using server = await site(feed);
  await using fetcher = newFetcher({ isAllowed: (ip) => ip === "127.0.0.1" });
  assert.equal((await get(fetcher, `${server.origin}/a?b=\\c d`, false)).status, "ok");
  assert.deepEqual(server.asked, ["/a?b=\\c%20d"]);
});

test("a name is refused when it leads to a private address, alone or among public ones", async () => {
  await using inside = await site(feed);
  for (const answer of [["127.0.0.1"], ["93.184.215.14", "127.0.0.1"], ["::ffff:127.0.0.1"], []]) {
    await using fetcher = newFetcher({
      resolve: async () => answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    });
    const asked = `http://news.example:${inside.port}/`;
    await using server = await site(redirectTo(asked));
    for (const error of [
      await failure(get(fetcher, asked, false)),
      await failure(get(fetcher, server.origin)),
    ])
      assert.match(error.message, /^news\.example (leads to .*127\.0\.0\.1|has no address)/);
  }
  assert.deepEqual(inside.asked, []);
});

test("a name that changes its answer is judged for every connection, and asked once for each", async () => {
  // 127.0.0.1 stands for a public address here, 127.0.0.2 for a private one.
  await using outside = await site((_, response) => response.setHeader("connection", "close").end("<rss/>"));
  await using inside = await site(feed, "127.0.0.2", outside.port);
  const answers = ["127.0.0.1", "127.0.0.2"];
  let lookups = 0;
  await using fetcher = newFetcher({
    isAllowed: (ip) => ip === "127.0.0.1",
    resolve: async () => {
      lookups += 1;
      return [{ address: answers.shift() ?? "127.0.0.2", family: 4 }];
    },
  });
  const url = `http://news.example:${outside.port}/`;
  assert.equal((await get(fetcher, url, false)).status, "ok");
  assert.equal(lookups, 1);
  const error = await failure(get(fetcher, url, false));
  assert.equal(error.message, "news.example leads to 127.0.0.2, which is no public address");
  assert.deepEqual([outside.asked.length, inside.asked.length, lookups], [1, 0, 2]);
});

test("trust that a redirect has lost does not come back", () => {
  const first = firstHop("http://feeds.intern.example/feed", true);
  const away = nextHop(first, 302, "http://elsewhere.example/", 5);
  const back = nextHop(away, 302, "http://feeds.intern.example/admin?delete=1", 5);
  assert.deepEqual([first.trusted, away.trusted, back.trusted], [true, false, false]);
  const table: readonly (readonly [string, boolean])[] = [
    ["/other", true],
    ["http://feeds.intern.example:8080/", false],
    ["https://feeds.intern.example/", true],
    ["https://feeds.intern.example:8443/", false],
    ["http://www.feeds.intern.example/", false],
  ];
  for (const [location, trusted] of table)
    assert.equal(nextHop(first, 302, location, 5).trusted, trusted, location);
  assert.equal(nextHop(firstHop("http://a.example/", false), 302, "/b", 5).trusted, false);
});

test("no redirect leads from https back to http", () => {
  const hop = nextHop(firstHop("http://a.example/", true), 301, "https://a.example/", 5);
  assert.throws(() => nextHop(hop, 302, "http://a.example/feed", 5), /from https to http: a\.example/);
  assert.throws(() => nextHop(hop, 302, "//b.example:99999/", 5), FetchError);
  assert.equal(nextHop(hop, 302, "//b.example/", 5).url.href, "https://b.example/");
});

test("a circle is found when it closes, a chain ends after five redirects", async () => {
  await using circle = await site((request, response) => {
    const next = { "/a": "/b", "/b": "/c#x", "/c": "/b#y" }[String(request.url)] ?? "/";
    response.writeHead(302, { location: next }).end();
  });
  await using fetcher = newFetcher();
  assert.equal((await failure(get(fetcher, `${circle.origin}/a`))).message, "redirects in a circle");
  assert.deepEqual(circle.asked, ["/a", "/b", "/c"]);

  await using chain = await site((request, response) => {
    const step = Number(request.url?.slice(1));
    if (step === 0) response.end("<rss/>");
    else response.writeHead(302, { location: `/${step - 1}` }).end();
  });
  assert.equal((await get(fetcher, `${chain.origin}/5`)).status, "ok");
  chain.asked.length = 0;
  assert.equal((await failure(get(fetcher, `${chain.origin}/6`))).message, "more than 5 redirects");
  assert.equal(chain.asked.length, 6);
});

test("what has moved for good is told, up to the first redirect that may change again", async (context) => {
  context.mock.method(Math, "random", () => 0.5);
  await using server = await site((request, response) => {
    const moves: Record<string, readonly [number, string]> = {
      "/moved": [301, "/twice"],
      "/twice": [308, "/end"],
      "/then-elsewhere": [301, "/elsewhere"],
      "/elsewhere": [307, "/behind"],
      "/behind": [301, "/end"],
    };
    const [status, location] = moves[String(request.url)] ?? [];
    if (status !== undefined && location !== undefined) response.writeHead(status, { location }).end();
    else response.writeHead(request.headers["if-none-match"] === '"v1"' ? 304 : 200).end();
  });
  await using fetcher = newFetcher();
  const movedTo = async (path: string) => (await get(fetcher, server.origin + path)).movedTo;
  assert.equal(await movedTo("/end"), null);
  assert.equal(await movedTo("/moved"), `${server.origin}/end`);
  assert.equal(await movedTo("/elsewhere"), null);
  assert.equal(await movedTo("/then-elsewhere"), `${server.origin}/elsewhere`);
  const polled = await fetcher.fetch(
    { url: `${server.origin}/moved`, accept: "*/*", conditional: true, trusted: true },
    {
      validators: { etag: '"v1"', lastModified: null },
      asker: { url: server.origin, hosts: [], requests_per_s: 1_000 },
      signal: AbortSignal.timeout(5_000),
    },
  );
  assert.deepEqual([polled.status, polled.movedTo], ["not_modified", `${server.origin}/end`]);
});

test("every hop waits for its own host's turn, and a pause is the host's that asked for it", async () => {
  await using busy = await site((_, response) => response.writeHead(429, { "retry-after": "60" }).end());
  await using server = await site(redirectTo(`${busy.origin}/x`));
  const log: string[] = [];
  await using fetcher = newFetcher({
    isAllowed: (ip) => ip === "127.0.0.1",
    gates: {
      enter: async (host, { requestsPerS, isStranger }) => {
        log.push(`enter ${host} ${requestsPerS} ${isStranger}`);
        return () => log.push(`leave ${host}`);
      },
      pause: async (host, ms, { isStranger }) => {
        log.push(`pause ${host} ${ms} ${isStranger}`);
      },
    },
  });
  await failure(get(fetcher, server.origin));
  const [first, second] = [new URL(server.origin).host, new URL(busy.origin).host];
  assert.deepEqual(log, [
    `enter ${first} 1000 false`,
    `leave ${first}`,
    `enter ${second} 5 true`,
    `pause ${second} 60000 true`,
    `leave ${second}`,
  ]);
});
