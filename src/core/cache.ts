/**
 * Options of an `lru-cache` with at most this many entries. With its option `max`, the cache would allocate the room
 * for all of them at once, which takes milliseconds and memory where few are ever used.
 *
 * @example new LRUCache<string, boolean>(atMost(20_000))
 */
export function atMost(entries: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: () => 1 };
}
