import type { ReadStream, WriteStream } from 'node:tty';
import type { Environment } from '../../config/read.ts';
import { PROGRAM_CALL } from '../../core/program.ts';
import { bodyText, type PlainOptions, type PlainStyle, plainText } from '../../reply/model/text.ts';
import type { Reply } from '../../reply/model/types.ts';

/** An import would load all parts of it, in 4 ms: this way only those are loaded that are used. */
export const util = process.getBuiltinModule('node:util');

/** What is known about the output that text is shown on. */
export interface Screen {
  /** Characters in a line; undefined for unknown readers, such as of a pipe: then no line is wrapped. */
  readonly columns?: number;
  readonly hasColor: boolean;
  /** Whether a person sees it. */
  readonly isTerminal: boolean;
}

export const PIPE: Screen = { hasColor: false, isTerminal: false };
const DEFAULT_COLUMNS = 80;
/** Bits of colour from which a terminal counts as coloured. */
const MIN_COLOUR_BITS = 4;

/** `NO_COLOR`, `FORCE_COLOR` and `TERM` are read as Node and most programs do. */
export function screenOf(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'getColorDepth'>,
  environment: Environment,
): Screen {
  if (!stream.isTTY) return { ...PIPE, hasColor: isForced(environment) };
  const hasColor = stream.getColorDepth(environment) >= MIN_COLOUR_BITS;
  return { columns: stream.columns || DEFAULT_COLUMNS, hasColor, isTerminal: true };
}

function isForced({ FORCE_COLOR: forced, NO_COLOR: none }: Environment): boolean {
  return forced !== undefined && !['0', 'false'].includes(forced) && !none;
}

const STYLES = {
  title: 'bold',
  bold: 'bold',
  code: 'cyan',
  label: 'cyan',
  note: 'dim',
  command: 'cyan',
  right: 'green',
  wrong: 'red',
  lit: ['bold', 'yellow'],
  plain: [],
} as const;
export type Style = keyof typeof STYLES;

export function styled(style: Style, text: string, { hasColor }: Screen): string {
  return hasColor && text !== ''
    ? util.styleText([...[STYLES[style]].flat()], text, { validateStream: false })
    : text;
}

/** Replaces a space at which no line may end; `wrap` turns it back into a space. */
export const NO_BREAK_MARK = '\u{F0000}';
/** A first column, such as the names in a list of commands, or a sign in front: further lines begin after it. */
const HANGING_INDENT = /^ *(?:[→✓✗•] |(?:\S+ )*\S+ {2,}(?=\S))?/u;
const MAX_HANGING_INDENT = 30;
/** The first of the characters that are pictures, which take two columns. */
const FIRST_WIDE = 0x1f000;

/**
 * Breaks lines between words, so that none is wider than the screen. A word that is wider than the screen stays
 * whole. Lines that belong to one entry are indented alike.
 *
 * @example wrap('→ More: solve page:2', { columns: 12, … }) // '→ More:\n  solve\n  page:2'
 */
export function wrap(text: string, { columns }: Screen): string {
  if (columns === undefined) return text.replaceAll(NO_BREAK_MARK, ' ');
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, columns))
    .join('\n');
}

function wrapLine(line: string, columns: number): string[] {
  if (widthOf(line) <= columns) return [line.replaceAll(NO_BREAK_MARK, ' ')];
  const [start = ''] = HANGING_INDENT.exec(util.stripVTControlCharacters(line)) ?? [];
  const hang = ' '.repeat(start.length > MAX_HANGING_INDENT ? 2 : start.length);
  const room = columns - hang.length;
  const pieces = line
    .split(/(?<=\S) (?=\S)/)
    // What is kept together may be broken if there is no other way.
    .flatMap((piece) => (widthOf(piece) > room ? piece.split(NO_BREAK_MARK) : [piece]));
  const lines: string[] = [];
  let current = '';
  for (const piece of pieces) {
    const longer = current === '' ? piece : `${current} ${piece}`;
    if (current !== '' && widthOf(longer) > columns) {
      lines.push(current);
      current = hang + piece;
    } else current = longer;
  }
  return [...lines, current].map((one) => one.replaceAll(NO_BREAK_MARK, ' '));
}

/** The width in columns: letters of the bot's answers take one each, and what styles them none. */
export function widthOf(text: string): number {
  return Array.from(util.stripVTControlCharacters(text)).reduce(
    (sum, character) =>
      sum + (character.codePointAt(0)! >= FIRST_WIDE && character !== NO_BREAK_MARK ? 2 : 1),
    0,
  );
}

