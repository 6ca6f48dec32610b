import type { StoryFacts } from "./facts.ts";

interface OnSymbol {
  readonly facts: Pick<StoryFacts, "source" | "symbols">;
}

/** Items counted per source: a source that writes more would otherwise decide alone how much is written on a company. */
const mostOfSource = 3;

/** The newest items about each symbol, a few of each source. */
export class ItemsOnSymbols<Item extends OnSymbol> {
  /** By symbol, then by source; in order of arrival. */
  readonly #items = new Map<string, Map<string, readonly Item[]>>();

  add(item: Item): void {
    const { source, symbols } = item.facts;
    for (const symbol of symbols) {
      const bySource = this.#items.get(symbol) ?? new Map<string, readonly Item[]>();
      this.#items.set(symbol, bySource);
      bySource.set(source, [...(bySource.get(source) ?? []), item].slice(-mostOfSource));
    }
  }

  remove(item: Item): void {
    const { source, symbols } = item.facts;
    for (const symbol of symbols) {
      const bySource = this.#items.get(symbol);
      const rest = bySource?.get(source)?.filter((other) => other !== item) ?? [];
      if (rest.length > 0) bySource?.set(source, rest);
      else bySource?.delete(source);
      if (bySource?.size === 0) this.#items.delete(symbol);
    }
  }

  /** How many items on the symbol count, at most 3 of a source. */
  count(symbol: string, counts: (item: Item) => boolean): number {
    let count = 0;
    for (const items of this.#items.get(symbol)?.values() ?? []) count += items.filter(counts).length;
    return count;
  }
}
