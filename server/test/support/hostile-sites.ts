import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import { sourceConfig } from "../../src/config/sources.ts";
import { Fetcher, type FetchLimits } from "../../src/ingest/fetch/fetcher.ts";
import { FetchError } from "../../src/ingest/fetch/types.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { LocalHostGates } from "./host-gates.ts";

export const source = sourceConfig.parse({
  name: "hostile",
  id: "hostile",
  provider: "hostile",
  format: "feed",
  url: "https://feeds.example/feed.xml",
});

interface Site extends AsyncDisposable {
  readonly url: string;
}

export async function site(answer: RequestListener): Promise<Site> {
  const server = createServer({ maxHeaderSize: 1 << 20 }, answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What speaks as it likes once it was asked. */
export async function rawSite(speak: (socket: Socket) => void): Promise<Site> {
  const open = new Set<Socket>();
  const server = createTcpServer((socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => speak(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const newFetcher = (limits: Partial<FetchLimits> = {}) =>
  new Fetcher({ clock: systemClock, userAgent: "Tapewire/test", gates: new LocalHostGates(), limits });

export function get(fetcher: Fetcher, url: string, signal = new AbortController().signal) {
  const request = { url, accept: "*/*", conditional: false, trusted: true };
  return fetcher.fetch(request, {
    validators: null,
    asker: { url, hosts: [], requests_per_s: 1_000 },
    signal,
  });
}

/** The failure of a fetch; meanwhile one from another host has to succeed. */
export async function failureAt({ url }: Site, limits: Partial<FetchLimits> = {}): Promise<FetchError> {
  await using good = await site((_, response) => response.end("<rss/>"));
  await using fetcher = newFetcher(limits);
  const [failed, other] = await Promise.allSettled([get(fetcher, url), get(fetcher, good.url)]);
  assert.equal(other.status, "fulfilled");
  assert.ok(failed.status === "rejected" && failed.reason instanceof FetchError, JSON.stringify(failed));
  return failed.reason;
}

export async function failure(
  answer: RequestListener,
  limits: Partial<FetchLimits> = {},
): Promise<FetchError> {
  await using bad = await site(answer);
  return await failureAt(bad, limits);
}
