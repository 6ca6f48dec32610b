import type { ListKey } from "../list-key.ts";

const idWords = 4;

/** The keys and versions of items, by slot. */
export class WindowKeys {
  readonly ms: Float64Array;
  readonly ids: Uint32Array;
  readonly seqs: Float64Array;

  constructor(capacity: number) {
    this.ms = new Float64Array(capacity);
    this.ids = new Uint32Array(idWords * capacity);
    this.seqs = new Float64Array(capacity);
  }

  get bytes(): number {
    return this.ms.byteLength + this.ids.byteLength + this.seqs.byteLength;
  }

  put(slot: number, { ms, a, b, c, d }: ListKey, seq: number): void {
    this.ms[slot] = ms;
    this.ids.set([a, b, c, d], idWords * slot);
    this.seqs[slot] = seq;
  }

  copy(at: number, from: WindowKeys, slot: number): void {
    this.ms[at] = from.ms[slot] ?? 0;
    for (let word = 0; word < idWords; word++)
      this.ids[idWords * at + word] = from.ids[idWords * slot + word] ?? 0;
    this.seqs[at] = from.seqs[slot] ?? 0;
  }

  keyAt(slot: number): ListKey {
    const at = idWords * slot;
    return {
      ms: this.ms[slot] ?? 0,
      a: this.ids[at] ?? 0,
      b: this.ids[at + 1] ?? 0,
      c: this.ids[at + 2] ?? 0,
      d: this.ids[at + 3] ?? 0,
    };
  }

  compare(slot: number, { ms, a, b, c, d }: ListKey): number {
    const at = idWords * slot;
    return (
      (this.ms[slot] ?? 0) - ms ||
      (this.ids[at] ?? 0) - a ||
      (this.ids[at + 1] ?? 0) - b ||
      (this.ids[at + 2] ?? 0) - c ||
      (this.ids[at + 3] ?? 0) - d
    );
  }
}
