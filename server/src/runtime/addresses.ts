import { type LookupAddress, type LookupOptions, lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";

/** IANA's special-purpose registry, and two addresses that clouds use internally though they look public. */
const closed4 = blocks4([
  "0.0.0.0/8", // this network; 0.0.0.0 reaches this machine
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT; metadata service of Alibaba Cloud
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // wire server of Azure
  "169.254.0.0/16", // link-local; metadata services
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments; old metadata service of Oracle Cloud
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
]);

/** All globally routed addresses; loopback, mapped, NAT64, unique local and link-local ones lie outside. */
const global6 = blocks6(["2000::/3"]);
const closed6 = blocks6([
  "2001::/23", // protocol assignments, Teredo among them
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: carries any IPv4 address
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
]);
const mapped4 = blocks6(["::ffff:0:0/96"]);

const privateSuffix = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;

interface Block {
  readonly first: bigint;
  /** Bits after the prefix. */
  readonly shift: bigint;
}

/**
 * Whether an address belongs to the public internet. IPv4 in IPv6 spelling (::ffff:a.b.c.d) is judged as the IPv4
 * address it is; tunnel and translator addresses (6to4, Teredo, NAT64) are never public, since their far end is unknown.
 * @param ip as a resolver returns it; anything else is not public
 */
export function isPublicAddress(ip: string): boolean {
  const found = addressOf(ip);
  if (found === null) return false;
  const { family, bits } = found;
  return family === 4 ? !within(closed4, bits) : within(global6, bits) && !within(closed6, bits);
}

/**
 * Makes a test of whether an address lies in one of the ranges; IPv4 in IPv6 spelling counts as the IPv4 address it is.
 * @param ranges in CIDR form: `10.0.0.0/8`, `fd00::/8`
 * @throws {RangeError} when one is no range
 */
export function withinRanges(ranges: readonly string[]): (ip: string) => boolean {
  const open4 = blocks4(ranges.filter((range) => !range.includes(":")));
  const open6 = blocks6(ranges.filter((range) => range.includes(":")));
  return (ip) => {
    const found = addressOf(ip);
    return found !== null && within(found.family === 4 ? open4 : open6, found.bits);
  };
}

function addressOf(ip: string): { family: 4 | 6; bits: bigint } | null {
  const four = number4(ip);
  if (four !== null) return { family: 4, bits: four };
  const six = number6(ip);
  if (six === null) return null;
  return within(mapped4, six) ? { family: 4, bits: six & 0xffff_ffffn } : { family: 6, bits: six };
}

/** A host that may not be connected to, or a name that resolves to such an address. */
export class AddressError extends Error {
  override readonly name = "AddressError";
  readonly code = "EADDRNOTPUBLIC";
}

/**
 * A lookup for `connect`: refuses a name when any of its addresses is not public, since the connection may go to any of
 * them. The connection goes to the addresses judged here, so a later answer of the name server has no effect.
 * Node calls no lookup for a host that is an address: see `checkTarget`.
 * @param resolve replaces the system's resolver
 * @param isAllowed which addresses may be connected to
 */
export function publicLookup({
  resolve = resolveAll,
  isAllowed = isPublicAddress,
}: {
  resolve?: (host: string, options: LookupOptions) => Promise<readonly LookupAddress[]>;
  isAllowed?: (ip: string) => boolean;
} = {}): LookupFunction {
  return (host, options, callback) => {
    void resolve(host, options)
      .then((found) => judged(host, found, isAllowed))
      .then(
        ([first, ...rest]) => {
          if (options.all === true) callback(null, [first, ...rest]);
          else callback(null, first.address, first.family);
        },
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), ""),
      );
  };
}

function judged(
  host: string,
  found: readonly LookupAddress[],
  isAllowed: (ip: string) => boolean,
): [LookupAddress, ...LookupAddress[]] {
  const [first, ...rest] = found;
  if (first === undefined) throw new AddressError(`${host} has no address`);
  const closed = found.find(({ address }) => !isAllowed(address));
  if (closed !== undefined)
    throw new AddressError(`${host} leads to ${closed.address}, which is no public address`);
  return [first, ...rest];
}

/** Resolves with the system's resolver, in a thread that cannot be stopped. */
export function resolveAll(host: string, { family, hints }: LookupOptions = {}): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    const options = { all: true, family: family ?? 0, hints: hints ?? 0 } as const;
    systemLookup(host, options, (error, found) => (error === null ? resolve(found) : reject(error)));
  });
}

