import assert from "node:assert/strict";
import { sql } from "kysely";
import { rowTable } from "../../src/store/engine/row-table.ts";
import { onBothEngines, testDb } from "../support/db.ts";

const columns = [
  ["text", "text"],
  ["count", "bigint"],
  ["ratio", "float8"],
  ["at", "timestamptz"],
  ["isOk", "boolean"],
] as const;

onBothEngines("rows of a statement come back as they were given", async (_, engine) => {
  await using db = await testDb(engine);
  const at = new Date("2026-11-28T09:30:00.123Z");
  const texts = [
    "",
    "null",
    "NULL",
    'a "quote"',
    "a \\ backslash",
    "{a,b}",
    "two\nlines\t",
    "ß 漢 🙂",
    " a ",
    "'",
  ];
  const rows = [
    ...texts.map((text, count) => ({ text, count, ratio: count / 3, at, isOk: count % 2 === 0 })),
    { text: null, count: -(2 ** 53 - 1), ratio: 1e-300, at: null, isOk: null },
  ];
  const { rows: found } = await sql`select * from ${rowTable(rows, columns)}`.execute(db.main);
  assert.deepEqual(found, rows);
  const { rows: none } = await sql`select * from ${rowTable([], columns)}`.execute(db.main);
  assert.deepEqual(none, []);
});
