import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { isLoopback } from "../config/config.ts";
import type { SourceConfig } from "../config/sources.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { LookUp } from "../runtime/sharing/attempt-limit.ts";
import type { Db } from "../store/engine/db.ts";
import {
  type HubSubscription,
  hubSubscription,
  hubSubscriptionOf,
  saveConfirmed,
  savePinged,
  saveRequested,
} from "../store/intake/hub-subscriptions.ts";
import type { Fetcher } from "./fetch/fetcher.ts";

/** The path that hubs call. */
export const hubPath = "/hubs";

const leaseS = 7 * 86_400;
const longestLeaseS = 14 * 86_400;
/** A subscription is renewed this long before its end. */
const renewBeforeMs = 86_400_000;
/** Clocks of processes and the database differ by less. */
const clocksDifferMs = 60_000;
/** Pause before a hub that did not confirm is asked again. */
const retryMs = 6 * 3_600_000;
/** Between two requests to a hub whose lease is short, or ends without its answer. */
const leastPauseMs = 60_000;

export interface HubsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Public address of this service; null, or one that only this machine reaches: no hub is asked. */
  readonly publicUrl: string | null;
  readonly fetcher: Pick<Fetcher, "post">;
}

/**
 * Subscriptions to the hubs that feeds name (WebSub). A ping only makes the source due: its content is not read, so a hub
 * that lies, repeats or falls silent costs a poll or nothing.
 * Source: W3C Recommendation WebSub, 23 January 2018.
 */
export class Hubs {
  readonly #deps: HubsDeps;

  constructor(deps: HubsDeps) {
    this.#deps = deps;
  }

  /** Subscribes to the hub, and renews in time. The failure of a hub is logged, and polling goes on. */
  async follow(
    { id }: SourceConfig,
    { url, topic }: { url: string; topic: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { db, publicUrl, fetcher, log } = this.#deps;
    if (publicUrl === null || isLoopback(new URL(publicUrl).hostname)) return;
    const known = await hubSubscription(db.main, id);
    const isSame = known !== null && known.hub === url && known.topic === topic;
    if (isSame && !this.#isDue(known)) return;
    // Until the hub confirms a renewal it keeps calling under the old token.
    const token = isSame ? known.token : randomBytes(16).toString("hex");
    const secret = isSame ? known.secret : randomBytes(32).toString("hex");
    await saveRequested(db.main, { source_id: id, hub: url, topic, token, secret });
    const form = new URLSearchParams({
      "hub.mode": "subscribe",
      "hub.topic": topic,
      "hub.callback": `${publicUrl.replace(/\/+$/, "")}${hubPath}/${token}`,
      "hub.secret": secret,
      "hub.lease_seconds": String(leaseS),
    });
    try {
      await fetcher.post(url, form, signal);
    } catch (error) {
      log.warn(
        { source: id, hub: url, reason: error instanceof Error ? error.message : String(error) },
        "hub not reached",
      );
    }
  }

  #isDue({ asked_at, confirmed_until }: HubSubscription): boolean {
    const nowMs = this.#deps.clock.now().getTime();
    const sinceRequestMs = nowMs - asked_at.getTime();
    // Asked in the future, or confirmed for longer than any hub is believed: the clock was put back since.
    if (sinceRequestMs < -clocksDifferMs || isTooLong(confirmed_until, nowMs)) return true;
    if (confirmed_until === null) return sinceRequestMs >= retryMs;
    // A short lease is renewed halfway.
    const leaseMs = confirmed_until.getTime() - asked_at.getTime();
    // It had ended when the hub was asked last.
    if (leaseMs <= 0) return sinceRequestMs >= retryMs;
    const isEnding = confirmed_until.getTime() - nowMs < renewBeforeMs;
    return isEnding && sinceRequestMs >= Math.max(leastPauseMs, Math.min(retryMs, leaseMs / 2));
  }

  /**
   * A hub verifies the intent of our request.
   * @returns the challenge to answer with; null when we made no such request
   */
  async confirm(token: string, query: URLSearchParams, lookUp: LookUp): Promise<string | null> {
    const { db } = this.#deps;
    const known = await lookUp(() => hubSubscriptionOf(db.main, token));
    const challenge = query.get("hub.challenge");
    const meant =
      known !== null && query.get("hub.mode") === "subscribe" && query.get("hub.topic") === known.topic;
    if (!meant || challenge === null) return null;
    const given = Number(query.get("hub.lease_seconds") || leaseS);
    await saveConfirmed(
      db.main,
      token,
      Math.min(longestLeaseS, Math.max(60, Number.isFinite(given) ? given : leaseS)),
    );
    return challenge;
  }

  /**
   * A hub announces news.
   * @param signature its X-Hub-Signature
   * @param readBody null: it is too large; not called for an unknown token, whose senders could otherwise fill the memory
   * @returns false when it is not from the hub
   */
  async ping(
    token: string,
    signature: string | undefined,
    readBody: () => Promise<Uint8Array | null>,
    lookUp: LookUp,
  ): Promise<boolean> {
    const known = await lookUp(() => hubSubscriptionOf(this.#deps.db.main, token));
    const body = known === null ? null : await readBody();
    if (known === null || body === null || !isSigned(known.secret, signature, body)) return false;
    await savePinged(this.#deps.db.main, token);
    return true;
  }
}

function isTooLong(confirmedUntil: Date | null, nowMs: number): boolean {
  return (confirmedUntil?.getTime() ?? 0) - nowMs > longestLeaseS * 1_000 + clocksDifferMs;
}

function isSigned(secret: string, signature: string | undefined, body: Uint8Array): boolean {
  const [, method, given] = /^(sha(?:1|256|384|512))=([0-9a-f]{40,128})$/.exec(signature ?? "") ?? [];
  if (method === undefined || given === undefined) return false;
  const wanted = createHmac(method, secret).update(body).digest();
  const received = Buffer.from(given, "hex");
  return received.length === wanted.length && timingSafeEqual(received, wanted);
}
