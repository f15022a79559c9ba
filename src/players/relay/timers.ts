/** Does something later, unless the function returned is called before. */
export type After = (milliseconds: number, act: () => void) => () => void;

/** Keeps no process alive: what a restart forgets is noticed by the next who comes by. */
const afterwards: After = (milliseconds, act) => {
  const timer = setTimeout(act, milliseconds).unref();
  return () => clearTimeout(timer);
};

/** One time a key, at which something is to be looked after. */
export class RelayTimers {
  readonly #after: After;
  readonly #set = new Map<string, () => void>();

  constructor(after: After = afterwards) {
    this.#after = after;
  }

  set(key: string, milliseconds: number, ring: () => void): void {
    this.clear(key);
    const cancel = this.#after(milliseconds, () => {
      this.#set.delete(key);
      ring();
    });
    this.#set.set(key, cancel);
  }

  clear(key: string): void {
    this.#set.get(key)?.();
    this.#set.delete(key);
  }
}
