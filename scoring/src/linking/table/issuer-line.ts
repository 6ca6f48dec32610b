import type { SymbolEntry } from "../types.ts";

/** The line that a registrant number stands for. */

/** Securities beside the share, which bear their issuer's number: notes, bonds, preferred shares, warrants. */
const besideShares =
  /\d ?%|\bETNs?\b|\bpreferred (?:stock|shares?|units?|securities)\b|\bwarrants?\b|\bnotes? due\b|\bdebentures?\b|\bmortgage bonds?\b|\basset-backed\b|\btrust (?:securities|certificates)\b|^(?:iPath|ETRACS|MicroSectors)\b/i;

/** Whether the line is a share of its company, and no note, bond, preferred share, warrant or fund of the same issuer. */
export const isCommonShare = ({ type, name }: SymbolEntry): boolean =>
  (type === "stock" || type === "dr") && !besideShares.test(name);

/** Funds with a registrant of their own have a size in the SEC's list; funds that share a trust's number have none. */
const unknownRank = 9999;

/** Subsidiaries whose only listed lines are a bank's notes. */
const parents: ReadonlyMap<string, string> = new Map([
  ["0000312070", "NYSE:BCS"],
  ["0001114446", "NYSE:UBS"],
  ["0001053092", "NYSE:UBS"],
]);

/**
 * @param lines every line with this number, the company's own first
 * @returns symbol of the common share; for a fund with its own number its only line; null where the number tells no line,
 * as that of a trust with many funds
 */
export function issuerLine(cik: string, lines: readonly SymbolEntry[]): string | null {
  const parent = parents.get(cik);
  if (parent !== undefined) return parent;
  const common = lines.find(isCommonShare);
  if (common !== undefined) return common.primary;
  const mains = new Set(lines.map(({ primary }) => primary));
  const [only] = lines;
  const own =
    only !== undefined && mains.size === 1 && only.rank < unknownRank && !besideShares.test(only.name);
  return own && only.type === "etf" ? only.primary : null;
}
