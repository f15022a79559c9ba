import type { Store } from '../../../src/store/store.ts';

/** A store whose answers can be held back. */
export interface SlowStore {
  readonly store: Store;
  /** Holds back the answers to all calls from now on. */
  slow(): void;
  /** Releases all answers, and holds back no more. */
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
