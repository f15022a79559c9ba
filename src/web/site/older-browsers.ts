/** What iterators lack before Safari 18.4, Firefox 131 and Chrome 122, as far as the worker uses it. */
const HELPERS = {
  *map<Value, Made>(this: Iterable<Value>, change: (value: Value, at: number) => Made) {
    let at = 0;
    for (const value of this) yield change(value, at++);
  },
  *filter<Value>(this: Iterable<Value>, fits: (value: Value, at: number) => unknown) {
    let at = 0;
    for (const value of this) if (fits(value, at++)) yield value;
  },
  *take<Value>(this: Iterable<Value>, most: number) {
    let left = most;
    if (left > 0)
      for (const value of this) {
        yield value;
        if (--left <= 0) return;
      }
  },
  *drop<Value>(this: Iterable<Value>, first: number) {
    let at = 0;
    for (const value of this) if (at++ >= first) yield value;
  },
  toArray<Value>(this: Iterable<Value>) {
    return [...this];
  },
  find<Value>(this: Iterable<Value>, fits: (value: Value, at: number) => unknown) {
    return [...this].find(fits);
  },
  some<Value>(this: Iterable<Value>, fits: (value: Value, at: number) => unknown) {
    return [...this].some(fits);
  },
  reduce<Value>(this: Iterable<Value>, join: (all: Value, value: Value) => Value, first: Value) {
    return [...this].reduce(join, first);
  },
};

/** Adds them where they are missing. */
export function addIteratorHelpers(): void {
  // `Iterator.prototype`, which older browsers have, too, without the name.
  const iterators: object = Object.getPrototypeOf(Object.getPrototypeOf([].values()));
  for (const [name, value] of Object.entries(HELPERS))
    if (!(name in iterators)) Object.defineProperty(iterators, name, { value });
  const from = (list: readonly unknown[]) => list.values();
  if (!('Iterator' in globalThis)) Object.defineProperty(globalThis, 'Iterator', { value: { from } });
}
