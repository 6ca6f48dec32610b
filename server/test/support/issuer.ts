import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";

/** What the next person who signs in at the provider is. */
export interface Claims {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  /** Instead of the nonce that was asked for. */
  readonly nonce?: string;
}

/** An OpenID provider with the authorization code flow, that signs everybody in without asking. */
export interface Issuer extends AsyncDisposable {
  readonly url: string;
  claims: Claims;
  /** Answers nothing but 503. */
  isDown: boolean;
}

interface Grant {
  readonly nonce: string;
  readonly challenge: string;
  readonly redirectUri: string;
}

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

export async function startIssuer(clientId: string): Promise<Issuer> {
  const grants = new Map<string, Grant>();
  const server = createServer(async (request, response) => {
    const at = new URL(request.url ?? "", issuer.url);
    const json = (value: object) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (issuer.isDown) response.writeHead(503).end();
    else if (at.pathname === "/.well-known/openid-configuration") json(metadata(issuer.url));
    else if (at.pathname === "/jwks")
      json({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] });
    else if (at.pathname === "/authorize") {
      const asked = (name: string) => at.searchParams.get(name) ?? "";
      const code = randomUUID();
      const redirectUri = asked("redirect_uri");
      grants.set(code, { nonce: asked("nonce"), challenge: asked("code_challenge"), redirectUri });
      const back = new URLSearchParams({ code, state: asked("state"), iss: issuer.url });
      response.writeHead(302, { location: `${redirectUri}?${back}` }).end();
    } else if (at.pathname === "/token") {
      const form = new URLSearchParams(await bodyOf(request));
      const grant = grants.get(form.get("code") ?? "");
      grants.delete(form.get("code") ?? "");
      const proof = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      if (grant === undefined || grant.challenge !== proof || grant.redirectUri !== form.get("redirect_uri"))
        response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_grant"}');
      else
        json({
          access_token: randomUUID(),
          token_type: "Bearer",
          id_token: idToken(issuer, clientId, grant.nonce),
        });
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const issuer: Issuer = {
    url: `http://127.0.0.1:${port}`,
    claims: {},
    isDown: false,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return issuer;
}

const metadata = (url: string) => ({
  issuer: url,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  jwks_uri: `${url}/jwks`,
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
});

function idToken({ url, claims }: Issuer, clientId: string, nonce: string): string {
  const now = Math.floor(Date.now() / 1_000);
  const payload = { iss: url, sub: "person-1", aud: clientId, iat: now, exp: now + 60, nonce, ...claims };
  const text = `${base64url({ alg: "RS256", kid: "1" })}.${base64url(payload)}`;
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), privateKey).toString("base64url")}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
