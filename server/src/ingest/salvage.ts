/**
 * Mends what publishers break most often and the feed library gives up on: a `<` in text that begins no tag, and an
 * item that is not closed before the next one begins. A well-formed feed comes back as it was.
 */
export function mendXml(text: string): string {
  return closeItems(text.replaceAll(/<(?![A-Za-z_:/!?])/g, "&lt;"));
}

/** One pass over the item tags; what stands in CDATA sections is text. */
function closeItems(text: string): string {
  let open: string | null = null;
  let inCdata = false;
  return text.replaceAll(/<!\[CDATA\[|\]\]>|<(\/?)(item|entry)(?=[\s>])(?!\s*\/>)/gi, (tag, slash, name) => {
    if (tag === "]]>" || tag.startsWith("<!")) inCdata = tag !== "]]>";
    else if (!inCdata) {
      const unclosed = slash === "" ? open : null;
      open = slash === "" ? name : null;
      if (unclosed !== null) return `</${unclosed}>${tag}`;
    }
    return tag;
  });
}

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
  for (const closer of ["</item>", "</entry>", "</ITEM>", "</ENTRY>"]) {
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
    // Only the innermost one can be closed. A search would be quadratic in a document made to be that.
    else if (open.at(-1)?.toLowerCase() === name.toLowerCase()) open.pop();
  }
  return open;
}
