import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { brokenLinks, markdownFiles, missingPaths } from "../../../tools/docs-links.ts";

const root = join(import.meta.dirname, "..", "..", "..");

test("every relative link in the documentation leads to a file and heading that exist", () => {
  assert.deepEqual(brokenLinks(root), []);
});

test("every code path that docs/where-is.md names exists", () => {
  assert.deepEqual(missingPaths(root, "docs/where-is.md"), []);
});

test("the check finds broken links, headings and paths, and accepts good ones", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "tapewire-docs-"));
  const files: Readonly<Record<string, string>> = {
    "README.md": [
      "# Name",
      "[a](docs/a.md) [h](docs/a.md#set-up-its-cost) [self](#name) [web](https://demo.invalid/x) [src](server/src/)",
      "[gone](docs/b.md) [no heading](docs/a.md#cost) [out](../x.md) ![picture](docs/p.png)",
      "`[not a link](docs/c.md)` and a [reference]",
      "",
      "[reference]: docs/d.md",
      "```md\n[in a block](docs/e.md)\n```",
    ].join("\n"),
    "docs/a.md": "## Set up: its `cost`\n## Same\n## Same\n[second](#same-1) [up](../README.md)",
    "docs/where-is.md": [
      "`server/src/app.ts` `server/src/*.ts` `server/src/app.ts:12` `GET /v1/feeds` `/v1/feeds` `text/html`",
      "`server/src/gone.ts` `server/test/gone-*.test.ts` `feed/filter.ts`",
    ].join("\n"),
    "docs/data/skipped.md": "[gone](x.md)",
    "server/src/app.ts": "",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  }
  assert.deepEqual(markdownFiles(folder.path), ["README.md", "docs/a.md", "docs/where-is.md"]);
  assert.deepEqual(brokenLinks(folder.path), [
    "README.md: docs/b.md: no such file",
    "README.md: docs/a.md#cost: no such heading",
    "README.md: ../x.md: leaves the repository",
    "README.md: docs/p.png: no such file",
    "README.md: docs/d.md: no such file",
  ]);
  assert.deepEqual(missingPaths(folder.path, "docs/where-is.md"), [
    "docs/where-is.md: `server/src/gone.ts` does not exist",
    "docs/where-is.md: `server/test/gone-*.test.ts` does not exist",
    "docs/where-is.md: `feed/filter.ts` does not exist",
  ]);
  assert.deepEqual(missingPaths(folder.path, "docs/absent.md"), []);
});
