import type { Store } from '../../../src/store/types.ts';

/** A store that does what it is asked at once, or, while it is slow, not before it is told to. */
export interface SlowStore {
  readonly store: Store;
  /** From now on every question to it waits. */
  slow(): void;
  /** Answers what waits, and all that comes. */
  release(): void;
}

export function slowStore(real: Store): SlowStore {
  let gate = Promise.resolve();
  let open = () => {};
  const wrap = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value === 'object' && value !== null) return wrap(value);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          const before = gate;
          const answer: unknown = value.apply(target, given);
          if (answer instanceof Promise) return before.then(() => answer);
          return typeof answer === 'object' && answer !== null ? wrap(answer) : answer;
        };
      },
    });
  return {
    store: wrap(real),
    slow() {
      gate = new Promise<void>((resolve) => {
        open = resolve;
      });
    },
    release() {
      open();
      gate = Promise.resolve();
    },
  };
}
