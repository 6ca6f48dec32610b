/**
 * Rewrites old and unusual elements of feeds to those that the feed library knows, since it drops others. Each pass runs
 * only if its word occurs.
 */
export function usualForms(text: string): string {
  return oneDate(knownTexts(plainBase64(text)));
}

const base64Text =
  /<(title|summary|content)(?=\s)([^<>]{0,500}\smode\s{0,9}=\s{0,9}["']base64["'][^<>]{0,500})>([A-Za-z0-9+/=\s]*)<\/\1\s{0,9}>/g;

/** Atom 0.3 gives the encoding of a text in an attribute of its own. The decoded text is markup. */
function plainBase64(text: string): string {
  if (!text.includes("base64")) return text;
  return text.replaceAll(base64Text, (_, name: string, _attributes, packed: string) => {
    const plain = Buffer.from(packed, "base64").toString("utf8");
    return `<${name} type="html">${plain.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</${name}>`;
  });
}

/** Elements with the text of RSS items, beside description and content:encoded. */
const bodies = /<(\/?)(?:xhtml:)?(?:body|fullitem)(?=[\s>])[^<>]{0,500}>/g;
const summaries = /<(\/?)summary>/g;

function knownTexts(text: string): string {
  if (!/^<rss[\s>]/i.test(text)) return text;
  const withBodies = /<\/(?:xhtml:)?(?:body|fullitem)>/.test(text)
    ? text.replaceAll(bodies, "<$1content:encoded>")
    : text;
  return withBodies.includes("</summary>")
    ? withBodies.replaceAll(summaries, "<$1itunes:summary>")
    : withBodies;
}

/** Of consecutive dates the last one that is not empty counts. */
const dates = "updated|published|modified|issued|pubDate|dc:date";
const emptyDate = new RegExp(`<(${dates})>\\s{0,100}</\\1>`, "g");
const earlierDate = new RegExp(`<(${dates})>[^<]{0,100}</\\1>\\s{0,100}(?=<\\1>)`, "g");

function oneDate(text: string): string {
  return text.replaceAll(emptyDate, "").replaceAll(earlierDate, "");
}
