/**
 * Repairs the two most common errors that the feed library fails on: a `<` in text that begins no tag, and an item that
 * is not closed before the next one begins. One pass over the `<`; CDATA sections stay as they are. A well-formed feed is
 * returned unchanged.
 */
export function mendXml(text: string): string {
  let mended = "";
  let from = 0;
  let open: string | null = null;
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at + 1)) {
    const next = text.charCodeAt(at + 1);
    if (!mayBegin[next]) {
      mended += `${text.slice(from, at)}&lt;`;
      from = at + 1;
    } else if (next === bang && text.startsWith(cdata, at)) {
      at = text.indexOf("]]>", at);
      if (at === -1) break;
    } else if (mayBeItem[next === slash ? text.charCodeAt(at + 2) : next]) {
      itemTag.lastIndex = at;
      const [, isEnd, name = null] = itemTag.exec(text) ?? [];
      if (name === null) continue;
      if (isEnd === "" && open !== null) {
        mended += `${text.slice(from, at)}</${open}>`;
        from = at;
      }
      open = isEnd === "" ? name : null;
    }
  }
  return from === 0 ? text : mended + text.slice(from);
}

const bang = 33;
const slash = 47;
const cdata = "<![CDATA[";
const itemTag = /<(\/?)(item|entry)(?=[\s>])(?!\s*\/>)/iy;

/** By character code. */
function flags(characters: string): readonly boolean[] {
  const found = new Array<boolean>(128).fill(false);
  for (const character of characters) found[character.charCodeAt(0)] = true;
  return found;
}
const mayBegin = flags("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_:/!?");
const mayBeItem = flags("iIeE");

/**
 * Repairs a cut or broken XML feed: drops everything after the last complete item, and closes the elements that are open
 * there.
 * @returns null when there is no complete item
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

/** The container elements of items that are open at the end of this beginning of a document. */
export function openElements(head: string): string[] {
  const open: string[] = [];
  for (const [, slash, name = ""] of head.matchAll(/<(\/?)(rss|channel|feed|rdf:RDF|items)(?=[\s>])/gi)) {
    if (slash === "") open.push(name);
    // Only the innermost element can be closed here. A search would be quadratic in a document made for that.
    else if (open.at(-1)?.toLowerCase() === name.toLowerCase()) open.pop();
  }
  return open;
}
