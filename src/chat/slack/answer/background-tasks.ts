import { setImmediate, setTimeout } from 'node:timers/promises';

/** What comes with the first of many arrives within it. */
const BREATH = 15;

/** What goes on after Slack has its acknowledgement. */
export interface BackgroundTasks {
  /** Begins it when its turn comes. It must not reject. */
  later(work: () => Promise<void>): void;
  /** Resolves when everything begun so far, and what it was waiting behind, is done. */
  done(): Promise<void>;
}

/**
 * Begins one piece of work in each round of the event loop, the first after a breath. Fifty commands at once
 * would otherwise keep the process busy with the first while the last still wait for their acknowledgement.
 */
export function makeBackgroundTasks(onFault: (error: unknown) => void): BackgroundTasks {
  const open = new Set<Promise<void>>();
  let turn: Promise<unknown> = Promise.resolve();

  return {
    later(work) {
      turn = open.size === 0 ? setTimeout(BREATH) : turn.then(() => setImmediate());
      const doing = turn
        .then(work)
        .catch(onFault)
        .finally(() => open.delete(doing));
      open.add(doing);
    },
    async done() {
      while (open.size > 0) await Promise.all(open);
    },
  };
}
