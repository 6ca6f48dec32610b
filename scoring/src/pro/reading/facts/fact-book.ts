import type { LinkedSymbol } from "../../../types.ts";
import type { NumberFact } from "../../types.ts";
import { cutBefore } from "../../wording.ts";
import type { Owners } from "../attribution.ts";
import type { Sentence } from "../sentence.ts";
import { type Draft, factOf } from "./fact-draft.ts";
import { factsOf } from "./facts.ts";
import { periodOf } from "./periods.ts";
import { TableReader } from "./tables.ts";

/** Facts kept of one text, the first ones, since results are at the top. */
const most = 60;
/** How many sentences back a figure may be to which a bare expectation refers. */
const reach = 4;
/** For how many sentences a named period applies to later figures. */
const periodReach = 12;
const longestEvidence = 300;

interface Entry {
  readonly draft: Draft;
  readonly owner: number | null;
}

/** A fact with its position and its company. */
export interface OwnedFact {
  readonly fact: NumberFact;
  readonly owner: number | null;
  readonly sentence: number;
}

/** Collects the number facts of a text, sentence by sentence in order. One per reading. */
export class FactBook {
  readonly #entries: Entry[] = [];
  readonly #tables = new TableReader();
  #period: string | null = null;
  #periodAt = 0;

  /** @returns the stretches of the sentence that became facts, so that their words are not counted twice */
  read(text: string, sentence: Sentence, owners: Owners): readonly { start: number; end: number }[] {
    if (sentence.index - this.#periodAt > periodReach) this.#period = null;
    if (text.slice(sentence.start, sentence.end).includes("\t")) {
      const row = this.#tables.read(text, sentence, this.#period);
      if (row !== null) this.#add(row, owners.of(0));
      return [];
    }
    this.#tables.read(text, sentence, this.#period);
    const drafts = factsOf(text, sentence, this.#period);
    const period = periodOf(sentence.tokens);
    if (period !== null) [this.#period, this.#periodAt] = [period, sentence.index];
    for (const draft of drafts) {
      const token = sentence.tokens.findIndex(({ end }) => end > draft.start);
      const owner = owners.of(Math.max(0, token));
      if (draft.low !== null) this.#add(draft, owner);
      else if (draft.consensus !== null) this.#expect(draft, owner);
    }
    return drafts.filter(
      ({ low, yearAgo, changePct, consensus }) =>
        low !== null && (yearAgo ?? changePct ?? consensus) !== null,
    );
  }

  facts(text: string, symbols: readonly LinkedSymbol[]): readonly OwnedFact[] {
    return this.#entries.flatMap(({ draft, owner }) => {
      const figures = factOf(draft);
      if (figures === null) return [];
      const { start } = draft;
      const end = cutBefore(text, draft.end, start + longestEvidence);
      const symbol = owner === null ? null : (symbols[owner]?.symbol ?? null);
      const fact: NumberFact = {
        ...figures,
        symbol,
        evidence: { text: text.slice(start, end), start, end },
      };
      return [{ fact, owner, sentence: draft.sentence }];
    });
  }

  /** When a figure is repeated, the repeat adds missing members. */
  #add(draft: Draft, owner: number | null): void {
    const known = this.#entries.find(
      (entry) =>
        entry.owner === owner &&
        entry.draft.metric === draft.metric &&
        entry.draft.kind === draft.kind &&
        entry.draft.unit === draft.unit &&
        isSame(entry.draft, draft),
    );
    if (known !== undefined) complete(known.draft, draft);
    else if (this.#entries.length < most) this.#entries.push({ draft, owner });
  }

  #expect(draft: Draft, owner: number | null): void {
    const known = this.#entries.findLast(
      (entry) =>
        entry.draft.metric === draft.metric &&
        entry.draft.consensus === null &&
        draft.sentence - entry.draft.sentence <= reach &&
        (owner === null || entry.owner === null || entry.owner === owner),
    );
    if (known !== undefined) known.draft.consensus = draft.consensus;
  }
}

/** Equal except for rounding: "$5.2 billion" and "$5,214 million". */
function isSame(a: Draft, b: Draft): boolean {
  if (a.low === null || b.low === null || a.adjusted !== b.adjusted) return false;
  const tolerance = a.unit === "currency" ? 0.01 * Math.abs(a.low) : 0.001;
  return Math.abs(a.low - b.low) <= tolerance && (a.high === null) === (b.high === null);
}

function complete(known: Draft, again: Draft): void {
  known.yearAgo ??= again.yearAgo;
  known.consensus ??= again.consensus;
  known.previous ??= again.previous;
  known.changePct ??= again.changePct;
  known.outcome ??= again.outcome;
  known.period ??= again.period;
  known.currency ??= again.currency;
}
