import assert from "node:assert/strict";
import { test } from "node:test";
import { settings } from "../../src/config/config.ts";
import { unknownSettings } from "../../src/config/unknown-settings.ts";

test("a misspelt setting is named; settings, the client's variables and those of others are not", () => {
  const env = Object.fromEntries(Object.values(settings).map((setting) => [setting.env, "1"]));
  const others = { TAPEWIRE_URL: "x", TAPEWIRE_KEY: "x", HOME: "/", TAPE: "1" };
  assert.deepEqual(unknownSettings({ ...env, ...others, TAPEWIRE_FEED_MODELL: "flash" }), [
    "TAPEWIRE_FEED_MODELL",
  ]);
});
