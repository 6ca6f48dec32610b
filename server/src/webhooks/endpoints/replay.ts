import type { EndpointRow } from "../../store/webhooks/delivering-endpoints.ts";

/** A range of the log that is sent once more, one delivery at a time. */
export class Replay {
  readonly to: number;
  #seq: number;
  #isUnderWay = false;

  constructor({ seq, to }: { readonly seq: number; readonly to: number }) {
    this.#seq = seq;
    this.to = to;
  }

  static of({ replaySeq: seq, replayTo: to }: EndpointRow): Replay | null {
    return seq === null || to === null ? null : new Replay({ seq, to });
  }

  /** Up to here it is done. */
  get seq(): number {
    return this.#seq;
  }

  get isDone(): boolean {
    return this.#seq >= this.to;
  }

  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Nothing up to here passes the filter. */
  skipTo(seq: number): void {
    this.#seq = seq;
  }

  begin(): void {
    this.#isUnderWay = true;
  }

  /** @param seq what was sent; null: it was not, and is the next again */
  end(seq: number | null): void {
    this.#seq = seq ?? this.#seq;
    this.#isUnderWay = false;
  }
}
