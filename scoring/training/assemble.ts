import type { Heads } from "../src/flash/heads/heads.ts";
import type { Sets } from "./corpus.ts";
import { namedHead, trainExperts, trainKind } from "./experts.ts";
import { ruleTable, trainMixtures, trainTransfer } from "./mixing.ts";

/** Trains all heads on all sets; deterministic. */
export function assemble(sets: Sets): Heads {
  return {
    kind: trainKind(sets),
    ...trainExperts(sets.headlines, sets.tweets),
    // The mixtures' weights include its temperature.
    transfer: namedHead(trainTransfer(sets), 1),
    ruleTable: ruleTable(sets),
    mixtures: trainMixtures(sets),
  };
}
