import { signInTimes } from "@tapewire/contract/dashboard/people.ts";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Configuration } from "openid-client";
import type { Authenticator } from "../../account/keys/auth.ts";
import type { AllowedIdentity, Identity, People } from "../../account/people/people.ts";
import type { Client } from "../../account/people/types.ts";
import { takeAttempt } from "../../account/refusals.ts";
import { hashSecret, newSecret } from "../../account/secrets.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { Queries } from "../../store/engine/db.ts";
import { insertOidcAttempt, type OidcAttempt, takeOidcAttempt } from "../../store/people/attempts.ts";
import type { Exchange } from "../wire/types.ts";
import type { Router } from "../wire/wire.ts";
import { attemptCookie, attemptHandleOf, clientOf, type Entrance, sessionCookie } from "./client.ts";
import { checkHost } from "./same-origin.ts";

/** The identity provider that people sign in with. */
export interface OidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly allowed: readonly AllowedIdentity[];
}

export interface OidcDeps {
  readonly provider: OidcProvider;
  readonly people: People;
  readonly auth: Authenticator;
  readonly entrance: Entrance;
  readonly db: Queries;
  readonly clock: Clock;
  readonly log: Log;
}

const start = "/app/v1/oidc/start";
const callback = "/app/v1/oidc/callback";
/** The person has this long to sign in at the provider. */
const attemptMs = 10 * 60_000;
const providerTimeoutSeconds = 10;

/** Loaded at the first sign-in: most installations have no identity provider. */
const library = () => import("openid-client");

/**
 * Sign-in by OpenID Connect: authorization code with PKCE, state and nonce. The attempt is bound to the browser by a
 * cookie that may come along from the provider's page; the session's cookie may not.
 * Source: OpenID Connect Core 1.0, 3.1; RFC 9700.
 */
export function mountOidc(router: Router, deps: OidcDeps): void {
  const configuration = discovered(deps.provider);
  router.add("GET", start, (exchange) => begin(exchange, deps, configuration));
  router.add("GET", callback, (exchange) => finish(exchange, deps, configuration));
}

async function begin(
  exchange: Exchange,
  { people, auth, entrance, db, clock, log }: OidcDeps,
  configuration: () => Promise<Configuration>,
): Promise<void> {
  checkHost(exchange.request, entrance);
  const client = clientOf(exchange.request, auth.networkOf(exchange.request), entrance);
  takeAttempt(people.strangers, client.network, { policy: "address" });
  const provider = await configuration().catch((error: unknown) => {
    log.warn({ err: error, requestId: exchange.requestId }, "the identity provider does not answer");
    return null;
  });
  if (provider === null) return redirect(exchange, failed(client));
  const { sessionSecret, network } = client;
  const visitor = sessionSecret === null ? null : await people.sessions.visitor(sessionSecret, network);
  const oidc = await library();
  const attempt = {
    session_id: visitor?.sessionId ?? null,
    person_id: visitor?.personId ?? null,
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
  };
  const handle = newSecret();
  const expiresAt = new Date(clock.now().getTime() + attemptMs);
  await insertOidcAttempt(db, { hash: hashSecret(handle), expiresAt, attempt });
  const url = oidc.buildAuthorizationUrl(provider, {
    redirect_uri: client.baseUrl + callback,
    scope: "openid email profile",
    code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: "S256",
    state: attempt.state,
    nonce: attempt.nonce,
  });
  redirect(exchange, url.href, attemptCookie(handle, client.isSecure, attemptMs));
}

/** The person comes back from the provider. Whatever fails leads to the sign-in page; the log tells why. */
async function finish(
  exchange: Exchange,
  deps: OidcDeps,
  configuration: () => Promise<Configuration>,
): Promise<void> {
  const { people, auth, entrance, provider, log } = deps;
  checkHost(exchange.request, entrance);
  const client = clientOf(exchange.request, auth.networkOf(exchange.request), entrance);
  takeAttempt(people.strangers, client.network, { policy: "address" });
  try {
    const attempt = await attemptOf(exchange, client, deps);
    const identity = await identityOf(exchange, client.baseUrl, attempt, await configuration());
    const before = { personId: attempt.person_id, sessionId: attempt.session_id };
    const { secret } = await people.identities.begin(identity, { allowed: provider.allowed, before }, client);
    redirect(exchange, homeOf(client), sessionCookie(secret, client.isSecure, signInTimes.sessionMs));
  } catch (error) {
    const level = error instanceof ApiError ? "debug" : "warn";
    log[level]({ err: error, requestId: exchange.requestId }, "sign-in by the identity provider failed");
    redirect(exchange, failed(client));
  }
}

const homeOf = ({ baseUrl }: Client) => `${baseUrl}/app/`;
/** The sign-in page, which says that it failed. */
const failed = (client: Client) => `${homeOf(client)}?sign_in=failed`;

/** The sign-in that this browser began, once. @throws {ApiError} forbidden */
async function attemptOf(
  { request }: Exchange,
  { isSecure }: Client,
  { db, clock }: OidcDeps,
): Promise<OidcAttempt> {
  const handle = attemptHandleOf(request, isSecure);
  const attempt = handle === null ? null : await takeOidcAttempt(db, hashSecret(handle), clock.now());
  if (attempt === null)
    throw new ApiError("forbidden", { detail: "No sign-in of this browser waits for it" });
  return attempt;
}

async function identityOf(
  { search }: Exchange,
  baseUrl: string,
  attempt: OidcAttempt,
  configuration: Configuration,
): Promise<Identity> {
  const oidc = await library();
  const tokens = await oidc.authorizationCodeGrant(
    configuration,
    new URL(`${baseUrl}${callback}?${search}`),
    {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    },
  );
  const claims = tokens.claims();
  if (claims === undefined) throw new ApiError("forbidden", { detail: "The provider sent no identity" });
  const { email, email_verified, name } = claims;
  return {
    email: typeof email === "string" ? email : "",
    isVerified: email_verified === true,
    name: typeof name === "string" ? name : null,
  };
}

/** Reads the provider's addresses at the first sign-in, so that a provider that is down does not keep the service down. */
function discovered({ issuer, clientId, clientSecret }: OidcProvider): () => Promise<Configuration> {
  let known: Promise<Configuration> | null = null;
  const server = new URL(issuer);
  const discover = async () => {
    const { allowInsecureRequests, discovery } = await library();
    // http is only allowed on this machine: see config.ts.
    const execute = server.protocol === "http:" ? [allowInsecureRequests] : [];
    const options = { execute, timeout: providerTimeoutSeconds };
    return discovery(server, clientId, clientSecret ?? undefined, undefined, options);
  };
  return () => {
    const asked = known ?? discover();
    known = asked;
    asked.catch(() => {
      known = null;
    });
    return asked;
  };
}

function redirect({ response, headers }: Exchange, location: string, cookie?: string): void {
  response
    .writeHead(302, {
      ...headers,
      Location: location,
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      ...(cookie === undefined ? {} : { "Set-Cookie": cookie }),
    })
    .end();
}
