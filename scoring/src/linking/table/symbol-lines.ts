import type { SymbolEntry } from "../types.ts";

export const isShare = ({ type }: SymbolEntry): boolean => type === "stock" || type === "dr";

/** The company's own line first, then the larger, then by symbol so that ties never depend on file order. */
function bySize(a: SymbolEntry, b: SymbolEntry): number {
  const own = Number(b.primary === b.symbol) - Number(a.primary === a.symbol);
  const share = Number(isShare(b)) - Number(isShare(a));
  return own || share || a.rank - b.rank || (a.symbol < b.symbol ? -1 : 1);
}

/** Lines by what several can have in common. One that is alone, as most are, stands without a list around it. */
export class SymbolLines {
  readonly #lines = new Map<string, SymbolEntry | SymbolEntry[]>();

  add(key: string, entry: SymbolEntry): void {
    const lines = this.#lines.get(key);
    if (lines === undefined) this.#lines.set(key, entry);
    else if (Array.isArray(lines)) lines.push(entry);
    else this.#lines.set(key, [lines, entry]);
  }

  sort(): void {
    for (const lines of this.#lines.values()) if (Array.isArray(lines)) lines.sort(bySize);
  }

  get(key: string): readonly SymbolEntry[] {
    const lines = this.#lines.get(key);
    if (lines === undefined) return [];
    return Array.isArray(lines) ? lines : [lines];
  }
}
