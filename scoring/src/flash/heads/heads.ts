import { type HeadInput, type LinearHead, softmax, tempered } from "./linear.ts";
import { probabilitiesOf, Together } from "./together.ts";

/** Probabilities of negative, neutral, positive; they sum to 1. */
export type Probabilities = readonly [number, number, number];

/** A head for texts of one kind, with the class shares among them. */
export interface ExpertHead extends LinearHead {
  readonly prior: Probabilities;
}

export interface Heads {
  /** Classifies the kind of text as headline of a market page, news, or tweet. */
  readonly kind: LinearHead;
  readonly headlines: ExpertHead;
  readonly tweets: ExpertHead;
  /** Direction of news on companies and economies: the reading for everything that is about a known symbol. */
  readonly general: LinearHead;
  /** Two classes: not actionable, actionable. */
  readonly action: LinearHead;
  /** From this probability on an item is actionable; chosen for the best F1 on authors left out. */
  readonly actionFrom: number;
  /** The group of events that a text tells of, in the order of `groupNames`. */
  readonly group: LinearHead;
  readonly groupNames: readonly string[];
}

/** A probability of 0 in one part alone must not rule a class out. */
const log = (probability: number): number => Math.log(Math.max(1e-3, probability));

const three = (values: Float64Array): Probabilities => [values[0] ?? 0, values[1] ?? 0, values[2] ?? 0];

const blend = (parts: readonly (readonly [number, Probabilities])[]): Probabilities => {
  const total = parts.reduce((sum, [share]) => sum + share, 0);
  const mean = (label: 0 | 1 | 2): number =>
    parts.reduce((sum, [share, probabilities]) => sum + share * probabilities[label], 0) / total;
  return [mean(0), mean(1), mean(2)];
};

/** A head without training data has no opinion. */
const isTrained = ({ weights }: ExpertHead): boolean => weights.size > 0;

/**
 * A post with neither link nor cashtag looks like any headline. For it the share of the general reading, and how much of the
 * tweets' class shares is taken out, were chosen on a fifth of the tweets: more of either costs them half a point.
 */
const unmarkedShare = 0.1;
const unmarkedPrior = 0.4;

/** @param amount 0 leaves the class shares of the head's own set in, 1 takes them out */
function withoutPrior(probabilities: Probabilities, prior: Probabilities, amount: number): Probabilities {
  const score = (label: 0 | 1 | 2): number => log(probabilities[label]) - amount * log(prior[label]);
  return three(softmax([score(0), score(1), score(2)]));
}

/** Made at the first use of heads: all heads that every text is read by. */
const togetherBy = new WeakMap<Heads, Together>();

function togetherOf(heads: Heads): Together {
  const known = togetherBy.get(heads);
  if (known !== undefined) return known;
  const { general, action, kind, headlines, tweets } = heads;
  const together = new Together([general, action, kind, headlines, tweets]);
  togetherBy.set(heads, together);
  return together;
}

/** What the heads say of a text. */
export class Opinions {
  readonly #heads: Heads;
  readonly #input: HeadInput;
  readonly #scores: Float64Array;
  readonly #places: readonly number[];
  /** Probability that a professional would act on the item. */
  readonly action: number;

  constructor(heads: Heads, input: HeadInput) {
    const together = togetherOf(heads);
    this.#heads = heads;
    this.#input = input;
    this.#places = together.places;
    this.#scores = together.scores(input);
    this.action = this.#of(heads.action, 1)[1] ?? 0;
  }

  /** @param at number of the head among those that are read together */
  #of(head: LinearHead, at: number): Float64Array {
    return tempered(head, this.#scores, this.#places[at]);
  }

  get #general(): Probabilities {
    return three(this.#of(this.#heads.general, 0));
  }

  /** Each expert counts as much as the text is probably of its kind; the general head has the rest. */
  get #byKind(): Probabilities {
    const { kind, headlines, tweets } = this.#heads;
    const [headline = 0, , tweet = 0] = this.#of(kind, 2);
    const marked = this.#input.features.has("link") || this.#input.features.has("cashtag");
    const parts: (readonly [number, Probabilities])[] = [];
    if (isTrained(headlines)) parts.push([headline, three(this.#of(headlines, 3))]);
    if (isTrained(tweets)) {
      const own = three(this.#of(tweets, 4));
      const share = marked ? 1 : 1 - unmarkedShare;
      parts.push([tweet * share, marked ? own : withoutPrior(own, tweets.prior, unmarkedPrior)]);
    }
    const rest = 1 - parts.reduce((sum, [share]) => sum + share, 0);
    return blend([...parts, [Math.max(1e-6, rest), this.#general]]);
  }

  /**
   * @param isCompanyNews the text is about a known symbol, or a filing. The experts' labels fit such texts badly: the tweets'
   *   call a company's business (orders, offerings, plants) neutral.
   */
  direction(isCompanyNews: boolean): Probabilities {
    return isCompanyNews ? this.#general : this.#byKind;
  }
}

/** What the head of groups reads, in training as in judging: it has many classes, and the lead would cost more than it tells. */
export const headlineOf = (input: HeadInput): HeadInput => ({
  ...input,
  title: { words: input.title.words, pairs: input.title.pairs, letters: [] },
  lead: null,
});

/** Probability of each group of events, in the order of `groupNames`, by the headline alone. */
export const groupProbabilities = (heads: Heads, input: HeadInput): Float64Array =>
  probabilitiesOf(heads.group, headlineOf(input));
