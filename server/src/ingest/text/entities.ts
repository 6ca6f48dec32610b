import { decodeHTML } from "entities";

/** The ones that text is full of. */
const usual: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", "\u00a0"],
  ["lsquo", "\u2018"],
  ["rsquo", "\u2019"],
  ["ldquo", "\u201c"],
  ["rdquo", "\u201d"],
  ["ndash", "\u2013"],
  ["mdash", "\u2014"],
  ["hellip", "\u2026"],
]);
const longestUsual = 6;

/** Text with the entities of HTML decoded, once; as `decodeHTML`, and several times as fast on the usual ones. */
export function decodeEntities(text: string): string {
  let decoded = "";
  let from = 0;
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", at + 1)) {
    const next = text.charCodeAt(at + 1);
    const isNumber = next === 35;
    // Behind all others a "&" stands for itself.
    if (!isNumber && !isLetter(next)) continue;
    const end = text.indexOf(";", at + 2);
    const found = end === -1 ? null : isNumber ? numbered(text, at + 2, end) : named(text, at + 1, end);
    // Legacy names without ";", rare names, and numbers that stand for others: all of what follows by the whole table.
    if (found === null) return decoded + text.slice(from, at) + decodeHTML(text.slice(at));
    decoded += text.slice(from, at) + found;
    from = end + 1;
    at = end;
  }
  return from === 0 ? text : decoded + text.slice(from);
}

function named(text: string, from: number, end: number): string | null {
  return end - from > longestUsual ? null : (usual.get(text.slice(from, end)) ?? null);
}

/** Decimal, and within what no standard maps to something else. */
function numbered(text: string, from: number, end: number): string | null {
  if (end - from > 5 || end === from) return null;
  let point = 0;
  for (let at = from; at < end; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return null;
    point = point * 10 + digit;
  }
  return (point >= 32 && point < 127) || (point >= 160 && point < 0xd800) ? String.fromCharCode(point) : null;
}

const isLetter = (char: number) => (char >= 97 && char <= 122) || (char >= 65 && char <= 90);
