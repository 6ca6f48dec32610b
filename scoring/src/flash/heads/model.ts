import file from "../../../model/flash.json" with { type: "json" };
import { decodeModel } from "./model-file.ts";

const { heads, version } = decodeModel(file);

/** The shipped heads; loading fails when the weights are not those that were trained. */
export const shippedHeads = heads;

/** Changes with every change of a rule or a weight, so that a stored verdict can be told from one of today. */
export const modelVersion = version;
