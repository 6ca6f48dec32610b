import type { Token } from "../../../text.ts";

const forwardVerb =
  /^(?:expects?|expecting|anticipates?|anticipating|projects?|projecting|forecasts?|forecasting|guidance|outlook|guides?|guided|guiding|sees|targets?|targeting|reaffirms?|reaffirmed|reaffirming|reiterates?|reiterated|foresees)$/;
/** "exceeded our guidance" looks back; "expects" always looks ahead. */
const guidanceNoun = /^(?:guidance|outlook|forecasts?|targets?)$/;
const passive = /^(?:expected|projected|forecast|anticipated|forecasted)$/;
const auxiliary = /^(?:is|are|be|now|currently|to)$/;
const reporting =
  /^(?:reported|reports|posted|posts|earned|was|were|rose|fell|grew|totaled|totalled|came|increased|decreased|declined|achieved|delivered|generated|recorded|compared|ended|finished)$/;
const exceeding =
  /^(?:exceeded|exceeding|beat|beating|above|topped|topping|surpassed|missed|missing|below|ahead|than|against|versus|vs)$/;
const crowd = /^(?:analysts?|street|consensus|economists|factset|lseg|refinitiv)$/;

function exceeds(tokens: readonly Token[], at: number): boolean {
  for (let index = Math.max(0, at - 5); index < at; index += 1)
    if (exceeding.test(tokens[index]?.word ?? "")) return true;
  return false;
}

function isCrowd(tokens: readonly Token[], at: number): boolean {
  for (let index = Math.max(0, at - 8); index < Math.min(tokens.length, at + 2); index += 1)
    if (crowd.test(tokens[index]?.word.replace(/'s?$/, "") ?? "")) return true;
  return false;
}

/** For each token whether a word of outlook ("expects") precedes it, without a word of report ("reported") in between. */
export function forwardLooking(tokens: readonly Token[]): readonly boolean[] {
  const flags: boolean[] = [];
  let isForwardLooking = false;
  for (let at = 0; at < tokens.length; at += 1) {
    const word = tokens[at]?.word ?? "";
    const before = tokens[at - 1]?.word ?? "";
    if (forwardVerb.test(word) || (passive.test(word) && (auxiliary.test(before) || at === 0)))
      isForwardLooking = !(guidanceNoun.test(word) && exceeds(tokens, at)) && !isCrowd(tokens, at);
    else if (reporting.test(word) && !/^(?:guidance|outlook|forecast|is|range)$/.test(before))
      isForwardLooking = false;
    flags.push(isForwardLooking);
  }
  return flags;
}

/** Whether "analysts had expected" and the like applies to what follows `at`. */
export function expectedByOthers(tokens: readonly Token[], at: number, from: number): boolean {
  let crowdSeen = false;
  for (let index = at - 1; index >= Math.max(from, at - 14); index -= 1) {
    const word = tokens[index]?.word.replace(/'s?$/, "") ?? "";
    if (exceeding.test(word) || reporting.test(word)) return false;
    if (crowd.test(word)) crowdSeen = true;
  }
  return crowdSeen;
}