/** A reply as the terminal shows it: times in the local zone, buttons as what to type instead. */
export function replyText(
  reply: Reply,
  { reveal, screen = PIPE }: { readonly reveal: boolean; readonly screen?: Screen },
): string {
  // Hidden parts stay hidden from everybody who sees the screen, even in an answer to the asker alone.
  const text = plainText(reveal ? reply : { ...reply, audience: 'everyone' }, {
    ...plainOptions(screen),
    reveal,
    moment: localTime,
  });
  // Hidden pictures come with hidden words.
  const isHiding = !reveal && reply.blocks.some(({ kind }) => kind === 'spoiler');
  const note = isHiding
    ? `\n\n${styled('note', 'Leave out --spoilers hide to see what is hidden.', screen)}`
    : '';
  return wrap(text + note, screen);
}

/** A mistake without colours, on one line if it fits. */
export function mistakeText(reply: Reply, screen: Screen = PIPE): string {
  return wrap(bodyText(reply, plainOptions(PIPE)).replaceAll('\n', ' '), screen);
}

function plainOptions(screen: Screen): PlainOptions {
  return {
    command: (typed) => `${PROGRAM_CALL} ${typed}`,
    button: ({ label }, typed) => `→ ${label}: ${typed}`,
    style: (text, as) => styledPiece(text, as, screen),
  };
}

function styledPiece(text: string, as: PlainStyle, screen: Screen): string {
  const shown = harmless(text);
  if (as === 'plain')
    return shown.replace(/^[✓✗]/, (sign) => styled(sign === '✓' ? 'right' : 'wrong', sign, screen));
  if (as === 'picture') return shown;
  // Commands are copied from the screen, so that they stay on one line where there is room.
  return styled(as, as === 'command' ? shown.replaceAll(' ', NO_BREAK_MARK) : shown, screen);
}

/** Replaces control characters, which a terminal would execute instead of showing. */
function harmless(text: string): string {
  return text.replace(/[^\P{C}\n]/gu, '\uFFFD');
}

function localTime(moment: number): string {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'short' });
  return format.format(moment);
}

/** Milliseconds before anything is shown, and between two changes. */
const PROGRESS_DELAY_MS = 500;
const PROGRESS_INTERVAL_MS = 200;
const CLEAR_LINE = '\u001b[K';

/**
 * One line that says how far something long is, on standard error and on a terminal only. Code that prints
 * anything else clears it first.
 *
 * @example progress.show(() => `${done} of ${all} days`)
 */
export class Progress {
  readonly #screen: Screen;
  /** When `show` was first called: before that, a question may have been asked. */
  #began: number | undefined;
  #next = 0;
  /** Empty while nothing is shown. */
  #shown = '';

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** Cheap enough to be called all the time: `text` is called at most once in `PROGRESS_INTERVAL_MS`. */
  show(text: (seconds: number) => string): void {
    const { isTerminal, columns = DEFAULT_COLUMNS } = this.#screen;
    if (!isTerminal) return;
    const now = performance.now();
    if (this.#began === undefined) this.#next = now + PROGRESS_DELAY_MS;
    this.#began ??= now;
    if (now < this.#next) return;
    this.#next = now + PROGRESS_INTERVAL_MS;
    const whole = text(Math.floor((now - this.#began) / 1000));
    const line = Array.from(whole)
      .slice(0, columns - 1)
      .join('');
    if (line === this.#shown) return;
    this.#shown = line;
    process.stderr.write(`\r${CLEAR_LINE}${line}`);
  }

  clear(): void {
    if (this.#shown !== '') process.stderr.write(`\r${CLEAR_LINE}`);
    this.#shown = '';
  }
}

/** Everything here is understood by every terminal of the last decades, and by tmux and screen. */
const ENTER_FULL_SCREEN = '\u001b[?1049h\u001b[?25l\u001b[2J';
const LEAVE_FULL_SCREEN = '\u001b[?25h\u001b[?1049l';
const CLEAR_BELOW = '\u001b[J';
/** Ctrl-C is a key in raw mode; as a signal it comes from other programs. */
const SIGNALS = { SIGTERM: 15, SIGHUP: 1, SIGINT: 2 } as const;
/** Characters that may wait: more than anybody types while one answer is computed. */
const MAX_BUFFERED_CHARACTERS = 4096;

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
    this.#input.setEncoding('utf8');
    this.#input.setRawMode(true);
    this.#input.on('data', this.#read);
    this.#input.on('end', this.#end);
    this.#input.resume();
    this.#output.on('resize', this.#resize);
    process.on('exit', this.#close);
    for (const signal of Object.keys(SIGNALS)) process.on(signal, this.#stop);
    this.#output.write(ENTER_FULL_SCREEN);
  }

  readonly #close = (): void => {
    this.#output.write(LEAVE_FULL_SCREEN);
    this.#input.setRawMode(false);
    this.#input.off('data', this.#read);
    this.#input.off('end', this.#end);
    this.#input.pause();
    this.#output.off('resize', this.#resize);
    process.off('exit', this.#close);
    for (const signal of Object.keys(SIGNALS)) process.off(signal, this.#stop);
  };

  readonly #read = (text: string | Buffer): void => {
    this.#typed = (this.#typed + text).slice(0, MAX_BUFFERED_CHARACTERS);
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
