import { defaultRequestsPerS, type SourceConfig } from "../../config/sources.ts";

/** The source on whose behalf a request is made. */
export type Asker = Pick<SourceConfig, "url" | "hosts" | "requests_per_s">;

/** At its own hosts an asker has the owner's slots, at its own pace; at any other host it is a stranger. */
export function isOwnHost({ url, hosts }: Asker, host: string): boolean {
  return host === new URL(url).host || hosts.some((own) => host === own || host.endsWith(`.${own}`));
}

/** The pace of strangers at a host: the slowest pace of the sources on it. */
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
