import { styleText } from 'node:util';
import type { Environment } from '../../config/read.ts';
import { type PlainOptions, type PlainStyle, plainText, saidIn } from '../../reply/model/text.ts';
import type { Reply } from '../../reply/model/types.ts';
import { CALL } from './contract.ts';

/** What is known about the place where text is shown. */
export interface Screen {
  /** Characters in a line; undefined where nobody knows who reads it, such as in a pipe: then no line is wrapped. */
  readonly columns?: number;
  readonly hasColor: boolean;
  /** Whether a person sees it. */
  readonly isTerminal: boolean;
}

export const PIPE: Screen = { hasColor: false, isTerminal: false };
const USUAL_COLUMNS = 80;
/** Bits of colour from which a terminal counts as coloured. */
const LEAST_DEPTH = 4;

/** `NO_COLOR`, `FORCE_COLOR` and `TERM` are read as Node and most programs do. */
export function screenOf(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'getColorDepth'>,
  environment: Environment,
): Screen {
  if (!stream.isTTY) return { ...PIPE, hasColor: isForced(environment) };
  const hasColor = stream.getColorDepth(environment) >= LEAST_DEPTH;
  return { columns: stream.columns || USUAL_COLUMNS, hasColor, isTerminal: true };
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
    ? styleText([...[STYLES[style]].flat()], text, { validateStream: false })
    : text;
}

/** Stands for a space at which no line may end; `wrap` makes it a space. */
export const GLUE = '\u{F0000}';
/** A first column, such as the names in a list of commands, or a sign in front: further lines begin after it. */
const HANGING = /^ *(?:[→✓✗•] |(?:\S+ )*\S+ {2,}(?=\S))?/u;
const WIDEST_HANG = 30;
/** From here on, characters are pictures, which take two columns. */
const FIRST_WIDE = 0x1f000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that `styled` makes.
const SEQUENCES = /\u001b\[\d+m/g;

/**
 * Breaks lines between words, so that none is wider than the screen. A word that is wider than the screen stays
 * whole. Lines that belong to one entry are indented alike.
 *
 * @example wrap('→ More: solve page:2', { columns: 12, … }) // '→ More:\n  solve\n  page:2'
 */
export function wrap(text: string, { columns }: Screen): string {
  if (columns === undefined) return text.replaceAll(GLUE, ' ');
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, columns))
    .join('\n');
}

function wrapLine(line: string, columns: number): string[] {
  if (widthOf(line) <= columns) return [line.replaceAll(GLUE, ' ')];
  const [start = ''] = HANGING.exec(line.replace(SEQUENCES, '')) ?? [];
  const hang = ' '.repeat(start.length > WIDEST_HANG ? 2 : start.length);
  const room = columns - hang.length;
  const pieces = line
    .split(/(?<=\S) (?=\S)/)
    // What is kept together may be broken if there is no other way.
    .flatMap((piece) => (widthOf(piece) > room ? piece.split(GLUE) : [piece]));
  const lines: string[] = [];
  let current = '';
  for (const piece of pieces) {
    const longer = current === '' ? piece : `${current} ${piece}`;
    if (current !== '' && widthOf(longer) > columns) {
      lines.push(current);
      current = hang + piece;
    } else current = longer;
  }
  return [...lines, current].map((one) => one.replaceAll(GLUE, ' '));
}

/** In columns: letters of the bot's answers take one each, and what styles them none. */
export function widthOf(text: string): number {
  return Array.from(text.replace(SEQUENCES, '')).reduce(
    (sum, character) => sum + (character.codePointAt(0)! >= FIRST_WIDE && character !== GLUE ? 2 : 1),
    0,
  );
}

export interface ReplyTextOptions {
  /** Shows what is hidden. */
  readonly reveal: boolean;
  readonly screen?: Screen;
}

/** A reply as the terminal shows it: times in the local zone, buttons as what to type instead. */
export function replyText(reply: Reply, { reveal, screen = PIPE }: ReplyTextOptions): string {
  // Hidden means hidden from everybody who sees the screen, so that what was asked for stays closed too.
  const text = plainText(reveal ? reply : { ...reply, audience: 'everyone' }, {
    ...plainOptions(screen),
    reveal,
    moment: localTime,
  });
  const isHiding =
    !reveal &&
    reply.blocks.some((block) => block.kind === 'spoiler' || (block.kind === 'picture' && block.spoiler));
  const note = isHiding
    ? `\n\n${styled('note', 'Leave out --spoilers hide to see what is hidden.', screen)}`
    : '';
  return wrap(text + note, screen);
}

/** A mistake as one line, or as few as the screen needs. */
export function mistakeText(reply: Reply, screen: Screen = PIPE): string {
  return wrap(saidIn(reply, plainOptions(PIPE)).replaceAll('\n', ' '), screen);
}

function plainOptions(screen: Screen): PlainOptions {
  return {
    command: (typed) => `${CALL} ${typed}`,
    button: ({ label }, typed) => `→ ${label}: ${typed}`,
    style: (text, as) => styledPiece(text, as, screen),
  };
}

function styledPiece(text: string, as: PlainStyle, screen: Screen): string {
  const shown = harmless(text);
  if (as === 'plain') return shown.replace(/^[✓✗]/, (sign) => mark(sign, screen));
  if (as === 'picture') return shown;
  // Commands are copied from the screen, so that they stay on one line where there is room.
  return styled(as, as === 'command' ? shown.replaceAll(' ', GLUE) : shown, screen);
}

function mark(sign: string, screen: Screen): string {
  return styled(sign === '✓' ? 'right' : 'wrong', sign, screen);
}

/** Removes control characters, which a terminal would execute instead of showing. */
function harmless(text: string): string {
  return text.replace(/[^\P{C}\n]/gu, '\uFFFD');
}

function localTime(moment: number): string {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'short' });
  return format.format(moment);
}

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
  /** When it was first called: before that, somebody may have been asked something. */
  #began: number | undefined;
  #next = 0;
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
  }

  /** Cheap enough to be called all the time: `text` is only made when the line changes. */
  show(text: (seconds: number) => string): void {
    if (this.#write === undefined) return;
    const now = this.#now();
    if (this.#began === undefined) this.#next = now + PATIENCE;
    this.#began ??= now;
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
