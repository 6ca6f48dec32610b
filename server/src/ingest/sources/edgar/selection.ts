import type { IndexLine } from "./archive.ts";
import { isOwnership } from "./forms.ts";

/** Parameters of a getcurrent address that select no filings. */
const selectNothing: ReadonlySet<string> = new Set(["action", "count", "start", "output"]);
const owners = new Set(["", "include", "exclude", "only"]);

/** Without blank ones, by names in lower case. */
function parametersOf(url: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of new URL(url).searchParams)
    if (value.trim() !== "") found.set(name.toLowerCase(), value.trim());
  return found;
}

/** `type=4` also lists 424B2, 497 ..., since it is a prefix. Only that form and its amendments are wanted. */
export function wantedForm(url: string): (row: { readonly form: string }) => boolean {
  const type = parametersOf(url).get("type")?.toUpperCase();
  if (type === undefined) return () => true;
  return ({ form }) => form.toUpperCase() === type || form.toUpperCase() === `${type}/A`;
}

/**
 * Which filings of an index the address selects: an index has their forms and the CIKs of their parties.
 * @returns null when it also selects by something else, for example `company`
 */
export function wantedFiling(url: string): ((lines: readonly IndexLine[]) => boolean) | null {
  const { type: _, owner = "", cik = "", ...others } = Object.fromEntries(parametersOf(url));
  const isKnown = Object.keys(others).every((name) => selectNothing.has(name));
  // EDGAR takes a ticker for a CIK as well.
  if (!isKnown || !owners.has(owner) || !/^\d{0,10}$/.test(cik)) return null;
  const isForm = wantedForm(url);
  const party = cik.padStart(10, "0");
  return (lines) =>
    lines.some(isForm) &&
    (owner !== "exclude" || !lines.some(({ form }) => isOwnership(form))) &&
    (owner !== "only" || lines.some(({ form }) => isOwnership(form))) &&
    (cik === "" || lines.some((line) => line.cik === party));
}
