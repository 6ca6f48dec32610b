import type { EndpointRow } from "../../store/webhooks/delivering-endpoints.ts";

/** A range of the log that is sent again, one delivery at a time. */
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

  /** It is done up to here. */
  get seq(): number {
    return this.#seq;
  }

  get isDone(): boolean {
    return this.#seq >= this.to;
  }

  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Skips entries that do not pass the filter. */
  skipTo(seq: number): void {
    this.#seq = seq;
  }

  begin(): void {
    this.#isUnderWay = true;
  }

  /** @param seq the entry that was sent; null: none was, and the same is next again */
  end(seq: number | null): void {
    this.#seq = seq ?? this.#seq;
    this.#isUnderWay = false;
  }
}
