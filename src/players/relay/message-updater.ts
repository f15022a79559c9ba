import { setTimeout as sleep } from 'node:timers/promises';

/** Between two drawings of one message: platforms allow about one edit a second. */
const GAP = 1000;

export type Paint = (isFollowed: () => boolean) => Promise<void>;

/**
 * Draws a message one drawing after the other, so that an older state never comes to lie over a newer one.
 * Of many asked for while one is under way, one follows, for it shows all that has happened until it begins.
 */
export class MessageUpdater {
  readonly #wait: (milliseconds: number) => Promise<unknown>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #waiting = new Map<string, Promise<void>>();

  constructor(wait: (milliseconds: number) => Promise<unknown> = (milliseconds) => sleep(milliseconds)) {
    this.#wait = wait;
  }

  /**
   * Resolves when a drawing that began after this call is done.
   *
   * @param paint is told whether another drawing follows, which will show whatever it misses itself
   */
  draw(key: string, paint: Paint): Promise<void> {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting;
    const before = this.#running.get(key);
    if (before === undefined) return this.#begin(key, paint);
    const next = before
      .catch(() => undefined)
      .then(() => this.#wait(GAP))
      .then(() => {
        this.#waiting.delete(key);
        return this.#begin(key, paint);
      });
    this.#waiting.set(key, next);
    return next;
  }

  #begin(key: string, paint: Paint): Promise<void> {
    const drawing = paint(() => this.#waiting.has(key)).finally(() => {
      if (this.#running.get(key) === drawing) this.#running.delete(key);
    });
    this.#running.set(key, drawing);
    return drawing;
  }
}
