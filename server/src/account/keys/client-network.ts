/** The parts of a request that show where it comes from; IncomingMessage is one. */
export interface Origin {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: { readonly [name: string]: string | string[] | undefined };
}

/**
 * The network of the client: its IPv4 address, or the first 64 bits of its IPv6 address, since a client usually
 * controls the whole /64.
 * @param trustedProxies how many proxies stand in front of this process; each has appended the address of its caller to
 *   X-Forwarded-For, so the client may have forged the entries to the left of theirs
 */
export function clientNetwork({ socket, headers }: Origin, trustedProxies: number): string {
  const forwarded = trustedProxies === 0 ? [] : String(headers["x-forwarded-for"] ?? "").split(",");
  const named = forwarded.at(-Math.min(trustedProxies, forwarded.length));
  return networkOf(named ?? "") ?? networkOf(socket.remoteAddress ?? "") ?? "unknown";
}

/** With brackets, port and zone; bounded because a header may hold thousands of characters. */
const longestAddress = 100;

function networkOf(text: string): string | null {
  if (text.length > longestAddress) return null;
  const address = text
    .trim()
    .toLowerCase()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/, "")
    .replace(/%.*$/, "");
  const four = /^(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?$/.exec(address)?.[1];
  if (four !== undefined) return four;
  return /^[0-9a-f:]*:[0-9a-f:.]*$/.test(address) ? first64(address) : null;
}

function first64(address: string): string {
  const [left = "", right] = address
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const known = [...left];
  const zeros = right === undefined ? 0 : Math.max(0, 8 - known.length - right.length);
  const groups = [...known, ...Array<string>(zeros).fill("0"), ...(right ?? [])];
  const first = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${first.join(":")}::/64`;
}
