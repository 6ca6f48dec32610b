import { defaultRequestsPerS, type SourceConfig } from "../../config/sources.ts";

/** On whose behalf a request is made. */
export type Asker = Pick<SourceConfig, "url" | "hosts" | "requests_per_s">;

/** At the asker's own hosts it takes turns as their owner, at its own pace; anywhere else it is a stranger. */
export function isOwnHost({ url, hosts }: Asker, host: string): boolean {
  return host === new URL(url).host || hosts.some((own) => host === own || host.endsWith(`.${own}`));
}

/** The pace of strangers at a host: the slowest that the sources on it are read at. */
export function strangersPace(
  sources: readonly Pick<SourceConfig, "url" | "requests_per_s" | "enabled">[],
): (host: string) => number {
  const paces = new Map<string, number>();
  for (const { url, requests_per_s, enabled } of sources) {
    if (!enabled) continue;
    const { host } = new URL(url);
    paces.set(host, Math.min(paces.get(host) ?? requests_per_s, requests_per_s));
  }
  return (host) => paces.get(host) ?? defaultRequestsPerS;
}
