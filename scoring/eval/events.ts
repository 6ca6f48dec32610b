/**
 * Tries the table of events. Without arguments: the examples of all rows. With names of groups: of these alone.
 * `--lines FILE [--faults]`: what is found in lines of GUIDE.md's form. `--text "..."`: what is found in a text.
 */
import { readFileSync } from "node:fs";
import { readText } from "../src/flash/cues/cues.ts";
import { eventRows, exampleFaults } from "./event-examples.ts";

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const args = process.argv.slice(2);

function show(title: string, body: string): string {
  return readText(title, body)
    .events.map(({ kind, strength }) => `${kind.name}${strength < 1 ? "?" : ""}`)
    .join(" ");
}

function lines(file: string): void {
  for (const line of readFileSync(file, "utf8")
    .split("\n")
    .filter((text) => text !== "")) {
    const { text, body = "", event, short, actionable } = JSON.parse(line);
    say(
      `${short}${actionable ? "!" : ""}\t${event}\t=> ${show(text, body) || "-"}\t${text}${body === "" ? "" : ` | ${body}`}`,
    );
  }
}

if (args[0] === "--text") say(show(args[1] ?? "", args[2] ?? ""));
else if (args[0] === "--lines") lines(args[1] ?? "");
else {
  const kinds = eventRows((group) => args.length === 0 || args.includes(group));
  const faults = exampleFaults(kinds);
  for (const fault of faults) say(fault);
  say(`${kinds.length} kinds, ${faults.length} faults`);
}
