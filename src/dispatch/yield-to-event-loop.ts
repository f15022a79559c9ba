import { setImmediate } from 'node:timers/promises';

/**
 * Lets work begin one piece a turn of the event loop. What comes in at the same moment is then not worked
 * off in one go: in between, timers run and answers are sent, so nobody waits for everybody.
 *
 * @example const turn = makeTurns(); await turn(); // … work
 */
export function makeTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
}
