import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { providerList, symbolList } from "@tapewire/contract/reference.ts";
import { anyEngine } from "../support/db.ts";
import { type Service, startService } from "../support/service.ts";

const publicUrl = "https://feed.example/tape/";

describe("logos", () => {
  let service: Service;
  let key = "";
  before(async () => {
    service = await startService(anyEngine, { publicUrl });
    key = (await service.key("free")).key;
  });
  after(() => service[Symbol.asyncDispose]());

  const svgOf = async (id: string) => {
    const response = await service.get(`/logos/${id}.svg`);
    assert.equal(response.status, 200, id);
    assert.equal(response.headers.get("content-type"), "image/svg+xml; charset=utf-8");
    return response.text();
  };

  test("a picture needs no key, is kept by browsers, and runs nothing", async () => {
    const { status, headers } = await service.get("/logos/sec.svg");
    assert.equal(status, 200);
    const maxAgeS = Number(/^public, max-age=(\d+)$/.exec(headers.get("cache-control") ?? "")?.[1]);
    assert.ok(maxAgeS >= 86_400, `${maxAgeS}`);
    assert.equal(headers.get("content-security-policy"), "default-src 'none'; style-src 'unsafe-inline'");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("access-control-allow-origin"), "*");
  });

  test("what the browser has is not sent again", async () => {
    const first = await service.get("/logos/sec.svg");
    const etag = first.headers.get("etag") ?? "";
    const again = (ifNoneMatch: string) =>
      fetch(`${service.url}/logos/sec.svg`, { headers: { "if-none-match": ifNoneMatch } });
    for (const known of [etag, etag.replace(/^W\//, ""), `"other", ${etag}`, "*"]) {
      const answer = await again(known);
      assert.deepEqual([answer.status, await answer.text()], [304, ""], known);
      assert.equal(answer.headers.get("etag"), etag);
      assert.equal(answer.headers.get("cache-control"), first.headers.get("cache-control"));
    }
    assert.equal((await again('"other"')).status, 200);
    const other = await service.get("/logos/fed.svg");
    assert.notEqual(other.headers.get("etag"), etag);
  });

  test("HEAD answers like GET, without the body; other methods are 405 with Allow", async () => {
    const head = await fetch(`${service.url}/logos/sec.svg`, { method: "HEAD" });
    const get = await service.get("/logos/sec.svg");
    assert.deepEqual([head.status, await head.text()], [200, ""]);
    for (const name of ["etag", "content-type", "cache-control"])
      assert.equal(head.headers.get(name), get.headers.get(name));
    const post = await fetch(`${service.url}/logos/sec.svg`, { method: "POST" });
    assert.deepEqual([post.status, post.headers.get("allow")], [405, "GET, HEAD"]);
  });

  test("a malformed name is 404", async () => {
    const names = ["SEC.svg", "sec", "sec.png", ".svg", "-a.svg", "a%2Fb.svg", "a%20b.svg", "a%22b.svg"];
    for (const name of [...names, "%3Cscript%3E.svg", "%00.svg", `${"a".repeat(201)}.svg`, "a/b.svg"]) {
      const response = await service.get(`/logos/${name}`);
      const body = problem.parse(await response.json());
      assert.deepEqual([response.status, body.code], [404, "not_found"], name);
    }
  });

  const letters: [id: string, letters: string][] = [
    ["sec", "SEC"],
    ["x", "X"],
    ["brk.b", "BRKB"],
    ["2330", "2330"],
    ["apple", "A"],
    ["meta-platforms", "MP"],
    ["johnson-and-johnson", "JJ"],
    ["bank-of-new-york-mellon", "BNY"],
    ["the-of-and", "TOA"],
    ["99bitcoins", "9"],
    ["a..b__c--defg", "ABC"],
  ];
  for (const [id, shown] of letters)
    test(`${id} is shown as ${shown}`, async () => {
      assert.match(await svgOf(id), new RegExp(`>${shown}</text></svg>$`));
    });

  test("the letters stay inside the square, and a title names it", async () => {
    for (const id of [...letters.map(([one]) => one), "wwww", "mmm", "oooo", "w", "meta-works"]) {
      const svg = await svgOf(id);
      assert.match(
        svg,
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 64 64" role="img"><title>[^<&]+<\/title>/,
      );
      assert.doesNotMatch(svg, /<svg[^>]* (?:width|height)=/);
      const [, size, text = ""] = /font-size="(\d+)".*>([^<]+)<\/text>/.exec(svg) ?? [];
      // Widths of DejaVu Sans Bold, one of the widest fonts that stand for sans-serif.
      const widths = [...text].map((letter) => ({ W: 1.11, M: 1, O: 0.86, Q: 0.86 })[letter] ?? 0.84);
      assert.ok(widths.reduce((sum, width) => sum + width, 0) * Number(size) <= 60, svg);
      assert.ok(Number(size) >= 11, svg);
    }
    assert.match(await svgOf("meta-platforms"), /<title>Meta Platforms<\/title>/);
  });

  test("a picture is always the same, and the letters are readable on every colour", async () => {
    assert.equal(await svgOf("sec"), await svgOf("sec"));
    const colours = new Set<string>();
    for (let n = 0; n < 200; n += 1) {
      const svg = await svgOf(`issuer-${n}`);
      const background = /<rect [^>]*fill="(#[0-9a-f]{6})"/.exec(svg)?.[1] ?? "";
      const ratio = 1.05 / (luminance(background) + 0.05);
      assert.ok(ratio >= 4.5, `${background}: ${ratio}`);
      assert.match(svg, /<text [^>]*fill="#ffffff"/);
      colours.add(background);
    }
    assert.ok(colours.size > 100, `${colours.size} colours`);
  });

  test("lists give the addresses under TAPEWIRE_PUBLIC_URL, and each is answered", async () => {
    const providers = providerList.parse(await (await service.get("/v1/providers", key)).json()).data;
    const symbols = symbolList.parse(await (await service.get("/v1/symbols?limit=2000", key)).json()).data;
    const logos = [...new Set([...providers, ...symbols].map(({ logo }) => logo))];
    assert.ok(logos.length > 1000);
    assert.ok(
      logos.every((logo) => logo.startsWith(`${publicUrl}logos/`)),
      logos[0],
    );
    for (let start = 0; start < logos.length; start += 50)
      await Promise.all(
        logos.slice(start, start + 50).map(async (logo) => {
          const response = await service.get(`/${logo.slice(publicUrl.length)}`);
          assert.equal(response.status, 200, logo);
          await response.text();
        }),
      );
  });
});

/** Relative luminance of #rrggbb (WCAG 2.2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
