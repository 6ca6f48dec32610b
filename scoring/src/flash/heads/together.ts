/**
 * Heads that are read together. Their rows of one bucket lie side by side, so that the hashes of a text are looked up once for
 * all of them; so do their rows of one named feature.
 */
import { featureId, gramUnit, type HeadInput, type LinearHead, leadValue, wordValue } from "./linear.ts";

/** Classes that a row has room for: eight words of 32 bits with two lanes each, which are summed at once. */
const lanes = 16;
const rowWords = lanes / 2;
/** So many rows fit in a lane: 250 times 128 is less than half of 16 bits. */
const mostRows = 250;

/** Adds the rows of hashes[from, to), at most `mostRows`, to the sums of the lanes. Exact: weights are whole numbers. */
function addRows(
  sums: Int32Array,
  table: Int32Array,
  hashes: readonly number[],
  mask: number,
  from: number,
  to: number,
): void {
  let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let index = from; index < to; index += 1) {
    const at = ((hashes[index] ?? 0) & mask) * rowWords;
    a = (a + (table[at] ?? 0)) | 0;
    b = (b + (table[at + 1] ?? 0)) | 0;
    c = (c + (table[at + 2] ?? 0)) | 0;
    d = (d + (table[at + 3] ?? 0)) | 0;
    e = (e + (table[at + 4] ?? 0)) | 0;
    f = (f + (table[at + 5] ?? 0)) | 0;
    g = (g + (table[at + 6] ?? 0)) | 0;
    h = (h + (table[at + 7] ?? 0)) | 0;
  }
  addLanes(sums, 0, a);
  addLanes(sums, 2, b);
  addLanes(sums, 4, c);
  addLanes(sums, 6, d);
  addLanes(sums, 8, e);
  addLanes(sums, 10, f);
  addLanes(sums, 12, g);
  addLanes(sums, 14, h);
}

/** Takes the two sums of a word apart: its value is low + 65,536 high, both signed. */
function addLanes(sums: Int32Array, lane: number, word: number): void {
  const low = (word << 16) >> 16;
  sums[lane] = (sums[lane] ?? 0) + low;
  sums[lane + 1] = (sums[lane + 1] ?? 0) + ((word - low) >> 16);
}

export class Together {
  readonly #heads: readonly LinearHead[];
  /** Lane at which each head's classes begin. */
  readonly #lanes: readonly number[];
  readonly #mask: number;
  readonly #table: Int32Array;
  readonly #named: Float64Array;
  readonly #bias = new Float64Array(lanes);
  /** Value of one unit of a lane's weights. */
  readonly #scales = new Float64Array(lanes);
  readonly #sums = new Int32Array(lanes);

  /** @throws {RangeError} for more classes than a row has room for */
  constructor(heads: readonly LinearHead[]) {
    this.#heads = heads;
    let used = 0;
    this.#lanes = heads.map(({ classes }) => {
      used += classes;
      return used - classes;
    });
    if (used > lanes) throw new RangeError(`${used} classes are too many to be read together`);
    const buckets = Math.max(1, ...heads.map(({ grams, classes }) => grams.length / classes));
    this.#mask = buckets - 1;
    this.#table = new Int32Array(buckets * rowWords);
    const ids = heads.flatMap(({ weights }) => Array.from(weights.keys(), featureId));
    this.#named = new Float64Array((ids.reduce((most, id) => Math.max(most, id), -1) + 1) * lanes);
    for (const [at, head] of heads.entries()) this.#place(head, this.#lanes[at] ?? 0);
  }

  /** A head with fewer buckets than the table stands in it several times. */
  #place({ grams, gramScale, weights, bias, classes }: LinearHead, lane: number): void {
    const table = this.#table;
    for (let to = 0; grams.length > 0 && to <= this.#mask; to += 1)
      for (let label = 0; label < classes; label += 1) {
        const at = to * rowWords + ((lane + label) >> 1);
        const weight = grams[((to * classes) % grams.length) + label] ?? 0;
        table[at] = (table[at] ?? 0) + (((lane + label) & 1) === 0 ? weight : weight * 65_536);
      }
    for (const [name, row] of weights) this.#named.set(row, featureId(name) * lanes + lane);
    this.#bias.set(bias, lane);
    this.#scales.fill(gramScale, lane, lane + classes);
  }

  #addGrams(scores: Float64Array, hashes: readonly number[], value: number): void {
    const sums = this.#sums;
    sums.fill(0);
    for (let from = 0; from < hashes.length; from += mostRows)
      addRows(sums, this.#table, hashes, this.#mask, from, Math.min(hashes.length, from + mostRows));
    for (let lane = 0; lane < lanes; lane += 1)
      scores[lane] = (scores[lane] ?? 0) + (sums[lane] ?? 0) * (value * (this.#scales[lane] ?? 0));
  }

  #addNamed(scores: Float64Array, { ids, values }: HeadInput["numbered"]): void {
    const named = this.#named;
    for (let index = 0; index < ids.length; index += 1) {
      const at = (ids[index] ?? 0) * lanes;
      if (at >= named.length) continue;
      const value = values[index] ?? 0;
      for (let lane = 0; lane < lanes; lane += 1)
        scores[lane] = (scores[lane] ?? 0) + (named[at + lane] ?? 0) * value;
    }
  }

  /** Scores of the classes of each head, in the order of the heads, before the temperature. */
  scores(input: HeadInput): readonly Float64Array[] {
    const scores = new Float64Array(this.#bias);
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
    return this.#heads.map(({ classes }, at) => {
      const lane = this.#lanes[at] ?? 0;
      return scores.subarray(lane, lane + classes);
    });
  }
}
