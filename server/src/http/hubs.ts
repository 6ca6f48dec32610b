import type { Context, Hono } from "hono";

/** What hubs may tell (see ingest/hubs.ts). */
export interface HubCalls {
  readonly path: string;
  readonly confirm: (token: string, query: URLSearchParams) => Promise<string | null>;
  readonly ping: (token: string, signature: string | undefined, body: Uint8Array) => Promise<boolean>;
}

/** A ping may carry the feed itself, which is not read, only checked. */
const mostBytes = 2 * 1024 * 1024;

/** The address that hubs call back (WebSub): not part of the API, and of no use without the token. */
export function mountHubs(app: Hono, { path, confirm, ping }: HubCalls): void {
  app.get(`${path}/:token`, async (context) => {
    const token = tokenOf(context);
    const query = new URL(context.req.url).searchParams;
    const challenge = token === null ? null : await confirm(token, query);
    return challenge === null ? context.notFound() : context.text(challenge);
  });
  app.post(`${path}/:token`, async (context) => {
    const token = tokenOf(context);
    const body = token === null ? null : await readCapped(context.req.raw);
    const signature = context.req.header("x-hub-signature");
    // Said to succeed either way, as the recommendation asks: a forger learns nothing.
    if (token !== null && body !== null) await ping(token, signature, body);
    return context.body(null, 204);
  });
}

/** null for what is none of ours: nothing is looked up or read for it. */
function tokenOf(context: Context): string | null {
  const token = context.req.param("token") ?? "";
  return /^[0-9a-f]{32}$/.test(token) ? token : null;
}

async function readCapped(request: Request): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
