import file from "../../../model/flash.json" with { type: "json" };
import { decodeModel } from "./model-file.ts";

const { heads, version } = decodeModel(file);

/** The shipped heads; loading fails when the weights are not those that were trained. */
export const shippedHeads = heads;

/** Changes with every change of a rule or a weight, so that old stored verdicts can be recognised. */
export const modelVersion = version;
