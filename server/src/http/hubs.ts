import type { Hono } from "hono";

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
    const challenge = await confirm(context.req.param("token"), new URL(context.req.url).searchParams);
    return challenge === null ? context.notFound() : context.text(challenge);
  });
  app.post(`${path}/:token`, async (context) => {
    const body = await readCapped(context.req.raw);
    const signature = context.req.header("x-hub-signature");
    // Said to succeed either way, as the recommendation asks: a forger learns nothing.
    if (body !== null) await ping(context.req.param("token"), signature, body);
    return context.body(null, 204);
  });
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
