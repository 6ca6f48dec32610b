/** The only file that node:test is given: it reads those that process.ts was called with, in their order. */
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { optionsOf, tell } from "./messages.ts";

for (const file of optionsOf(process.argv).files) {
  test(file, () => {});
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    tell({ kind: "breaks", file, error: inspect(error) });
  }
}
