/** Supported content codings, preferred first. */
export const codings = ["br", "gzip", "identity"] as const;
export type Coding = (typeof codings)[number];

/**
 * The content coding that the client prefers; among equals, the one we prefer. When it accepts none of ours, identity: any
 * response is better than none (RFC 9110, 12.5.3).
 * @param header Accept-Encoding; without it nothing is compressed, as few clients without it could decompress
 */
export function preferredCoding(header: string | undefined): Coding {
  if (header === undefined) return "identity";
  const qualities = qualitiesOf(header);
  const others = qualities.get("*");
  const quality = (coding: Coding) => qualities.get(coding) ?? others ?? (coding === "identity" ? least : 0);
  const wanted = codings.filter((coding) => quality(coding) > 0);
  return wanted.reduce<Coding>(
    (best, coding) => (quality(coding) > quality(best) ? coding : best),
    wanted[0] ?? "identity",
  );
}

/** Identity is acceptable when the header does not mention it, after all codings that it names. */
const least = 0.000_1;

function qualitiesOf(header: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>();
  for (const element of header.split(",")) {
    const [name = "", ...parameters] = element.split(";").map((part) => part.trim().toLowerCase());
    const given = parameters.find((parameter) => parameter.startsWith("q="));
    const quality = given === undefined ? 1 : qualityOf(given.slice(2));
    if (name !== "") qualities.set(name === "x-gzip" ? "gzip" : name, quality);
  }
  return qualities;
}

/** An invalid quality counts as "not wanted": every client can read an uncompressed body. */
function qualityOf(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}

/**
 * Whether If-None-Match names an entity tag, by weak comparison (RFC 9110, 13.1.2).
 * @param etag ETag of the response, weak or strong
 */
export function namesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === "*") return true;
  const opaque = etag.replace(/^W\//, "");
  return [...header.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, tag]) => tag === opaque);
}
