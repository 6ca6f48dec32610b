/** Parameters that record where a reader came from and do not identify the page. */
const tracking =
  /^(?:utm_\w+|mc_[ce]id|fbclid|gclid|dclid|msclkid|yclid|igshid|_hsenc|_hsmi|mkt_tok|vero_id|oly_\w+|at_\w+|\.tsrc|mod|ncid|cmpid|ref_src|feedtype|feedname|rss|partner|ns_\w+|xtor|xtref|tracking_source)$/i;

/**
 * One spelling for the address of a page, by which it is recognised: https, lower-case host without `www.`, no fragment,
 * no tracking parameters, no slash at the end.
 * @returns null when the link is no http(s) address
 */
export function canonicalUrl(link: string): string | null {
  const url = URL.parse(link);
  return url === null || !isWeb(url) ? null : canonicalOf(url);
}

export function isWeb({ protocol }: URL): boolean {
  return protocol === "https:" || protocol === "http:";
}

/** The same for a parsed address. Tracking parameters are removed from the given object. */
export function canonicalOf(url: URL): string {
  if (mayTrack(url.search))
    for (const name of [...url.searchParams.keys()])
      if (tracking.test(name) || (name === "source" && /^feed/i.test(url.searchParams.get(name) ?? "")))
        url.searchParams.delete(name);
  const { host } = url;
  return `https://${host.startsWith("www.") ? host.slice(4) : host}${withoutEndSlashes(url.pathname)}${url.search}`;
}

/** A fast check, since most addresses have no such parameter; those with escapes must be parsed. */
function mayTrack(search: string): boolean {
  if (search === "") return false;
  if (search.includes("%") || search.includes("+")) return true;
  return search
    .slice(1)
    .split("&")
    .some((part) => {
      const end = part.indexOf("=");
      const name = end === -1 ? part : part.slice(0, end);
      return name === "source" || tracking.test(name);
    });
}

/** No regular expression, because one would retry at every slash of a long run of them. */
function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path.charCodeAt(end - 1) === 47) end -= 1;
  return path.slice(0, end);
}
