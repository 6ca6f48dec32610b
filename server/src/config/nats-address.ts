/** Where a NATS is, without the secrets, and how to sign in there. */
export interface NatsAddress {
  /** host:port, one or more of the same cluster. */
  readonly servers: readonly string[];
  readonly user: string | null;
  readonly password: string | null;
  /** Instead of user and password. */
  readonly token: string | null;
  /** Whether the connection must be encrypted; it is anyway when the server demands it. */
  readonly tls: boolean;
}

const usualPort = 4_222;

/**
 * The address in nats://user:password@host:port, nats://token@host or tls://host. Several are separated by commas, and
 * have the same credentials and protocol.
 * @returns null: it is none
 */
export function natsAddressOf(text: string): NatsAddress | null {
  const urls = text.split(",").map((one) => URL.parse(one.trim()));
  const [first] = urls;
  if (first === null || first === undefined) return null;
  const servers: string[] = [];
  for (const url of urls) {
    if (url === null || !/^(?:nats|tls):$/.test(url.protocol) || url.hostname === "") return null;
    if (!["", "/"].includes(url.pathname) || url.search !== "" || url.hash !== "") return null;
    const isSame =
      url.protocol === first.protocol && url.username === first.username && url.password === first.password;
    if (!isSame) return null;
    servers.push(`${url.hostname}:${url.port || usualPort}`);
  }
  const [user, password] = [decoded(first.username), decoded(first.password)];
  if (user === null || password === null) return null;
  const hasPassword = password !== "";
  return {
    servers,
    user: hasPassword ? user : null,
    password: hasPassword ? password : null,
    token: !hasPassword && user !== "" ? user : null,
    tls: first.protocol === "tls:",
  };
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
