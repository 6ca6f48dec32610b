import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer, type RequestListener } from "node:http";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { createGzip, gzipSync } from "node:zlib";
import { sourceConfig } from "../../src/config/sources.ts";
import { ParseError } from "../../src/ingest/adapter.ts";
import { FetchError, Fetcher, fetchLimits } from "../../src/ingest/fetcher.ts";
import { feedAdapter } from "../../src/ingest/sources/feed.ts";
import { cleanBody, textLimits } from "../../src/ingest/text.ts";
import { systemClock } from "../../src/runtime/clock.ts";

const source = sourceConfig.parse({
  name: "hostile",
  id: "hostile",
  provider: "hostile",
  format: "feed",
  url: "https://feeds.example/feed.xml",
});

/** Items, or null for the one error that a reader may throw. Any other fails the test. */
function read(text: string) {
  const body = Buffer.from(text);
  try {
    return feedAdapter.parse({ url: source.url, headers: {}, body, fetchedAt: new Date(0) }, source).items;
  } catch (error) {
    assert.ok(error instanceof ParseError, String(error));
    return null;
  }
}

const rss = (inner: string, doctype = "") =>
  `<?xml version="1.0"?>${doctype}<rss version="2.0"><channel><title>t</title><link>https://a.example/</link>${inner}</channel></rss>`;
const item = (title: string, rest = "") => `<item><title>${title}</title>${rest}</item>`;

test("entities of the document are not expanded, and nothing outside is read", () => {
  const lol = Array.from({ length: 12 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join("");
  const laughs = `<!DOCTYPE rss [<!ENTITY l0 "lol">${lol}]>`;
  const quadratic = `<!DOCTYPE rss [<!ENTITY a "${"a".repeat(100_000)}">]>`;
  const external =
    '<!DOCTYPE rss [<!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "http://127.0.0.1:9/x">%p;]>';
  for (const text of [
    rss(item("&l12;"), laughs),
    rss(item("&a;".repeat(100_000)), quadratic),
    rss(item("&f;"), external),
  ]) {
    const items = read(text) ?? [];
    const title = items[0]?.title ?? "";
    assert.ok(title.length <= textLimits.title);
    assert.doesNotMatch(title, /lollol|aaaa|root:/);
  }
});

test("keys that are properties of every object pollute nothing", () => {
  const keys = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];
  for (const key of keys) {
    read(rss(item("a", `<${key}><polluted>yes</polluted></${key}>`)));
    read(rss(`<item ${key}="x" polluted="yes"><title>a</title></item>`));
    read(
      `{"version":"https://jsonfeed.org/version/1","title":"t","${key}":{"polluted":"yes"},"items":[{"id":"1","title":"a","${key}":{"polluted":"yes"}}]}`,
    );
  }
  assert.equal(Reflect.get({}, "polluted"), undefined);
  assert.equal(Reflect.get(Object, "polluted"), undefined);
});

test("NUL, lone surrogates and control characters do not get through", () => {
  const dirty = item(
    "a&#0;b&#xD800;c&#xFFFF;d\u0000e\u0008f",
    "<description>&amp;#0;x&amp;#xDFFF;y\u0001</description>",
  );
  const json = JSON.stringify({
    version: "https://jsonfeed.org/version/1",
    title: "t",
    items: [{ id: "1", title: "a\0b\ud800c", content_text: "\udc00x", tags: ["t\0\ud83d"] }],
  });
  for (const text of [rss(dirty), json]) {
    const [found] = read(text) ?? [];
    assert.ok(found !== undefined);
    for (const each of [found.title ?? "", found.body, ...found.categories, ...found.identity]) {
      assert.ok(each.isWellFormed(), JSON.stringify(each));
      assert.doesNotMatch(each, /\p{Cc}/u);
    }
  }
});

test("script that was escaped stays text, and its addresses are no links", () => {
  const [found] =
    read(rss(item("&lt;script&gt;x()&lt;/script&gt;Up 5%", "<link>javascript:x()</link>"))) ?? [];
  assert.equal(found?.title, "Up 5%");
  assert.equal(found?.link, null);
});

test("JSON that is no feed, or of the wrong types, is a ParseError or harmless", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const odd =
    '{"version":"https://jsonfeed.org/version/1","title":1,"items":[{"id":{},"title":[],"url":7},null,3,"x"]}';
  for (const text of [deep, odd, "{", "[]", '{"items":5}', '{"version":"https://jsonfeed.org/version/1"}'])
    read(text);
});

/**
 * Documents of a size at which anything quadratic takes minutes, and anything that keeps a multiple of them runs out of
 * the memory below.
 */
