import { readFileSync } from "node:fs";
import { decodeModel } from "./model-file.ts";

// Not imported: an imported file stays in memory beside what is made of it.
const file = new URL("../../../model/flash.json", import.meta.url);
const { heads, version } = decodeModel(JSON.parse(readFileSync(file, "utf8")));

/** The shipped heads; loading fails when the weights are not those that were trained. */
export const shippedHeads = heads;

/** Changes with every change of a rule or a weight, so that old stored verdicts can be recognised. */
export const modelVersion = version;