export interface TargetRules {
  /** With colon. */
  readonly protocols?: readonly string[];
  /** Which addresses may be connected to. */
  readonly isAllowed?: (ip: string) => boolean;
  /** Whether names of a private network pass here; the addresses they resolve to are checked later. */
  readonly insideNames?: boolean;
}

/**
 * Why a URL that somebody gave may not be connected to; null when it passes all checks that need no resolver.
 * @param text as it was given: characters that a URL parser would silently fix (line breaks, backslashes) are refused
 */
export function checkTarget(text: string, rules: TargetRules = {}): string | null {
  if (/[\s\p{Cc}\p{Cs}\\]/u.test(text)) return "it is no URL: blanks, control characters or backslashes";
  const url = URL.parse(text);
  return url === null ? "it is no absolute URL" : checkUrl(url, rules);
}

/** The same for a URL that is parsed already. */
export function checkUrl(
  { protocol, username, password, hostname }: URL,
  rules: TargetRules = {},
): string | null {
  const { protocols = ["https:"] } = rules;
  if (!protocols.includes(protocol)) return `its scheme is not ${protocols.join(" or ").replaceAll(":", "")}`;
  if (username !== "" || password !== "") return "it holds a user name or password";
  return checkHost(hostname, rules);
}

/**
 * Why a host may not be connected to, or null.
 * @param hostname of a URL object, so that every spelling of an address (decimal, octal, hex, full-width) has become one
 */
export function checkHost(
  hostname: string,
  { isAllowed = isPublicAddress, insideNames = false }: Omit<TargetRules, "protocols"> = {},
): string | null {
  const literal = literalAddress(hostname);
  if (literal !== null) return isAllowed(literal) ? null : `${literal} is no public address`;
  const name = hostname.replace(/\.$/, "");
  if (name.length > 253 || name.split(".").some((label) => label === "" || label.length > 63))
    return "its host is no name";
  if (!insideNames && isInsideName(hostname)) return `${name} is a name of a private network`;
  return null;
}

/** The address in the host of a URL object; null when the host is a name. */
export function literalAddress(hostname: string): string | null {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return number4(hostname) === null ? null : hostname;
}

/** Whether a host is a name that only a private network resolves, whatever it resolves to. */
export function isInsideName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "").toLowerCase();
  return literalAddress(hostname) === null && (!name.includes(".") || privateSuffix.test(name));
}

function within(blocks: readonly Block[], address: bigint): boolean {
  return blocks.some(({ first, shift }) => address >> shift === first >> shift);
}

function blocks4(blocks: readonly string[]): Block[] {
  return blocks.map((block) => blockOf(block, number4, 32));
}

function blocks6(blocks: readonly string[]): Block[] {
  return blocks.map((block) => blockOf(block, number6, 128));
}

function blockOf(block: string, numberOf: (ip: string) => bigint | null, bits: number): Block {
  const [ip = "", prefix = ""] = block.split("/");
  const first = numberOf(ip);
  if (first === null) throw new RangeError(`${block} is no block of addresses`);
  return { first, shift: BigInt(bits - Number(prefix)) };
}

/** Dotted decimal only, as a resolver or a URL object writes it. */
function number4(ip: string): bigint | null {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(ip)?.slice(1).map(Number);
  if (parts === undefined || parts.some((part) => part > 255)) return null;
  return parts.reduce((whole, part) => whole * 256n + BigInt(part), 0n);
}

/** The URL parser knows every spelling; a public address has no zone ("%eth0"). */
function number6(ip: string): bigint | null {
  if (!/^[\da-f:.]{2,45}$/i.test(ip)) return null;
  const host = URL.parse(`http://[${ip}]/`)?.hostname.slice(1, -1);
  if (host === undefined) return null;
  const [head = "", tail] = host.split("::");
  const front = groups(head);
  const back = tail === undefined ? [] : groups(tail);
  const gap = Array.from({ length: 8 - front.length - back.length }, () => 0n);
  return [...front, ...gap, ...back].reduce((whole, group) => whole * 65_536n + group, 0n);
}

function groups(text: string): bigint[] {
  return text === "" ? [] : text.split(":").map((group) => BigInt(`0x${group}`));
}
