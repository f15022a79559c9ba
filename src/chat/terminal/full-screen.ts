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

/** The parts of a terminal that are used, so that a test can replace it. */
export type Input = Pick<ReadStream, 'setRawMode' | 'setEncoding' | 'on' | 'off' | 'resume' | 'pause'>;
export type Output = Pick<WriteStream, 'write' | 'on' | 'off' | 'columns' | 'rows'>;

/**
 * The whole terminal for one program. It is restored when `run` ends in any way, also by an error, a signal, or an exit of
 * the process.
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

  /** Exits with the status that shells report for a signal. */
  readonly #stop = (signal: keyof typeof SIGNALS): void => {
    this.#close();
    process.exit(128 + SIGNALS[signal]);
  };
}

function positionOf(row: number): string {
  return `\u001b[${row + 1};1H`;
}

/** What a key does in a game. */
export type Key =
  | { readonly kind: 'letter'; readonly letter: string }
  | { readonly kind: (typeof CONTROLS)[number] };

const CONTROLS = ['enter', 'back', 'clear', 'restart', 'hint', 'help', 'close', 'quit', 'other'] as const;

/** Control characters as keyboards send them. Ctrl-C arrives as a character, because the terminal is in raw mode. */
const CHARACTERS: Readonly<Record<string, (typeof CONTROLS)[number]>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\u007f': 'back',
  '\b': 'back',
  '\t': 'hint',
  '\u0015': 'clear',
  '\u0012': 'restart',
  '?': 'help',
  '\u001b': 'close',
  '\u0003': 'quit',
  '\u0004': 'quit',
};
/** An escape sequence, such as of an arrow, counts as one key. A pasted line may end with two characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keyboards send them.
const KEY = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|[^\u001b])|\r\n|./gsu;

/** For the line at the bottom, and for help. */
export const KEY_NAMES = [
  ['Enter', 'word'],
  ['Backspace', 'undo'],
  ['Tab', 'hint'],
  ['^U', 'clear'],
  ['^R', 'restart'],
  ['?', 'help'],
  ['^C', 'quit'],
] as const;

/**
 * Takes apart what a terminal has sent.
 *
 * @example keysOf('fun\r').map(({ kind }) => kind) // ['letter', 'letter', 'letter', 'enter']
 */
export function keysOf(text: string): Key[] {
  return Array.from(text.matchAll(KEY), ([typed]) => {
    const letter = typed.toLowerCase();
    if (/^[a-z]$/.test(letter)) return { kind: 'letter', letter };
    return { kind: CHARACTERS[typed === '\r\n' ? '\r' : typed] ?? 'other' };
  });
}
