import type { Token } from "../../text.ts";

/** One sentence, or one line of a list or table, of title + newline + body. */
export interface Sentence {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly Token[];
  /** 0..1.2: how much this sentence counts; see parts.ts. */
  readonly weight: number;
  /** Name of its part: title, lead, item 2.02, exhibit 99.1, risk factors ... */
  readonly part: string;
}
