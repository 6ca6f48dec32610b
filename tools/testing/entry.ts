/** The only file that node:test runs: it imports the files that process.ts was called with, in order. */
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { optionsOf, report } from "./messages.ts";

for (const file of optionsOf(process.argv).files) {
  test(file, () => {});
  report({ kind: "loads", file });
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    report({ kind: "breaks", file, error: inspect(error) });
  }
}
