import { LRUCache } from "lru-cache";

/** An LRU cache of at most so many entries. With the option `max` it would take the memory of all of them at once. */
export const lruOf = <K extends {}, V extends {}>(most: number): LRUCache<K, V> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
