import { ApiError } from "@tapewire/contract/errors.ts";

interface Limits {
  readonly running: number;
  readonly waiting: number;
}

interface Waiting {
  readonly owner: string | null;
  readonly begin: () => void;
}

/**
 * So many at a time; the others wait in the order they came, and when too many wait the next is turned away at once: a
 * queue that grows answers nobody in time. An owner, an account, has limits of its own below those: it cannot take all
 * places, nor the whole queue.
 */
export class Turns {
  readonly #all: Limits;
  readonly #each: Limits;
  #running = 0;
  readonly #runningOf = new Map<string, number>();
  readonly #waiting: Waiting[] = [];

  constructor({ all, each }: { all: Limits; each: Limits }) {
    this.#all = all;
    this.#each = each;
  }

  /**
   * @param owner null: of the service itself
   * @throws {ApiError} overloaded, before any work, when too many wait
   */
  async run<T>(owner: string | null, work: () => Promise<T>): Promise<T> {
    if (this.#mayRun(owner)) this.#count(owner, 1);
    else await this.#turn(owner);
    try {
      return await work();
    } finally {
      this.#count(owner, -1);
      this.#next();
    }
  }

  #mayRun(owner: string | null): boolean {
    if (this.#running >= this.#all.running) return false;
    return owner === null || (this.#runningOf.get(owner) ?? 0) < this.#each.running;
  }

  #count(owner: string | null, change: 1 | -1): void {
    this.#running += change;
    if (owner === null) return;
    const running = (this.#runningOf.get(owner) ?? 0) + change;
    if (running > 0) this.#runningOf.set(owner, running);
    else this.#runningOf.delete(owner);
  }

  /** The place is taken for the one that is woken, before anybody else can ask. */
  #next(): void {
    const at = this.#waiting.findIndex(({ owner }) => this.#mayRun(owner));
    const [woken] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (woken === undefined) return;
    this.#count(woken.owner, 1);
    woken.begin();
  }

  #turn(owner: string | null): Promise<void> {
    const own = this.#waiting.filter((one) => one.owner === owner).length;
    if (this.#waiting.length >= this.#all.waiting || (owner !== null && own >= this.#each.waiting))
      throw new ApiError("overloaded", {
        detail: "Too many searches of the past are waiting",
        headers: { "Retry-After": "2" },
      });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ owner, begin: resolve });
    return promise;
  }
}
