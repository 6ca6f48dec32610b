/** Parameters that tell where a reader came from, not what the page is. */
const tracking =
  /^(?:utm_\w+|mc_[ce]id|fbclid|gclid|dclid|msclkid|yclid|igshid|_hsenc|_hsmi|mkt_tok|vero_id|oly_\w+|at_\w+|\.tsrc|mod|ncid|cmpid|ref_src|feedtype|feedname|rss|partner|ns_\w+|xtor|xtref|tracking_source)$/i;

/**
 * One spelling for the address of a page, to recognise it by: https, lower-case host without `www.`, no fragment, no
 * tracking parameters, no slash at the end.
 * @returns null for what is no http(s) address
 */
export function canonicalUrl(link: string): string | null {
  const url = URL.parse(link);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  for (const name of [...url.searchParams.keys()])
    if (tracking.test(name) || (name === "source" && /^feed/i.test(url.searchParams.get(name) ?? "")))
      url.searchParams.delete(name);
  const host = url.host.replace(/^www\./, "");
  return `https://${host}${withoutEndSlashes(url.pathname)}${url.search}`;
}

/** No regular expression: one for this tries again at every slash of a long run of them. */
function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}
