import { filterOfSubscription } from "@tapewire/contract/filter.ts";
import type { Caller } from "../account/auth.ts";
import { asksForScores, matches } from "../feed/filter.ts";
import type { Filter } from "../feed/item.ts";
import { hasBit } from "../feed/members.ts";
import type { SubscriptionIndex } from "../feed/subscription-index.ts";
import type { SubscribeRequest } from "./client-frames.ts";
import { type EncodedItem, parseCursor } from "./encoded-item.ts";

/** One for all: an empty list of its own would be fetched from memory for every connection that is pumped. */
export const noPage: readonly EncodedItem[] = [];

/** Where the log stands for a process. */
export interface LogPlace {
  readonly epoch: string;
  readonly head: number;
}

/** Where a subscription resumes; seq null: it begins at the tip, because of `reason` when a cursor was given. */
export interface ResumePoint {
  readonly seq: number | null;
  readonly reason: "cursor_unknown" | null;
}

/** What a client is to get, and how far it is. */
export class Subscription {
  readonly filter: Filter;
  /** Of the subscription index. */
  readonly slot: number;
  /** Entries up to here were matched before the slot was this filter's. */
  readonly #matchedFrom: number;
  /** The filter asks for scores that the plan withholds: to this caller they are null, and null never matches. */
  readonly blind: boolean;
  readonly resume: ResumePoint;
  /** The newest entry when it began. */
  readonly tip: number;
  /** Everything up to here was looked at. */
  position: number;
  /** A snapshot, a page of the log or a block of the quota is on its way; delivery waits for it. */
  waiting = false;
  /** Entries of the table that lie before those in memory. */
  page = noPage;

  constructor(request: SubscribeRequest, caller: Caller, log: LogPlace, index: SubscriptionIndex) {
    this.filter = filterOfSubscription(request.filters);
    this.blind = asksForScores(this.filter) && !caller.plan.scores_visible;
    this.slot = index.add(this.filter);
    this.tip = log.head;
    this.#matchedFrom = log.head;
    this.resume = resumePoint(request.after, log);
    this.position = this.resume.seq ?? log.head;
  }

  passes(entry: EncodedItem): boolean {
    if (this.blind) return false;
    if (entry.matches !== null && entry.seq > this.#matchedFrom) return hasBit(entry.matches, this.slot);
    return matches(entry.item.item, this.filter);
  }
}

/** Whether a request resumes behind what this process has read: the client may have been further on another one. */
export function isAhead({ after }: SubscribeRequest, { epoch, head }: LogPlace): boolean {
  const cursor = after === null ? null : parseCursor(after);
  return cursor !== null && cursor.epoch === epoch && cursor.seq > head;
}

function resumePoint(after: string | null, { epoch, head }: LogPlace): ResumePoint {
  if (after === null) return { seq: null, reason: null };
  const cursor = parseCursor(after);
  const known = cursor !== null && cursor.epoch === epoch && cursor.seq <= head;
  return known ? { seq: cursor.seq, reason: null } : { seq: null, reason: "cursor_unknown" };
}
