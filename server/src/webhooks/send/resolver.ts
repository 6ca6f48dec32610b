import { promises as dns, type LookupAddress } from "node:dns";
import { setTimeout as delay } from "node:timers/promises";
import { isInsideName, resolveAll } from "../../runtime/addresses.ts";
import { Gate } from "../../runtime/sharing/gate.ts";
import { AttemptError, codeOf } from "./attempt-error.ts";

export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

const families = [4, 6] as const;
/** Some name servers never answer for one of the families: addresses that come later than this are not used. */
const secondFamilyMs = 300;

export interface ResolverOptions {
  /** Address and port; by default the system's. */
  readonly servers?: readonly string[];
  /** The system's resolver. */
  readonly system?: (host: string) => Promise<LookupAddress[]>;
}

/**
 * Resolves names by querying name servers directly. The system's resolver occupies one of the process's four threads while
 * a name server is silent, so a few endpoints with bad name servers would block all others; it is used only for names of the
 * private network and, in turns of their own, for names that name servers do not know (hosts file, search list).
 */
export function newResolver({ servers, system = resolveAll }: ResolverOptions = {}): Resolve {
  const resolver = new dns.Resolver({ timeout: 800, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const askForInside = inTurns(system);
  const askForUnknown = inTurns(system);
  return async (host, signal) => {
    if (isInsideName(host)) return askForInside(host, signal);
    const found: LookupAddress[] = [];
    const queries = families.map(async (family) => {
      const addresses = await (family === 4 ? resolver.resolve4(host) : resolver.resolve6(host));
      found.push(...addresses.map((address) => ({ address, family })));
    });
    const all = Promise.allSettled(queries);
    try {
      await Promise.any(queries);
    } catch {
      const isSilent = (await all).some(
        (query) => query.status === "rejected" && codeOf(query.reason) === dns.TIMEOUT,
      );
      if (isSilent) throw new AttemptError("dns_timeout");
      return askForUnknown(host, signal);
    }
    await Promise.race([all, delay(secondFamilyMs, undefined, { ref: false })]);
    return [...found];
  };
}

/** One name at a time; who asks for the name that is being looked up waits for the same answer, and takes no turn. */
function inTurns(lookUp: (host: string) => Promise<LookupAddress[]>): Resolve {
  const turn = new Gate({ inside: 1 });
  let current: { readonly host: string; readonly found: Promise<LookupAddress[]> } | null = null;
  return async (host, signal) => {
    if (current?.host === host) return current.found;
    const release = turn.tryEnter(null) ?? (await turn.enter({ signal }));
    const found = lookUp(host).finally(() => {
      current = null;
      release();
    });
    current = { host, found };
    return found;
  };
}
