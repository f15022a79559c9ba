import type { Screen } from './screen.ts';

/** Milliseconds before anything is shown, and between two changes. */
const PATIENCE = 500;
const INTERVAL = 200;
const CLEAR_LINE = '\r\u001b[K';

/**
 * One line that says how far something long is, on standard error and on a terminal only. Code that prints
 * anything else clears it first.
 *
 * @example progress.show(() => `${done} of ${all} days`)
 */
export class Progress {
  readonly #write: ((text: string) => void) | undefined;
  readonly #columns: number;
  readonly #now: () => number;
  readonly #began: number;
  #next: number;
  /** Empty while nothing is shown. */
  #shown = '';

  constructor(
    { isTerminal, columns = 80 }: Screen,
    write: (text: string) => void = (text) => process.stderr.write(text),
    now: () => number = () => performance.now(),
  ) {
    this.#write = isTerminal ? write : undefined;
    this.#columns = columns;
    this.#now = now;
    this.#began = now();
    this.#next = this.#began + PATIENCE;
  }

  /** Cheap enough to be called all the time: `text` is only made when the line changes. */
  show(text: (seconds: number) => string): void {
    if (this.#write === undefined) return;
    const now = this.#now();
    if (now < this.#next) return;
    this.#next = now + INTERVAL;
    const whole = text(Math.floor((now - this.#began) / 1000));
    const line = Array.from(whole)
      .slice(0, this.#columns - 1)
      .join('');
    if (line === this.#shown) return;
    this.#shown = line;
    this.#write(CLEAR_LINE + line);
  }

  clear(): void {
    if (this.#shown !== '') this.#write?.(CLEAR_LINE);
    this.#shown = '';
  }
}
