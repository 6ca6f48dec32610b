import { maxAccountFilterLength } from "@tapewire/contract/filter.ts";

/**
 * Limits the filters that the streams of an account hold in this process. An entry of a filter costs some hundred bytes
 * in the index, and an account may have many streams.
 */
export class FilterAllowance {
  /** By account, then by stream: characters as JSON. */
  readonly #held = new Map<string, Map<object, number>>();

  /**
   * Takes room for a stream's filters, replacing those it has.
   * @returns false when there is not enough room; it then keeps those it has
   */
  take(accountId: string, stream: object, filters: object): boolean {
    const ofAccount = this.#held.get(accountId) ?? new Map<object, number>();
    const length = JSON.stringify(filters).length;
    const held = [...ofAccount.values()].reduce((sum, one) => sum + one, 0);
    const others = held - (ofAccount.get(stream) ?? 0);
    if (others + length > maxAccountFilterLength) return false;
    this.#held.set(accountId, ofAccount.set(stream, length));
    return true;
  }

  free(accountId: string, stream: object): void {
    const ofAccount = this.#held.get(accountId);
    if (ofAccount?.delete(stream) === true && ofAccount.size === 0) this.#held.delete(accountId);
  }
}
