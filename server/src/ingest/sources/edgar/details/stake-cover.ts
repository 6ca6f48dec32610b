/** The cover of one reporting person, as written. */
export interface StakeCover {
  readonly name: string;
  shares: string | null;
  percent: string | null;
}

/** Covers follow each other at the start of a schedule; there are none after this many lines. */
const mostLines = 3_000;
const mostLine = 1_000;
/** Lines between the label of a row and its value, the label's continuation and blank lines included. */
const mostBelow = 8;

const nameLabel = /NAMES?(\(S\))? OF REPORTING PERSON/i;
const sharesLabel = /AGGREGATE AMOUNT (BENEFICIALLY )?OWNED/i;
const percentLabel = /PERCENT OF CLASS REPRESENTED/i;
/** The rows of a cover; each ends the value of the row before. */
const otherRow =
  /CHECK (THE|IF|BOX)|MEMBER OF A GROUP|SEC USE ONLY|SOURCE OF FUNDS|CITIZENSHIP|PLACE OF ORGANIZATION|TYPE OF REPORTING|(SOLE|SHARED) (VOTING|DISPOSITIVE)/i;

/** The printed words around a name, in the wording of the form and of filers. */
const nameForm: readonly RegExp[] = [
  /NAMES?(\(S\))? OF REPORTING PERSONS?(\(S\))?/i,
  /(\bS\. ?S\.|\bSS|SOCIAL SECURITY)( NOS?\.?)?( OR|\/)?(?= *(I\. ?R\. ?S\.?|IRS|$))/i,
  /\b(I\. ?R\. ?S\.?|IRS)( EMPLOYER)?( IDENTIFICATION| IDENT\.?)?( (NUMBERS?|NOS?\b)(\(S\))?\.?| ?#)/i,
  /\b(IDENTIFICATION|EIN|TAX ID)( (NUMBERS?|NOS?\b)(\(S\))?\.?)?(?= *(:|OF\b|$|\d))/i,
  /\b(OF )?(THE )?ABOVE (PERSON|ENTIT)(S|Y|IES)?(\(S\))?/i,
  /^\s*OF$/i,
  /\((ENTITIES ONLY|SEE INSTRUCTIONS|VOLUNTARY|OPTIONAL)\)/gi,
  /\b\d{2}-\d{7}\b|\b\d{3}-\d{2}-\d{4}\b/g,
];
const figureForm: readonly RegExp[] = [
  /.*(AGGREGATE AMOUNT (BENEFICIALLY )?OWNED|PERCENT OF CLASS REPRESENTED)/i,
  /\b(BY )?(EACH )?REPORTING PERSON( WITH)?|\bBY EACH\b/i,
  /\b(BY )?(THE )?AMOUNTS? IN\b/i,
  /\bROW \(?\d{1,2}\)?/i,
];

/**
 * The covers of a Schedule 13D or 13G filed as text or HTML. Filers print the form in their own layouts: the value of a
 * row follows its label or stands below it, among the form's printed words.
 * @param text one line per paragraph or table row
 */
export function stakeCovers(text: string): StakeCover[] {
  const lines = text
    .split("\n", mostLines)
    .map((line) => line.slice(0, mostLine).replace(/\s+/g, " ").trim());
  const found: StakeCover[] = [];
  for (const [index, line] of lines.entries()) {
    const row = [line, ...lines.slice(index + 1, index + 1 + mostBelow)];
    if (nameLabel.test(line)) {
      const name = nameIn(row);
      if (name !== null) found.push({ name, percent: null, shares: null });
      continue;
    }
    const person = found.at(-1);
    if (person === undefined) continue;
    if (sharesLabel.test(line)) person.shares ??= figureIn(row);
    if (percentLabel.test(line)) person.percent ??= figureIn(row);
  }
  return found;
}

function nameIn(row: readonly string[]): string | null {
  let name = "";
  for (const [index, line] of row.entries()) {
    // The next row may follow on the same line.
    const [own = ""] = line.split(/\(?\b2[.)]{0,2} +(?=CHECK THE)/i);
    if (index > 0 && (nameLabel.test(own) || otherRow.test(own))) break;
    const written = unprinted(own, nameForm).replace(/^\(?\d{1,2}[.)]{1,2}(?= |$)/, "");
    const more = written.replace(/^[\s:;,./\-–—]+|[\s:;/\-–—]+$/g, "").replace(/^\(?\d{1,2}[.)]?$/, "");
    if (more !== "") name = name === "" ? more : `${name} ${more}`;
    // A comma ends the line: "L.P." or "Inc." is on the next.
    if (name !== "" && !name.endsWith(",")) return name;
  }
  return name === "" ? null : name.replace(/,$/, "");
}

/** The digits of a number, with its commas; null when the row is blank. */
function figureIn(row: readonly string[]): string | null {
  for (const [index, line] of row.entries()) {
    const isNext =
      nameLabel.test(line) || sharesLabel.test(line) || percentLabel.test(line) || otherRow.test(line);
    if (index > 0 && isNext) return null;
    const figure = /^[^\d]{0,5}(\d[\d,]{0,20}(\.\d{1,6})?)/.exec(unprinted(line, figureForm).trim())?.[1];
    if (figure !== undefined) return figure;
  }
  return null;
}

/** A line without the printed words of the form, and without the row number before them. */
function unprinted(line: string, form: readonly RegExp[]): string {
  let rest = line;
  for (const words of form) rest = rest.replace(words, " ");
  return rest === line
    ? line
    : rest
        .replace(/^\s*\(?\d{1,2}[.)]{0,2}(?=\s)/, "")
        .replace(/\s+/g, " ")
        .trim();
}
