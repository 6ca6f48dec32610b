import type { Evidence } from "@tapewire/contract/feeds.ts";
import { quote } from "../quote.ts";
import type { Signal } from "./types.ts";

const longestEvidence = 240;

/** The end of a passage bounded by `most`, never between the halves of one character. */
export function cutBefore(text: string, end: number, most: number): number {
  if (end <= most) return end;
  const code = text.charCodeAt(most);
  return code >= 0xdc00 && code <= 0xdfff ? most - 1 : most;
}

/** A statement with words around it for the reader; always a part of the text. */
export function evidenceOf(text: string, { start, end }: { start: number; end: number }): Evidence {
  const to = cutBefore(text, end, start + longestEvidence);
  return { text: text.slice(start, to), start, end: to };
}

/** "Guidance raised: 'raises full-year guidance'". */
export const labelled = (text: string, signal: Signal): string => `${signal.label}: ${quote(text, signal)}`;
