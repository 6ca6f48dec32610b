import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { HttpService } from "@tapewire/mcp/http.ts";
import { keyOfRequest } from "../../account/keys/presented-key.ts";
import { takeRequest } from "../../account/requests-per-minute.ts";
import type { ItemTail } from "../../itemlog/tail.ts";
import type { Clock } from "../../runtime/clock.ts";
import { version } from "../../runtime/version.ts";
import { counted, type Gate } from "../admission.ts";
import { checkReady } from "../readiness.ts";
import { checkHost, checkOrigin } from "../sessions/same-origin.ts";
import { type Router, readJson } from "../wire/wire.ts";
import { type InnerDeps, innerFetch } from "./inner-fetch.ts";
import { checkResources, Subscriptions } from "./subscriptions.ts";
import { sendResponse, webRequest } from "./web-messages.ts";

export type { InnerEvents } from "./inner-fetch.ts";

export interface McpDeps extends Gate, InnerDeps {
  readonly clock: Clock;
  readonly tail: ItemTail;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

/**
 * POST /mcp: the Model Context Protocol, opened by API keys as /v1 is. A message takes one request of the limit of reference
 * reads and, if it reads what the plan limits, one of the plan's; it is counted once, whatever it reads.
 */
export function mountMcp(router: Router, deps: McpDeps): void {
  const { auth, entrance, log, clock } = deps;
  const service = loader(deps);
  const onBug = (error: unknown) => log.error({ err: error }, "a tool failed");
  router.add("POST", "/mcp", async (exchange) => {
    const { request, headers } = exchange;
    checkReady(deps);
    headers["Cache-Control"] = "no-store";
    checkHost(request, entrance);
    checkOrigin(request, entrance);
    const key = keyOfRequest(request);
    const caller = await auth.admit(key, request);
    await counted(deps, caller, async () => {
      // Before the body is read. Which limit a message counts against, only the message tells.
      await takeRequest(auth.rates, { caller, bucket: "reference" }, headers);
      const message = await readJson(exchange);
      // Else one request could be a thousand calls. The protocol has no batches since its revision of 2025-06-18.
      if (Array.isArray(message))
        throw new ApiError("invalid_body", { detail: "Send one message, not a batch" });
      const { bucketOf, isListen, resourcesOf, serve, subscriptions } = await service();
      if (bucketOf(message) === "minute")
        await takeRequest(auth.rates, { caller, bucket: "minute" }, headers);
      if (isListen(message)) {
        checkResources(resourcesOf(message));
        subscriptions.enter({ caller, key }, exchange.response);
      }
      const fetch = innerFetch(deps, { caller, key });
      const answer = await serve(webRequest(exchange), { fetch, message, now: () => clock.now(), onBug });
      await sendResponse(exchange, answer, isListen(message));
    });
  });
}

type Loaded = HttpService & { readonly subscriptions: Subscriptions };

/** Loads the protocol's package with the first message: most services never get one. */
function loader({ log, stopping, auth, tail }: McpDeps): () => Promise<Loaded> {
  let loading: Promise<Loaded> | null = null;
  const load = async () => {
    const { httpService } = await import("@tapewire/mcp/http.ts");
    // What the package reports are requests that it refuses, and clients that went.
    const service = httpService(version, (error) => log.debug({ err: error }, "mcp"));
    const subscriptions = new Subscriptions({ auth, tail }, (uri) => service.changed(uri));
    const close = () => {
      subscriptions[Symbol.dispose]();
      void service.close();
    };
    if (stopping.aborted) close();
    else stopping.addEventListener("abort", close, { once: true });
    return { ...service, subscriptions };
  };
  return () => {
    loading ??= load();
    return loading;
  };
}
