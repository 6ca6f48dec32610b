import { promises as dns, type LookupAddress } from "node:dns";
import { setTimeout as delay } from "node:timers/promises";
import { isInsideName, resolveAll } from "../../runtime/addresses.ts";
import { Gate } from "../../runtime/gate.ts";
import { AttemptError, codeOf } from "./attempt-error.ts";

export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

const families = [4, 6] as const;
/** Some name servers never answer for one of the families. What has not come by then is not connected to. */
const secondFamilyMs = 300;

/**
 * Resolves names by asking name servers itself. The system's resolver holds one of four threads of the process for as
 * long as a name server stays silent, so a few endpoints with bad name servers would stop all others; it is asked only,
 * one name at a time, for names of the private network and those that name servers do not know (hosts file, search list).
 * @param servers address and port; the system's when not given
 */
export function newResolver({ servers }: { readonly servers?: readonly string[] } = {}): Resolve {
  const resolver = new dns.Resolver({ timeout: 800, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const turn = new Gate({ inside: 1 });
  const askSystem = async (host: string, signal: AbortSignal) => {
    const release = await turn.enter({ signal });
    return resolveAll(host).finally(release);
  };
  return async (host, signal) => {
    if (isInsideName(host)) return askSystem(host, signal);
    const found: LookupAddress[] = [];
    const asked = families.map(async (family) => {
      const addresses = await (family === 4 ? resolver.resolve4(host) : resolver.resolve6(host));
      found.push(...addresses.map((address) => ({ address, family })));
    });
    const all = Promise.allSettled(asked);
    try {
      await Promise.any(asked);
    } catch {
      const isSilent = (await all).some(
        (told) => told.status === "rejected" && codeOf(told.reason) === dns.TIMEOUT,
      );
      if (isSilent) throw new AttemptError("dns_timeout");
      return askSystem(host, signal);
    }
    await Promise.race([all, delay(secondFamilyMs, undefined, { ref: false })]);
    return [...found];
  };
}
