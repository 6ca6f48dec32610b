import { randomUUID } from "node:crypto";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import { CallError, type CallEvents, type CallFailure, type Calls } from "./calls.ts";
import type { Seal } from "./nats-messages.ts";

/** Questions that may wait for answers, and their bytes: what the client keeps for a server that takes nothing. */
const mostWaiting = 400;
const mostWaitingBytes = 8 * 2 ** 20;

/** A question from its sending to its one end: the answer, or the failure that comes first. */
interface Waiting {
  readonly to: string;
  readonly bytes: number;
  end(outcome: Buffer | CallFailure): void;
}

const noResponders = 503;

/**
 * Questions and answers over core subjects of NATS, on the connection of the bus:
 *
 *   tapewire.<installation>.calls.told             to all
 *   tapewire.<installation>.calls.ask.<process>    to one
 *   tapewire.<installation>.calls.answer.<process>.<question>
 *
 * A process is asked by its name and not by a queue group: in a group the server picks who gets a question, and goes on
 * picking one that has stopped working, which the asker then cannot avoid. The server itself says when nobody listens.
 */
export class NatsCalls implements Calls {
  readonly id = randomUUID();
  readonly #seal: Seal;
  readonly #base: string;
  #events: CallEvents | null = null;
  /** null: there is none. */
  #connection: NatsConnection | null = null;
  readonly #waiting = new Map<string, Waiting>();
  #waitingBytes = 0;
  #asked = 0;

  constructor(seal: Seal) {
    this.#seal = seal;
    this.#base = `tapewire.${seal.installation}.calls`;
  }

  attach(events: CallEvents): void {
    this.#events = events;
    if (this.#connection === null) return;
    this.#subscribe(this.#connection, events);
    events.begun();
  }

  /** The bus has opened a connection. */
  open(connection: NatsConnection): void {
    this.#connection = connection;
    if (this.#events === null) return;
    this.#subscribe(connection, this.#events);
    this.#events.begun();
  }

  /** It has ended, and with it all that was asked over it. */
  shut(): void {
    this.#connection = null;
    for (const waiting of [...this.#waiting.values()]) waiting.end("away");
    this.#events?.ended();
  }

  tell(body: Buffer): void {
    this.#send(`${this.#base}.told`, body);
  }

  async ask(to: string, body: Buffer, deadlineMs: number): Promise<Buffer> {
    const refusal = this.#refusal(body);
    if (refusal !== null) throw new CallError(refusal);
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    this.#asked += 1;
    const reply = `${this.#base}.answer.${this.id}.${this.#asked}`;
    const late = setTimeout(() => waiting.end("late"), deadlineMs);
    const waiting: Waiting = {
      ...{ to, bytes: body.length },
      end: (outcome) => {
        if (!this.#waiting.delete(reply)) return;
        clearTimeout(late);
        this.#waitingBytes -= body.length;
        if (typeof outcome === "string") reject(new CallError(outcome));
        else resolve(outcome);
      },
    };
    this.#waiting.set(reply, waiting);
    this.#waitingBytes += body.length;
    if (!this.#send(`${this.#base}.ask.${to}`, body, reply)) waiting.end("away");
    return promise;
  }

  #refusal(body: Buffer): CallFailure | null {
    if (this.#connection === null) return "away";
    if (!this.#carries(body)) return "large";
    const isFull = this.#waiting.size >= mostWaiting || this.#waitingBytes + body.length > mostWaitingBytes;
    return isFull ? "full" : null;
  }

  #carries(body: Buffer): boolean {
    const room = this.#connection?.info?.max_payload ?? 0;
    return this.#seal.sealedBytes(body) <= room;
  }

  #subscribe(connection: NatsConnection, events: CallEvents): void {
    // An error of a subscription ends the connection, which the bus notices.
    const hear = (subject: string, heard: (message: Msg, body: Buffer) => void) =>
      connection.subscribe(subject, {
        callback: (error, message) => {
          if (error !== null || this.#isNobody(message)) return;
          const body = this.#seal.open(message.subject, message.data);
          if (body !== null) heard(message, body);
        },
      });
    hear(`${this.#base}.told`, (_, body) => events.told(body));
    hear(`${this.#base}.ask.${this.id}`, ({ reply }, body) => this.#hearQuestion(events, reply, body));
    hear(`${this.#base}.answer.${this.id}.*`, ({ subject }, body) => this.#waiting.get(subject)?.end(body));
  }

  #hearQuestion(events: CallEvents, reply: string | undefined, body: Buffer): void {
    // What asks is of the installation; still, answers go nowhere but to questions.
    if (reply?.startsWith(`${this.#base}.answer.`) !== true) return;
    const connection = this.#connection;
    events.asked(body, (answer) => connection === this.#connection && this.#send(reply, answer));
  }

  /** Nobody hears the process that was asked: its other questions will have no answer either. */
  #isNobody({ subject, data, headers }: Msg): boolean {
    if (data.length > 0 || headers?.code !== noResponders) return false;
    const to = this.#waiting.get(subject)?.to;
    for (const waiting of [...this.#waiting.values()]) if (waiting.to === to) waiting.end("gone");
    return true;
  }

  #send(subject: string, body: Buffer, reply?: string): boolean {
    if (this.#connection === null || !this.#carries(body)) return false;
    try {
      const message = this.#seal.close(subject, body);
      this.#connection.publish(subject, message, reply === undefined ? {} : { reply });
      return true;
    } catch {
      // It has just ended.
      return false;
    }
  }
}
