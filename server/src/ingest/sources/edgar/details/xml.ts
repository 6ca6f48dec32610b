import { Parser } from "htmlparser2";
import { ParseError } from "../../../adapter.ts";
import { foldSpace, safeText } from "../../../text/text.ts";

/** Values by element name without prefix; the first of a name counts. */
export type Facts = ReadonlyMap<string, string>;

const mostDepth = 64;
/** Far longer than a field of a form. */
const mostText = 20_000;

/**
 * Walks a form filed as XML. It builds no tree, so the size of the form costs only time.
 * @param groups names of elements that repeat; each is given to `visit` at its end, with the values inside it
 * @returns the values outside all groups
 * @throws {ParseError} when it is nested deeper than any form
 */
export function walkXml(
  xml: string,
  groups: ReadonlySet<string>,
  visit: (group: string, facts: Facts) => void = () => {},
): Facts {
  const top = new Map<string, string>();
  const path: string[] = [];
  let facts = top;
  let text = "";
  const parser = new Parser(
    {
      onopentag(tag) {
        const name = localName(tag);
        path.push(name);
        if (path.length > mostDepth) throw new ParseError("nested too deeply for a form");
        text = "";
        if (groups.has(name)) facts = new Map();
      },
      ontext(part) {
        if (text.length < mostText) text += part;
      },
      onclosetag(tag) {
        const name = localName(tag);
        path.pop();
        // <transactionShares><value>10</value></transactionShares>: the parent element says what the value is.
        const parent = path.at(-1) ?? "";
        const key = name === "value" && !groups.has(parent) ? parent : name;
        const value = foldSpace(safeText(text));
        if (value !== "" && !facts.has(key)) facts.set(key, value);
        text = "";
        if (!groups.has(name)) return;
        visit(name, facts);
        facts = top;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return top;
}

function localName(tag: string): string {
  return tag.slice(tag.indexOf(":") + 1);
}

/** "" when the form does not have the fact. */
export function fact(facts: Facts, name: string): string {
  return facts.get(name) ?? "";
}

/** null when the text is no number, negative, or larger than any count of shares or dollars. */
export function amountOf(text: string | undefined): number | null {
  const digits = text?.replaceAll(/[,$\s]/g, "") ?? "";
  const number = /^\d{1,20}(\.\d{0,20})?$|^\.\d{1,20}$/.test(digits) ? Number(digits) : null;
  return number !== null && number < 1e15 ? number : null;
}

/** Text for a fact, cut between words at the length; null for an empty text. */
export function shortText(text: string, maxLength = 200): string | null {
  const whole = foldSpace(safeText(text));
  if (whole.length <= maxLength) return whole === "" ? null : whole;
  const cut = whole
    .slice(0, maxLength - 2)
    .toWellFormed()
    .replace(/\ufffd$/, "");
  const end = cut.lastIndexOf(" ");
  return `${(end > maxLength / 2 ? cut.slice(0, end) : cut).trimEnd()} …`;
}
