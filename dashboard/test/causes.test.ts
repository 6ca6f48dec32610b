import assert from "node:assert/strict";
import { test } from "node:test";
import { causesOf } from "../src/operator/causes.ts";

test("sources that fail for one cause are one line, whatever their error and their next try", () => {
  const away = (id: string, error: string, minute: number) => ({
    id,
    advice: `the source cannot be reached (${error}), and no other source was reached since; next try 2026-11-24T12:0${minute}:00.000Z. Check this machine's network and DNS`,
    last_error: error,
  });
  const gone = {
    id: "gone",
    advice:
      "the last poll failed (HTTP 404). The address no longer exists: look for the source's new address",
    last_error: "HTTP 404",
  };
  const sources = [
    away("a", "getaddrinfo ENOTFOUND a.example", 1),
    gone,
    away("b", "getaddrinfo ENOTFOUND b.example", 2),
  ];
  assert.deepEqual(
    [...causesOf(sources)].map(([cause, those]) => [cause, those.map(({ id }) => id)]),
    [
      [
        "the source cannot be reached, and no other source was reached since. Check this machine's network and DNS",
        ["a", "b"],
      ],
      ["the last poll failed. The address no longer exists: look for the source's new address", ["gone"]],
    ],
  );
});
