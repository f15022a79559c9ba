import { UserError } from './errors.ts';

/** Waiting for one key: more than quick fingers press while one answer is computed. */
const MOST_WAITING = 50;

interface Line {
  last: Promise<unknown>;
  waiting: number;
}

/** Runs work of the same key one after the other, in the order in which it arrives. */
export class Turns {
  readonly #lines = new Map<string, Line>();

  /** Rejects as `work` does, and with a `UserError` if too much is waiting. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    if (line.waiting >= MOST_WAITING) {
      return Promise.reject(new UserError('game.waiting', 'That was too fast. Wait a moment, then go on.'));
    }
    line.waiting++;
    this.#lines.set(key, line);
    const done = line.last.then(work).finally(() => {
      line.waiting--;
      if (line.waiting === 0) this.#lines.delete(key);
    });
    line.last = done.catch(() => undefined);
    return done;
  }
}