const large = `
  import { feedAdapter } from ${JSON.stringify(import.meta.resolve("../../src/ingest/sources/feed.ts"))};
  import { ParseError } from ${JSON.stringify(import.meta.resolve("../../src/ingest/adapter.ts"))};
  const source = ${JSON.stringify(source)};
  const rss = (inner) => '<rss version="2.0"><channel><title>t</title><link>https://a.example/</link>' + inner + "</channel></rss>";
  const item = (inner) => rss("<item><title>x</title>" + inner + "</item>");
  const n = 300_000;
  const documents = {
    "nested tags": () => item("<a>".repeat(n) + "</a>".repeat(n)),
    "nested tags in the text": () => item("<description>" + "&lt;font&gt;".repeat(n) + "&lt;/b&gt;".repeat(n) + "</description>"),
    "tags that never close": () => item("<description><![CDATA[" + "<font>".repeat(n) + "</b>".repeat(n) + "]]></description>"),
    "attributes": () => rss("<item " + Array.from({ length: 100_000 }, (_, i) => "a" + i + "='x'").join(" ") + "><title>x</title></item>"),
    "a title of 5 MB": () => rss("<item><title>" + "word ".repeat(1_000_000) + "</title></item>"),
    "words of 200,000 letters": () => item("<description>" + ("w".repeat(200_000) + " ").repeat(10) + "</description>"),
    "piled marks": () => item("<description>a" + "\\u0300\\u0316".repeat(n * 4) + "</description>"),
    "slashes": () => item("<link>https://a.example/" + "/".repeat(n * 4) + "x</link>"),
    "roots": () => "<rss>".repeat(n) + "</feed>".repeat(n) + "<item><title>x</title></item>",
    "raw <": () => rss("<item><title>" + "< ".repeat(n) + "</title></item>"),
    "unclosed items": () => rss("<item>".repeat(30_000)),
    "unclosed CDATA": () => rss("<item><title>" + "<![CDATA[".repeat(n) + "</title></item>"),
    "unclosed comments": () => item("<!--".repeat(n)),
    "entities": () => rss("<item><title>" + "&amp;amp;".repeat(n) + "</title></item>"),
    "item tags with blanks": () => rss(("<item" + " ".repeat(1_000)).repeat(2_000)),
    "ends in the tail": () => rss("<item><title>x</title></item>") + "</rss>".repeat(n),
  };
  const done = [];
  for (const [name, make] of Object.entries(documents)) {
    try {
      feedAdapter.parse({ url: source.url, headers: {}, body: Buffer.from(make()), fetchedAt: new Date(0) }, source);
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
    }
    done.push(name);
  }
  process.stdout.write(JSON.stringify(done));
`;

test("large documents made to be slow are read or refused in linear time and 256 MB", {
  timeout: 90_000,
}, async () => {
  const flags = ["--max-old-space-size=256", "--input-type=module", "--eval", large];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 80_000 });
  const done: unknown = JSON.parse(stdout);
  assert.ok(Array.isArray(done));
  assert.equal(done.length, 16);
});

test("a fragment of one word of 200,000 letters is kept whole, a longer one is cut", () => {
  assert.equal(cleanBody("w".repeat(200_000)).length, 200_000);
  assert.equal(cleanBody("w".repeat(5_000_000)).length, textLimits.body);
});

interface Site extends AsyncDisposable {
  readonly url: string;
}

