import type { NatsConnection } from "@nats-io/transport-node";
import type { LogPosition } from "../store/log/log-position.ts";
import { type Encoded, encodeChange, encodeEntries, encodePosition, type Seal } from "./nats-messages.ts";
import type { BusCounts, Change, Committed } from "./types.ts";

/**
 * shut: there is no connection. idle: the server has confirmed all that was sent. confirming: it has yet to. full: too much
 * is unconfirmed, and nothing more is sent until it is.
 */
export type OutboxState = "shut" | "idle" | "confirming" | "full";
type OutboxEvent = "opened" | "sent" | "filled" | "confirmed" | "lost";

/** All moves; an event that a state does not list changes nothing. */
export const outboxMoves: Readonly<Record<OutboxState, Partial<Record<OutboxEvent, OutboxState>>>> = {
  shut: { opened: "idle" },
  idle: { sent: "confirming", lost: "shut" },
  confirming: { filled: "full", confirmed: "idle", lost: "shut" },
  full: { confirmed: "idle", lost: "shut" },
};

const mostUnconfirmedBytes = 8 * 2 ** 20;

/** A connection, and the subject below which messages of the followed log are sent. */
interface Way {
  readonly connection: NatsConnection;
  readonly base: string;
}

/**
 * Sends messages, and bounds how much waits in the process for a server that takes nothing. What it cannot send it owes:
 * the newest position and the changes, which are sent as soon as that is possible. Readers find the entries in the table.
 */
export class Outbox {
  readonly #seal: Seal;
  readonly #counts: BusCounts;
  #state: OutboxState = "shut";
  #way: Way | null = null;
  #unconfirmedBytes = 0;
  #owedPosition: LogPosition | null = null;
  readonly #owedChanges = new Set<Change>();

  constructor({ seal, counts }: { seal: Seal; counts: BusCounts }) {
    this.#seal = seal;
    this.#counts = counts;
  }

  open(way: Way): void {
    this.#way = way;
    this.#unconfirmedBytes = 0;
    this.#move("opened");
    this.#sendOwed();
  }

  shut(): void {
    this.#way = null;
    this.#move("lost");
  }

  entries(committed: Committed): void {
    const last = committed.items.at(-1);
    const way = this.#open;
    if (last === undefined) return;
    const position = { epoch: committed.epoch, seq: last.seq };
    if (way === null) {
      this.#owedPosition = position;
      return;
    }
    const maxPayload = way.connection.info?.max_payload ?? 0;
    if (!this.#send(way, encodeEntries(committed, maxPayload))) this.#owedPosition = position;
  }

  changed(change: Change): void {
    const way = this.#open;
    if (way === null || !this.#send(way, [encodeChange(change)])) this.#owedChanges.add(change);
  }

  /** Where to send to; null: nothing can be sent at present. */
  get #open(): Way | null {
    return this.#state === "full" ? null : this.#way;
  }

  #sendOwed(): void {
    const way = this.#open;
    if (way === null) return;
    const position = this.#owedPosition;
    const owed = [...this.#owedChanges].map(encodeChange);
    if (position !== null) owed.push(encodePosition(position.epoch, position.seq));
    if (owed.length === 0 || !this.#send(way, owed)) return;
    this.#owedPosition = null;
    this.#owedChanges.clear();
  }

  /** @returns false when they could not be sent: the connection has just ended */
  #send({ connection, base }: Way, messages: readonly Encoded[]): boolean {
    try {
      for (const { kind, body } of messages) {
        const subject = `${base}.${kind}`;
        const message = this.#seal.close(subject, body);
        connection.publish(subject, message);
        this.#unconfirmedBytes += message.length;
        this.#counts.sent[kind] += 1;
      }
    } catch {
      this.#counts.lost += 1;
      return false;
    }
    this.#confirm();
    return true;
  }

  /** Asks the server to confirm what was sent, one question at a time. */
  #confirm(): void {
    if (this.#state === "idle") {
      this.#move("sent");
      this.#ask();
    }
    if (this.#unconfirmedBytes > mostUnconfirmedBytes) this.#move("filled");
  }

  #ask(): void {
    const way = this.#way;
    if (way === null) return;
    const asked = this.#unconfirmedBytes;
    way.connection.flush().then(
      () => {
        // Another connection has taken its place.
        if (this.#way !== way) return;
        this.#unconfirmedBytes -= asked;
        this.#move("confirmed");
        this.#sendOwed();
        if (this.#state === "idle" && this.#unconfirmedBytes > 0) this.#confirm();
      },
      // The end of the connection shuts the outbox.
      () => {},
    );
  }

  #move(event: OutboxEvent): void {
    this.#state = outboxMoves[this.#state][event] ?? this.#state;
  }
}
