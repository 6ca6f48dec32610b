import { FetchError } from "./types.ts";

/** One request on the way to an answer. */
export interface Hop {
  readonly url: URL;
  /** Whether it may go to any address (the operator's own choice) or only to public ones. */
  readonly trusted: boolean;
  /** Addresses requested so far, this one last. */
  readonly trail: readonly string[];
  /** The new permanent address: the target of the last permanent redirect that no temporary one precedes. */
  readonly movedTo: string | null;
  readonly allPermanent: boolean;
}

/** Characters of an address. Longer ones are no links; this bounds what is stored and logged of redirects. */
const longestAddress = 4096;
const longestName = 253;

export function firstHop(text: string, trusted: boolean): Hop {
  const url = URL.parse(text);
  if (url === null || !isHttp(url)) throw new FetchError("the address is no http or https URL");
  if (isTooLong(url)) throw new FetchError("the address, or the name of its host, is too long");
  return { url, trusted, trail: [keyOf(url)], movedTo: null, allPermanent: true };
}

const statuses = new Set([301, 302, 303, 307, 308]);

export function isRedirect(status: number): boolean {
  return statuses.has(status);
}

/**
 * The target of a redirect. Only the same host and port stay trusted, and trust once lost does not return: a page
 * elsewhere must not choose a request to a private server. After https only https is allowed.
 * @throws {FetchError} that names the rule the redirect breaks
 */
export function nextHop(hop: Hop, status: number, location: string | undefined, mostRedirects: number): Hop {
  const fail = (message: string) => new FetchError(message, { status });
  if (location === undefined || location === "") throw fail(`HTTP ${status} without a Location`);
  const url = URL.parse(location, hop.url.href);
  if (url === null || !isHttp(url)) throw fail("redirect to what is no http or https URL");
  if (isTooLong(url)) throw fail("redirect to an address, or a host name, that is too long");
  if (url.username !== "" || url.password !== "")
    throw fail("redirect to a URL with a user name or password");
  if (hop.url.protocol === "https:" && url.protocol === "http:")
    throw fail(`redirect from https to http: ${url.host}`);
  const key = keyOf(url);
  if (hop.trail.includes(key)) throw fail("redirects in a circle");
  if (hop.trail.length > mostRedirects) throw fail(`more than ${mostRedirects} redirects`);
  const allPermanent = hop.allPermanent && (status === 301 || status === 308);
  return {
    url,
    trusted: hop.trusted && isSameServer(hop.url, url),
    trail: [...hop.trail, key],
    movedTo: allPermanent ? url.href : hop.movedTo,
    allPermanent,
  };
}

function isHttp({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}

function isTooLong({ href, hostname }: URL): boolean {
  return href.length > longestAddress || hostname.length > longestName;
}

function keyOf(url: URL): string {
  const target = new URL(url);
  target.hash = "";
  return target.href;
}

/** The step from http to https on the default ports stays with the server. */
function isSameServer(from: URL, to: URL): boolean {
  return from.hostname === to.hostname && (from.port === to.port || isUpgrade(from, to));
}

function isUpgrade(from: URL, to: URL): boolean {
  return from.protocol === "http:" && to.protocol === "https:" && from.port === "" && to.port === "";
}
