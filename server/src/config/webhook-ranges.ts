import { isLoopback } from "./loopback.ts";

interface RangeSettings {
  readonly webhookAllow: readonly string[] | null;
  readonly databaseUrl: string | null;
  readonly host: string;
  readonly publicUrl: string | null;
  readonly trustedProxies: number;
}

const thisMachine: readonly string[] = ["127.0.0.0/8", "::1/128"];

/**
 * Private address ranges that webhooks may be sent to. By default only this machine, and only when no other machine can
 * reach the service: anyone with a key could learn which ports of these addresses are open.
 */
export function webhookRanges(config: RangeSettings): readonly string[] {
  const { webhookAllow, databaseUrl } = config;
  return webhookAllow ?? (databaseUrl === null && isReachedFromHereOnly(config) ? thisMachine : []);
}

/** A proxy on this machine would let others reach a loopback address. Only these settings show that there is one. */
function isReachedFromHereOnly({ host, publicUrl, trustedProxies }: RangeSettings): boolean {
  return isLoopback(host) && publicUrl === null && trustedProxies === 0;
}
