import { isLoopback } from "./loopback.ts";

interface IdentitySettings {
  readonly oidcIssuer: string | null;
  readonly oidcClientId: string | null;
  readonly oidcAllow: readonly unknown[];
  readonly publicUrl: string | null;
  readonly host: string;
}

/** What is wrong with the settings of the identity provider, by variable. */
export function identityProblems({
  oidcIssuer,
  oidcClientId,
  oidcAllow,
  publicUrl,
  host,
}: IdentitySettings): string[] {
  if (oidcIssuer === null) return [];
  const issuer = new URL(oidcIssuer);
  return [
    ...(issuer.protocol === "https:" || isLoopback(issuer.hostname)
      ? []
      : ["TAPEWIRE_OIDC_ISSUER: must be https, unless the provider is on this machine"]),
    ...(oidcClientId === null ? ["TAPEWIRE_OIDC_CLIENT_ID: is required with TAPEWIRE_OIDC_ISSUER"] : []),
    ...(publicUrl !== null || isLoopback(host)
      ? []
      : ["TAPEWIRE_PUBLIC_URL: is required with TAPEWIRE_OIDC_ISSUER"]),
    ...(oidcAllow.length === 0 ? ["TAPEWIRE_OIDC_ALLOW: is required with TAPEWIRE_OIDC_ISSUER"] : []),
  ];
}
