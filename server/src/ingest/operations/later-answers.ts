import type { SourceConfig } from "../../config/sources.ts";
import type { Queries } from "../../store/engine/db.ts";
import { answersSince } from "../../store/intake/raw-answers.ts";
import { type ParsedPage, ParseError } from "../adapter.ts";
import type { FetchedResponse } from "../fetch/types.ts";
import type { RawItem } from "../raw-item.ts";

const answersAtOnce = 20;
/** Stored responses that one call looks through: some seconds of work. An item that none of them lists counts as not listed. */
const mostAhead = 500;

interface LaterAnswersDeps {
  readonly db: Queries;
  /** Reads one response. @throws {ParseError} when it cannot be read */
  readonly read: (answer: FetchedResponse, source: SourceConfig) => Promise<ParsedPage>;
}

/** What the stored responses of one source list that came after a given one. Each is read once, and only when asked for. */
export class LaterAnswers {
  readonly #deps: LaterAnswersDeps;
  readonly #source: SourceConfig;
  /** By identity: the last response read so far that lists it. */
  readonly #lastOf = new Map<string, number>();
  #readTo: number;
  #left = mostAhead;

  /** @param after a response; asked about are it and later ones */
  constructor(deps: LaterAnswersDeps, source: SourceConfig, after: number) {
    this.#deps = deps;
    this.#source = source;
    this.#readTo = after;
  }

  /** Whether a response after this one lists the item. */
  async list({ identity }: RawItem, answerId: number): Promise<boolean> {
    for (;;) {
      if (identity.some((name) => (this.#lastOf.get(name) ?? 0) > answerId)) return true;
      if (this.#left <= 0 || !(await this.#readMore())) return false;
    }
  }

  /** @returns false when there are no more */
  async #readMore(): Promise<boolean> {
    const { db, read } = this.#deps;
    const range = { since: new Date(0), after: this.#readTo, sourceId: this.#source.id };
    const answers = await answersSince(db, { ...range, limit: answersAtOnce });
    for (const answer of answers) {
      this.#readTo = answer.id;
      this.#left -= 1;
      const page = await read(await answer.unpack(), this.#source).catch((error: unknown) => {
        if (error instanceof ParseError) return null;
        throw error;
      });
      for (const { identity } of page?.items ?? [])
        for (const name of identity) this.#lastOf.set(name, answer.id);
    }
    return answers.length > 0;
  }
}
