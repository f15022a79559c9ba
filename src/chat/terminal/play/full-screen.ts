import type { ReadStream, WriteStream } from 'node:tty';

/** Everything here is understood by every terminal of the last decades, and by tmux and screen. */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[2J';
const LEAVE = '\u001b[?25h\u001b[?1049l';
const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';
/** Ctrl-C is a key in raw mode; as a signal it comes from other programs. */
const SIGNALS = { SIGTERM: 15, SIGHUP: 1, SIGINT: 2 } as const;
/** Characters that may wait: more than anybody types while one answer is computed. */
const MOST_WAITING = 4096;

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** What of a terminal is used, so that a test can stand in for it. */
export type Input = Pick<ReadStream, 'setRawMode' | 'setEncoding' | 'on' | 'off' | 'resume' | 'pause'>;
export type Output = Pick<WriteStream, 'write' | 'on' | 'off' | 'columns' | 'rows'>;

/**
 * The whole terminal for one program. It is restored when `run` ends, however that is: also after an error, a
 * signal, or an exit of the process.
 */
export class FullScreen {
  readonly #input: Input;
  readonly #output: Output;
  #typed = '';
  #isResized = false;
  #isEnded = false;
  #isOpen = false;
  #wake = Promise.withResolvers<void>();

  constructor(input: Input, output: Output) {
    this.#input = input;
    this.#output = output;
  }

  get size(): Size {
    return { columns: this.#output.columns, rows: this.#output.rows };
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#open();
    try {
      return await work();
    } finally {
      this.#close();
    }
  }

  /** Shows these lines, and nothing else. */
  draw(lines: readonly string[]): void {
    const shown = lines.slice(0, this.#output.rows);
    // Cleared before they are written: after a full line, some terminals would clear its last character.
    const text = shown.map((line, index) => `${positionOf(index)}${CLEAR_LINE}${line}`).join('');
    const below = shown.length < this.#output.rows ? positionOf(shown.length) + CLEAR_BELOW : '';
    this.#output.write(text + below + positionOf(0));
  }

  /** Waits until something was typed or the size has changed; undefined once nothing more can be typed. */
  async next(): Promise<string | undefined> {
    while (this.#typed === '' && !this.#isResized && !this.#isEnded) {
      await this.#wake.promise;
      this.#wake = Promise.withResolvers();
    }
    const typed = this.#typed;
    this.#typed = '';
    this.#isResized = false;
    return typed === '' && this.#isEnded ? undefined : typed;
  }

  #open(): void {
    this.#isOpen = true;
    this.#input.setEncoding('utf8');
    this.#input.setRawMode(true);
    this.#input.on('data', this.#read);
    this.#input.on('end', this.#end);
    this.#input.resume();
    this.#output.on('resize', this.#resize);
    process.on('exit', this.#close);
    for (const signal of Object.keys(SIGNALS)) process.on(signal, this.#stop);
    this.#output.write(ENTER);
  }

  readonly #close = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#output.write(LEAVE);
    this.#input.setRawMode(false);
    this.#input.off('data', this.#read);
    this.#input.off('end', this.#end);
    this.#input.pause();
    this.#output.off('resize', this.#resize);
    process.off('exit', this.#close);
    for (const signal of Object.keys(SIGNALS)) process.off(signal, this.#stop);
  };

  readonly #read = (text: string | Buffer): void => {
    this.#typed = (this.#typed + text).slice(0, MOST_WAITING);
    this.#wake.resolve();
  };

  readonly #resize = (): void => {
    this.#isResized = true;
    this.#wake.resolve();
  };

  readonly #end = (): void => {
    this.#isEnded = true;
    this.#wake.resolve();
  };

  /** As the shell reports a program that a signal has ended. */
  readonly #stop = (signal: keyof typeof SIGNALS): void => {
    this.#close();
    process.exit(128 + SIGNALS[signal]);
  };
}

function positionOf(row: number): string {
  return `\u001b[${row + 1};1H`;
}
