import { createHash } from "node:crypto";
import type { FeedItem, ItemDetail } from "@tapewire/contract/feeds.ts";
import type { Filter } from "@tapewire/contract/filter.ts";
import type { Recalled, StoryFacts, VerdictAlone } from "./story/story.ts";

/** An item that is scored and ready for the log, which gives it its seq. */
export interface NewItem {
  readonly item: Omit<FeedItem, "seq">;
  readonly detail: ItemDetail;
  /** The text that was scored, beyond the title. */
  readonly body: string;
  /** Every form of its identity, unique_id first. */
  readonly identity: readonly [string, ...string[]];
  /** Identities of other sources that it claims: they name the item only if its own source had an item under them. */
  readonly claims: readonly string[];
  /** Digest of what its source says of it: a different one under a known identity is a revision. */
  readonly contentKey: string;
  /** null: it is compared with no other item; filings, for example, are told apart by their accession. */
  readonly story: StoryFacts | null;
  /** What the feed had carried about its story when it was judged. */
  readonly recalled: Recalled;
  /** null: it was not judged as a repeat, or not judged at all. */
  readonly alone: VerdictAlone | null;
  /** null: it is no amendment, or too little is known of it to tell its original. */
  readonly original: OriginalSought | null;
  /** Documents to be read for it once it is stored. */
  readonly pending: PendingDocument | null;
  /** It brings the documents of a stored item, so it is a revision whatever its content key. */
  readonly completes: boolean;
}

/** What tells the original of an amendment from the other filings about its issuer. */
export interface OriginalSought {
  /** The forms under which it may have been filed. */
  readonly forms: readonly string[];
  /** CIKs, one of which must have filed the original too; empty: the issuer files it. */
  readonly senders: readonly string[];
  /** YYYY-MM-DD on which the original was filed; null: not stated. */
  readonly filed: string | null;
  /** Whether the original must be of the amendment's period. */
  readonly ofPeriod: boolean;
}

type Parties = NonNullable<FeedItem["filing"]>["parties"];

/** Roles of those who file about another company, as the live list of EDGAR names them. */
export const senderRoles: ReadonlySet<string | null> = new Set(["Filed by", "Reporting"]);

/** CIKs of those who file about another company. */
export function sendersOf(parties: readonly Pick<Parties[number], "cik" | "role">[]): string[] {
  return [...new Set(parties.filter(({ role }) => senderRoles.has(role)).map(({ cik }) => cik))];
}

/** A stored item whose documents are still to be read. */
export interface PendingDocument {
  /** 2 is read before 1, 1 before 0. */
  readonly class: 0 | 1 | 2;
  /** The item as its source listed it, as JSON. */
  readonly raw: unknown;
}

/** An item of the log: parsed, and as the JSON in which it is stored and sent. */
export interface LogItem {
  readonly seq: number;
  readonly item: FeedItem;
  readonly doc: string;
}

/** Namespace of item ids; fixed by the interface, since ids must be equal in every deployment. */
const itemNamespace = Buffer.from("7b0cf0c6f1c54c4b9a5d2f6d4e1b8a30", "hex");

/** UUIDv5 (RFC 9562 5.5) of a unique_id in Tapewire's namespace. */
export function itemIdOf(uniqueId: string): string {
  const hash = createHash("sha1").update(itemNamespace).update(uniqueId).digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** The order of GET /v1/feeds: newest first, ids descending within one instant. */
export function newestFirst(a: Listed, b: Listed): number {
  if (a.published_at !== b.published_at) return a.published_at < b.published_at ? 1 : -1;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}
type Listed = Pick<FeedItem, "published_at" | "id">;

export type { FeedItem, Filter };
