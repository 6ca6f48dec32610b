import type { Heads } from "../src/flash/heads/heads.ts";
import type { Sets } from "./corpus.ts";
import { namedHead, trainExperts, trainKind } from "./experts.ts";
import { ruleTable, trainMixtures, trainTransfer } from "./mixing.ts";

/** All heads from all sets. The same sets give the same heads. */
export function assemble(sets: Sets): Heads {
  return {
    kind: trainKind(sets),
    ...trainExperts(sets.headlines, sets.tweets),
    // Its temperature is in the mixtures' weights.
    transfer: namedHead(trainTransfer(sets), 1),
    ruleTable: ruleTable(sets),
    mixtures: trainMixtures(sets),
  };
}
