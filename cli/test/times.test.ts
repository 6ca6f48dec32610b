import assert from "node:assert/strict";
import { test } from "node:test";
import { instant, timeOf } from "../src/times.ts";

test("a time among the options is the same instant on every machine", (context) => {
  const { TZ: zone } = process.env;
  context.after(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  for (const machine of ["UTC", "America/New_York", "Asia/Kolkata"]) {
    process.env.TZ = machine;
    for (const [text, meant] of [
      ["2026-11-20T13:00Z", "2026-11-20T13:00:00.000Z"],
      ["2026-11-20T13:00:07.5Z", "2026-11-20T13:00:07.500Z"],
      ["2026-11-20T13:00+05:30", "2026-11-20T07:30:00.000Z"],
      ["2026-11-20", "2026-11-20T00:00:00.000Z"],
    ] as const) {
      assert.equal(timeOf("until", text).toISOString(), meant, machine);
      assert.equal(new Date(instant(text)).toISOString(), meant, machine);
    }
    for (const text of [
      "2026-11-20T13:00",
      "2026-11-20 13:00:00",
      "2026",
      "1772461800",
      "2026-02-30",
      "20 Nov 2026",
      "",
    ]) {
      assert.throws(() => timeOf("until", text), /^CliError: --until '.*' is not valid/, text);
      assert.throws(() => instant(text), /--since '.*' is not valid/, text);
    }
  }
});
