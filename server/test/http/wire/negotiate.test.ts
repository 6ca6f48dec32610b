import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { codings, preferredCoding } from "../../../src/http/wire/negotiate.ts";

test("no Accept-Encoding breaks the choice, and what is refused by name is never chosen", () => {
  const part = fc.tuple(
    fc.constantFrom("gzip", "br", "identity", "*", "deflate", "", "x y"),
    fc.constantFrom("", ";q=0", ";q=0.001", ";q=1", "; q=0.5", ";q=2", ";q=", ";level=1"),
  );
  const header = fc.array(part, { maxLength: 5 });
  fc.assert(
    fc.property(header, (parts) => {
      const names = parts.map(([name]) => name);
      fc.pre(new Set(names).size === names.length);
      const chosen = preferredCoding(parts.map(([name, quality]) => name + quality).join(", "));
      assert.ok(codings.includes(chosen));
      const quality = parts.find(([name]) => name === chosen)?.[1];
      assert.ok(chosen === "identity" || quality !== ";q=0");
      assert.ok(chosen === "identity" || names.includes(chosen) || names.includes("*"));
    }),
  );
});
