/**
 * Heads that are read together. Their rows of one bucket lie side by side, so that the hashes of a text are looked up once for
 * all of them; so do their rows of one named feature.
 */
import {
  featureId,
  gramUnit,
  type HeadInput,
  type LinearHead,
  leadValue,
  tempered,
  wordValue,
} from "./linear.ts";

/** A row of 16 classes is four words of 32 bits with a byte for each weight, which is stored with this added, so none is negative. */
const rowWords = 4;
const rowClasses = 4 * rowWords;
const zero = 128;
const zeros = 0x80808080 | 0;
/** Every other byte of a word: two sums of 16 bits, which have room for so many rows. */
const everyOther = 0x00ff00ff;
const mostRows = 256;

/** Adds the rows of hashes[from, to), at most `mostRows`, to the sums from `first` on. Exact: weights are whole numbers. */
function addRows(
  sums: Int32Array,
  first: number,
  table: Int32Array,
  hashes: readonly number[],
  from: number,
  to: number,
): void {
  const mask = table.length / rowWords - 1;
  let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let index = from; index < to; index += 1) {
    const at = ((hashes[index] ?? 0) & mask) * rowWords;
    const one = table[at] ?? 0;
    const two = table[at + 1] ?? 0;
    const three = table[at + 2] ?? 0;
    const four = table[at + 3] ?? 0;
    a = (a + (one & everyOther)) | 0;
    b = (b + ((one >>> 8) & everyOther)) | 0;
    c = (c + (two & everyOther)) | 0;
    d = (d + ((two >>> 8) & everyOther)) | 0;
    e = (e + (three & everyOther)) | 0;
    f = (f + ((three >>> 8) & everyOther)) | 0;
    g = (g + (four & everyOther)) | 0;
    h = (h + ((four >>> 8) & everyOther)) | 0;
  }
  const none = zero * (to - from);
  addWord(sums, first, a, b, none);
  addWord(sums, first + 4, c, d, none);
  addWord(sums, first + 8, e, f, none);
  addWord(sums, first + 12, g, h, none);
}

/** Takes the sums of a word's bytes apart: `even` has the first and the third, `odd` the others. */
function addWord(sums: Int32Array, first: number, even: number, odd: number, none: number): void {
  sums[first] = (sums[first] ?? 0) + (even & 0xffff) - none;
  sums[first + 1] = (sums[first + 1] ?? 0) + (odd & 0xffff) - none;
  sums[first + 2] = (sums[first + 2] ?? 0) + (even >>> 16) - none;
  sums[first + 3] = (sums[first + 3] ?? 0) + (odd >>> 16) - none;
}

export class Together {
  /** The place of each head's first class among all. */
  readonly places: readonly number[];
  readonly #classes: number;
  /** A table for every 16 classes. */
  readonly #tables: readonly Int32Array[];
  readonly #named: Float64Array;
  readonly #bias: Float64Array;
  /** Value of one unit of a class's weights. */
  readonly #scales: Float64Array;
  readonly #sums: Int32Array;

  constructor(heads: readonly LinearHead[]) {
    let used = 0;
    this.places = heads.map(({ classes }) => {
      used += classes;
      return used - classes;
    });
    this.#classes = used;
    const buckets = Math.max(1, ...heads.map(({ grams, classes }) => grams.length / classes));
    this.#tables = Array.from({ length: Math.ceil(used / rowClasses) }, () =>
      new Int32Array(buckets * rowWords).fill(zeros),
    );
    const ids = heads.flatMap(({ weights }) => Array.from(weights.keys(), featureId));
    this.#named = new Float64Array((ids.reduce((most, id) => Math.max(most, id), -1) + 1) * used);
    this.#bias = new Float64Array(used);
    this.#scales = new Float64Array(used);
    this.#sums = new Int32Array(this.#tables.length * rowClasses);
    for (const [at, head] of heads.entries()) this.#place(head, this.places[at] ?? 0, buckets);
  }

  /** A head with fewer buckets than the table stands in it several times. */
  #place({ grams, gramScale, weights, bias, classes }: LinearHead, place: number, buckets: number): void {
    for (let label = 0; grams.length > 0 && label < classes; label += 1) {
      const own = (place + label) % rowClasses;
      const table = this.#tables[Math.floor((place + label) / rowClasses)] ?? new Int32Array(0);
      for (let bucket = 0; bucket < buckets; bucket += 1) {
        const at = bucket * rowWords + (own >> 2);
        const weight = grams[((bucket * classes) % grams.length) + label] ?? 0;
        table[at] = (table[at] ?? 0) + (weight << (8 * (own & 3)));
      }
    }
    for (const [name, row] of weights) this.#named.set(row, featureId(name) * this.#classes + place);
    this.#bias.set(bias, place);
    this.#scales.fill(gramScale, place, place + classes);
  }

  #addGrams(scores: Float64Array, hashes: readonly number[], value: number): void {
    const sums = this.#sums;
    sums.fill(0);
    for (const [at, table] of this.#tables.entries())
      for (let from = 0; from < hashes.length; from += mostRows)
        addRows(sums, at * rowClasses, table, hashes, from, Math.min(hashes.length, from + mostRows));
    for (let place = 0; place < scores.length; place += 1)
      scores[place] = (scores[place] ?? 0) + (sums[place] ?? 0) * (value * (this.#scales[place] ?? 0));
  }

  #addNamed(scores: Float64Array, { ids, values }: HeadInput["numbered"]): void {
    const named = this.#named;
    const classes = scores.length;
    for (let index = 0; index < ids.length; index += 1) {
      const at = (ids[index] ?? 0) * classes;
      if (at >= named.length) continue;
      const value = values[index] ?? 0;
      for (let place = 0; place < classes; place += 1)
        scores[place] = (scores[place] ?? 0) + (named[at + place] ?? 0) * value;
    }
  }

  /** Scores of the classes of all heads, before the temperature. */
  scores(input: HeadInput): Float64Array {
    const scores = this.#bias.slice();
    const unit = gramUnit(input);
    const { title, lead } = input;
    this.#addGrams(scores, title.words, wordValue * unit);
    this.#addGrams(scores, title.pairs, wordValue * unit);
    this.#addGrams(scores, title.letters, unit);
    if (lead !== null) {
      this.#addGrams(scores, lead.words, leadValue * unit);
      this.#addGrams(scores, lead.pairs, leadValue * unit);
    }
    this.#addNamed(scores, input.numbered);
    return scores;
  }
}

/** Made at a head's first use; by its weights, since a head is tried with several temperatures. */
const alone = new WeakMap<LinearHead["weights"], Together>();

/** Probabilities of the classes of one head that is read by itself. */
export function probabilitiesOf(head: LinearHead, input: HeadInput): Float64Array {
  const known = alone.get(head.weights) ?? new Together([head]);
  alone.set(head.weights, known);
  return tempered(head, known.scores(input));
}
