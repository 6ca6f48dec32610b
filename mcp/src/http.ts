import { type AuthInfo, createMcpHandler } from "@modelcontextprotocol/server";
import { Tapewire } from "tapewire";
import { type Bucket, bucketOf, isListen, resourcesOf } from "./rate-limit-bucket.ts";
import { tapewireServer } from "./server.ts";
import type { Room } from "./types.ts";

/** A message, and how it reaches the service for the account that sent it. */
export interface Call extends Pick<Room, "now" | "onBug"> {
  /** Sends requests for the account. */
  readonly fetch: typeof fetch;
  /** The parsed body. */
  readonly message: unknown;
}

/** Answers messages of both protocol versions. Nothing is kept between them but open subscriptions. */
export interface HttpService {
  /** The rate limit that a message counts against. */
  bucketOf(message: unknown): Bucket;
  /** Whether the response stays open. */
  isListen(message: unknown): boolean;
  /** How many resources such a message names. */
  resourcesOf(message: unknown): number;
  serve(request: Request, call: Call): Promise<Response>;
  /** Tells the subscribers of a resource that it has changed. */
  changed(uri: string): void;
  close(): Promise<void>;
}

/** The client library wants an address. `fetch` decides where requests go. */
const baseUrl = "http://localhost";

export function httpService(version: string, onError: (error: Error) => void): HttpService {
  /** The package hands on what it is given about the caller as it is. */
  const rooms = new WeakMap<AuthInfo, Room>();
  const handler = createMcpHandler(
    ({ authInfo, era }) => {
      const room = authInfo === undefined ? undefined : rooms.get(authInfo);
      if (room === undefined) throw new Error("a request without its caller");
      // Older clients would subscribe in a session, and there are none.
      return tapewireServer({ ...room, tellsUpdates: era === "modern" }, version);
    },
    { legacy: "stateless", onerror: onError },
  );
  return {
    bucketOf,
    isListen,
    resourcesOf,
    serve: (request, { fetch, message, now, onBug }) => {
      // The key is checked already, and refusals are answered at once: the caller waits.
      const tapewire = new Tapewire({ baseUrl, key: "", fetch, maxRetries: 0 });
      const authInfo: AuthInfo = { token: "", clientId: "", scopes: [] };
      rooms.set(authInfo, { tapewire, now, onBug, streamBy: "sse" });
      return handler.fetch(request, { authInfo, parsedBody: message });
    },
    changed: (uri) => handler.notify.resourceUpdated(uri),
    close: () => handler.close(),
  };
}
