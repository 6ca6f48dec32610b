import { queryText } from "../http/query.ts";

export interface CurlRequest {
  readonly baseUrl: string;
  /** Default: GET, or POST with a body. */
  readonly method?: string | undefined;
  /** With or without a query. */
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** Prints what comes as it comes, for server-sent events. */
  readonly streams?: boolean | undefined;
}

/** The request as lines for a shell. The key is in the variable TAPEWIRE_KEY, so that it can be shown. */
export function toCurl({
  baseUrl,
  body,
  method = body === undefined ? "GET" : "POST",
  path,
  query,
  streams,
}: CurlRequest): string {
  return [
    `curl ${streams ? "-N " : ""}${method === "GET" ? "" : `-X ${method} `}${quoted(baseUrl.replace(/\/+$/, "") + path + queryText(query))}`,
    '-H "Authorization: Bearer $TAPEWIRE_KEY"',
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ].join(" \\\n  ");
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
