/**
 * Makes a cut or broken XML feed whole again: everything behind the last complete item goes, and the elements that are
 * open there are closed.
 * @returns null when there is no complete item to save
 */
export function salvageXml(text: string): string | null {
  const end = lastItemEnd(text);
  if (end === null) return null;
  const kept = text.slice(0, end);
  const closers = openElements(kept.slice(0, firstItemStart(kept)))
    .reverse()
    .map((name) => `</${name}>`);
  return kept + closers.join("");
}

function lastItemEnd(text: string): number | null {
  let end = -1;
  for (const closer of ["</item>", "</entry>", "</ITEM>"]) {
    const at = text.lastIndexOf(closer);
    if (at !== -1) end = Math.max(end, at + closer.length);
  }
  return end === -1 ? null : end;
}

function firstItemStart(text: string): number {
  const at = text.search(/<(?:item|entry)[\s>]/i);
  return at === -1 ? text.length : at;
}

/** Of the elements that hold items, the ones open at the end of this beginning of a document. */
function openElements(head: string): string[] {
  const open: string[] = [];
  for (const [, slash, name = ""] of head.matchAll(/<(\/?)(rss|channel|feed|rdf:RDF|items)(?=[\s>])/gi)) {
    if (slash === "") open.push(name);
    else open.splice(open.lastIndexOf(name), 1);
  }
  return open;
}
