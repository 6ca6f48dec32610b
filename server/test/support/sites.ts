import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { Fetcher, type FetcherOptions } from "../../src/ingest/fetch/fetcher.ts";
import { FetchError, type Validators } from "../../src/ingest/fetch/types.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { LocalHostGates } from "./host-gates.ts";

interface Site extends AsyncDisposable {
  readonly url: string;
  readonly requests: IncomingMessage[];
}

export async function site(answer: RequestListener): Promise<Site> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const userAgent = "Tapewire/test (desk@example.com)";
export const newFetcher = (options: Partial<FetcherOptions> = {}) =>
  new Fetcher({ clock: systemClock, userAgent, gates: new LocalHostGates(), ...options });

interface Options {
  conditional?: boolean;
  validators?: Validators | null;
  requestsPerS?: number;
  signal?: AbortSignal;
}

export function get(fetcher: Fetcher, url: string, options: Options = {}) {
  const {
    conditional = true,
    validators = null,
    requestsPerS = 1_000,
    signal = new AbortController().signal,
  } = options;
  return fetcher.fetch(
    { url, accept: "text/xml", conditional, trusted: true },
    { validators, asker: { url, hosts: [], requests_per_s: requestsPerS }, signal },
  );
}

export async function failure(promise: Promise<unknown>): Promise<FetchError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof FetchError, String(error));
  return error;
}