async function site(answer: RequestListener): Promise<Site> {
  const server = createServer({ maxHeaderSize: 1 << 20 }, answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const newFetcher = () => new Fetcher({ clock: systemClock, userAgent: "Tapewire/test" });

function get(fetcher: Fetcher, url: string, signal = new AbortController().signal) {
  const request = { url, accept: "*/*", conditional: false, trusted: true };
  return fetcher.fetch(request, { validators: null, requestsPerS: 1_000, signal });
}

/** The failure of a fetch; meanwhile one from another host has to succeed. */
async function failure(answer: RequestListener): Promise<FetchError> {
  await using bad = await site(answer);
  await using good = await site((_, response) => response.end("<rss/>"));
  await using fetcher = newFetcher();
  const [failed, other] = await Promise.allSettled([get(fetcher, bad.url), get(fetcher, good.url)]);
  assert.equal(other.status, "fulfilled");
  assert.ok(failed.status === "rejected" && failed.reason instanceof FetchError, JSON.stringify(failed));
  return failed.reason;
}

/** 300 MB of blanks in some 300 kB. */
async function gzipBomb(): Promise<Buffer> {
  const gzip = createGzip({ level: 9 });
  const block = Buffer.alloc(1 << 20, 0x20);
  const parts: Buffer[] = [];
  gzip.on("data", (part: Buffer) => parts.push(part));
  for (let megabytes = 0; megabytes < 300; megabytes += 1)
    if (!gzip.write(block)) await new Promise((resolve) => gzip.once("drain", resolve));
  gzip.end();
  await new Promise((resolve) => gzip.once("end", resolve));
  return Buffer.concat(parts);
}

test("a gzip bomb stops at the cap", async () => {
  const bomb = await gzipBomb();
  assert.ok(bomb.byteLength < 1_000_000);
  const error = await failure((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
  });
  assert.match(error.message, /larger than/);
});

test("a bomb within a bomb is opened once, and what is left is no feed", async () => {
  const twice = gzipSync(await gzipBomb());
  await using server = await site((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(twice);
  });
  await using fetcher = newFetcher();
  const fetched = await get(fetcher, server.url);
  assert.ok(fetched.status === "ok");
  assert.ok(fetched.response.body.byteLength < 1_000_000);
  assert.throws(() => feedAdapter.parse(fetched.response, source), ParseError);
});

test("an endless body is hung up on, not drained", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<number>();
  const block = Buffer.alloc(256 * 1024, 0x20);
  const error = await failure((_, response) => {
    let written = 0;
    response.on("close", () => resolve(written));
    const go = () => {
      while (!response.destroyed && response.write(block)) written += block.byteLength;
      written += block.byteLength;
    };
    response.on("drain", go);
    go();
  });
  assert.match(error.message, /larger than/);
  // What stands in the buffers of the sockets comes on top of the cap.
  assert.ok((await closed) < fetchLimits.bodyBytes + 16 * 1024 * 1024);
});

test("a body in drops is given up when time is over", { timeout: 35_000 }, async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const error = await failure((_, response) => {
    const timer = setInterval(() => response.write(" "), 500);
    response.on("close", () => {
      clearInterval(timer);
      resolve();
    });
  });
  assert.equal(error.status, null);
  assert.match(error.message, new RegExp(`${fetchLimits.totalMs} ms`));
  await closed;
});

test("redirects in a circle, and ever on, end", async () => {
  for (const next of [(asked: number) => `/${asked % 2}`, (asked: number) => `/${asked}`]) {
    let asked = 0;
    await failure((_, response) => {
      asked += 1;
      response.writeHead(302, { location: next(asked) }).end();
    });
    assert.ok(asked > 1 && asked <= fetchLimits.redirects + 1, String(asked));
  }
});

test("broken and unknown encodings are failures, and their connection is closed", async () => {
  const whole = gzipSync("<rss>".repeat(10_000));
  const bodies: readonly (readonly [string, Buffer])[] = [
    ["gzip", whole.subarray(0, whole.byteLength - 20)],
    ["gzip", Buffer.from("<rss/> not compressed at all")],
    ["br", whole],
    ["deflate", Buffer.from("<rss/>")],
  ];
  for (const [encoding, body] of bodies)
    await failure((_, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(body);
    });
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  const error = await failure((_, response) => {
    response.on("close", () => resolve("closed"));
    response.writeHead(200, { "content-encoding": "zstd, gzip" }).write("x");
  });
  assert.match(error.message, /content-encoding 'zstd, gzip'/);
  assert.equal(await closed, "closed");
});

test("an unknown encoding gives the connection up at once", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  await using server = await site((_, response) => {
    response.on("close", () => resolve("closed"));
    response.writeHead(200, { "content-encoding": "zstd" }).write("x");
  });
  await using fetcher = newFetcher();
  await assert.rejects(get(fetcher, server.url), FetchError);
  // Neither the fetcher nor the server is closed yet: nobody else can have ended it.
  assert.equal(await Promise.race([closed, delay(5_000, "still open")]), "closed");
});

test("a connection that breaks, before the answer or in it", async () => {
  await failure((request) => {
    request.socket.destroy();
  });
  const error = await failure((_, response) => {
    response.writeHead(200, { "content-length": "1000" }).write("<rss>");
    setTimeout(() => response.destroy(), 20);
  });
  assert.equal(error.status, null);
});

test("headers without end, and what is no HTTP", async () => {
  await failure((_, response) => {
    response.writeHead(200, { "x-long": "x".repeat(200_000) }).end("<rss/>");
  });
  await failure((request) => {
    request.socket.end("SSH-2.0-OpenSSH_9.6\r\n");
  });
});

test("a refusal with an endless page tells its status and how long to wait", async () => {
  const block = Buffer.alloc(64 * 1024, 0x20);
  const { promise: closed, resolve } = Promise.withResolvers<number>();
  const error = await failure((_, response) => {
    let written = 0;
    response.on("close", () => resolve(written));
    response.writeHead(429, { "retry-after": "90" });
    const go = () => {
      while (!response.destroyed && response.write(block)) written += block.byteLength;
    };
    response.on("drain", go);
    go();
  });
  assert.deepEqual([error.status, error.retryAfterMs], [429, 90_000]);
  assert.ok((await closed) < fetchLimits.bodyBytes);
});
