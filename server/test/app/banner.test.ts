import assert from "node:assert/strict";
import { test } from "node:test";
import { banner } from "../../src/app/banner.ts";
import { readConfig } from "../../src/config/config.ts";

const config = readConfig({ TAPEWIRE_DATA_DIR: "/var/lib/tape" });
const firstKey = `tw_live_${"0".repeat(38)}`;
const signInLink = `http://127.0.0.1:8080/app/#/start/${"A".repeat(43)}`;
const first = {
  baseUrl: "http://127.0.0.1:8080",
  wsUrl: "ws://127.0.0.1:8080/v1/stream",
  engine: "pglite",
  demo: true,
  sources: [],
  firstKey,
  signInLink,
} as const;

test("on a terminal the first start shows the link and the key", () => {
  const shown = banner(first, config, { isSeen: true });
  assert.ok(shown.includes(signInLink) && shown.includes(firstKey));
  assert.match(shown, /curl -H 'Authorization: Bearer tw_live_/);
});

test("elsewhere it shows where they are, and neither of them", () => {
  const shown = banner(first, config, { isSeen: false });
  assert.doesNotMatch(shown, /tw_live_|#\/start\//);
  assert.ok(shown.includes("/var/lib/tape/sign-in-link") && shown.includes("/var/lib/tape/first-key"));
  assert.match(shown, /tapewire -- open/);
});

test("a later start shows the address of the dashboard", () => {
  for (const isSeen of [true, false]) {
    const shown = banner({ ...first, firstKey: null, signInLink: null }, config, { isSeen });
    assert.ok(shown.includes("http://127.0.0.1:8080/app/"));
    assert.doesNotMatch(shown, /tw_live_|sign-in-link|#\/start/);
  }
});

test("a process without the role api shows no dashboard and no list", () => {
  const ingest = readConfig({ TAPEWIRE_ROLES: "ingest" });
  const shown = banner({ ...first, firstKey: null, signInLink: null }, ingest, { isSeen: true });
  assert.doesNotMatch(shown, /dashboard|\/v1\/feeds|ws_url/);
  assert.match(shown, /roles {5}ingest\n/);
  assert.match(shown, /curl 'http:\/\/127\.0\.0\.1:8080\/readyz'/);
});
