import { lineText, type PlainStyle, plainText } from '../../reply/model/text.ts';
import type { Reply } from '../../reply/model/types.ts';
import { type Cell, drawLines } from '../../reply/picture/drawing.ts';
import { type GameShown, gameLines, gameTitle, refusalOf } from '../../reply/replies/game.ts';
import { NEWSPAPER_LETTERS } from '../../solver/board.ts';
import { type Screen, type Size, type Style, styled, widthOf, wrap } from './screen.ts';

/** The smallest screen on which everything fits, for boards like the newspaper's. */
const MIN_SIZE = { columns: 60, rows: 20 } as const;
/** The same for boards of more letters: the usual default of terminals. */
const MIN_SIZE_OF_LARGE = { columns: 80, rows: 24 } as const;
/** The board is never higher, however large the screen. */
const MAX_BOARD_ROWS = 31;
/** Title, message and keys, with a line between. */
const OTHER_ROWS = 5;
const COLUMN_GAP = 3;
/** Columns that words, hints and help need. */
const SIDE_COLUMNS = 39;
/** Columns for words and hints alone, on a smaller screen. */
const MIN_SIDE_COLUMNS = 27;

export interface GameScreenState {
  readonly game: GameShown;
  readonly hints?: Reply;
  readonly isHelpOpen: boolean;
  /** A message to show in place of the game's own refusal. */
  readonly note?: string;
}

/** The whole screen, line by line, each at most as wide as the screen. */
export function gameScreen(shown: GameScreenState, size: Size, { hasColor }: Screen): string[] {
  const screen: Screen = { columns: size.columns, hasColor, isTerminal: true };
  const { game, note } = shown;
  const least = game.namedBoard.board.letters.length > NEWSPAPER_LETTERS ? MIN_SIZE_OF_LARGE : MIN_SIZE;
  if (size.columns < least.columns || size.rows < least.rows) return tooSmall(size, least, screen);
  const isSmall = size.columns < MIN_SIZE_OF_LARGE.columns || size.rows < MIN_SIZE_OF_LARGE.rows;
  const sideColumns = isSmall ? MIN_SIDE_COLUMNS : SIDE_COLUMNS;
  const rows = Math.min(
    size.rows - OTHER_ROWS,
    Math.floor((size.columns - COLUMN_GAP - sideColumns) / 2),
    MAX_BOARD_ROWS,
  );
  const columns = 2 * rows;
  const width = size.columns - columns - COLUMN_GAP;
  const beside = besideBoard(shown, { ...screen, columns: width }, rows);
  const board =
    isSmall && shown.isHelpOpen
      ? besideBoard(shown, screen, rows)
      : boardRows(game, rows, columns, screen).map(
          (row, index) => row + ' '.repeat(COLUMN_GAP) + (beside[index] ?? ''),
        );
  return [
    styled('title', clipped(gameTitle(game), size.columns), screen),
    '',
    ...board,
    '',
    note === undefined
      ? styled('wrong', clipped(refusalOf(game) ?? '', size.columns), screen)
      : styled('bold', clipped(note, size.columns), screen),
    SHOWN_KEYS.filter(({ kind }) => game.solved === undefined || !KEYS_FOR_UNSOLVED.includes(kind))
      .filter(({ name }) => !isSmall || !name.startsWith('^') || name === '^C')
      .map(({ name, short }) => `${styled('bold', name, screen)} ${short}`)
      .join('  '),
  ];
}

function tooSmall({ columns, rows }: Size, least: Size, screen: Screen): string[] {
  const text = `The game needs ${least.columns} columns and ${least.rows} rows; here are ${columns} and ${rows}. Make the window larger, or press Ctrl-C.`;
  return wrap(text, screen).split('\n');
}

function boardRows(game: GameShown, rows: number, columns: number, screen: Screen): string[] {
  const { namedBoard, solved, state } = game;
  const { drawn: path, words } = state;
  const isEntering = path.length > words.length;
  // The letter that two words share.
  const joint = solved === undefined ? (path.at(-1)?.slice(-1) ?? []) : [];
  const lit = new Set(isEntering ? path.at(-1) : joint);
  return drawLines(namedBoard.board, path, { rows, columns, isLastCurrent: isEntering }).map((row) => {
    const runs: { style: Style; text: string }[] = [];
    for (const cell of row) {
      const { style, text } = lookOf(cell, game, lit, screen);
      const last = runs.at(-1);
      if (last?.style === style) last.text += text;
      else runs.push({ style, text });
    }
    return runs.map(({ style, text }) => styled(style, text, screen)).join('');
  });
}

function lookOf(
  { character, is, spot = -1 }: Cell,
  { state: { next, used }, solved }: GameShown,
  lit: ReadonlySet<number>,
  { hasColor }: Screen,
): { style: Style; text: string } {
  const isLit = lit.has(spot);
  const isIn = (spots: number) => (spots & (1 << spot)) !== 0;
  switch (is) {
    case 'spot':
      return { style: isLit ? 'lit' : 'plain', text: isLit ? '◉' : isIn(used) ? '●' : '○' };
    case 'letter': {
      const canCome = isLit || isIn(next) || solved !== undefined;
      // Letters that can't come next are small where there is no colour.
      const text = canCome || hasColor ? character.toUpperCase() : character;
      return { style: isLit ? 'lit' : canCome ? 'bold' : 'note', text };
    }
    default:
      return { style: LINE_STYLES[is], text: character };
  }
}

const LINE_STYLES = { current: 'lit', played: 'right', edge: 'note', empty: 'plain' } as const;

/** Words, letters left, and hints; or help. If there is too little room, the oldest hints are cut. */
function besideBoard({ game, hints, isHelpOpen }: GameScreenState, screen: Screen, rows: number): string[] {
  if (isHelpOpen) return wrapped(helpLines(screen), screen).slice(0, rows);
  // The refusal has a line of its own.
  const shown = { ...game, isElsewhere: false, state: { ...game.state, refusal: undefined } };
  const style = (text: string, as: PlainStyle) => styled(STYLES[as] ?? 'plain', text, screen);
  const state = wrapped(
    gameLines(shown).flatMap((line) => [lineText(line, { style }), '']),
    screen,
  );
  if (hints === undefined || game.solved !== undefined) return state.slice(0, rows);
  const kept = hints.blocks.filter(({ kind }) => kind === 'text' || kind === 'spoiler' || kind === 'note');
  // The first block names the board and the words played, which the screen shows already.
  const text = plainText({ ...hints, blocks: kept.slice(1) }, { style, reveal: true });
  const room = rows - Math.min(state.length, rows - 1);
  return [
    ...state.slice(0, rows - room),
    ...wrapped(text.replaceAll('\n\n', '\n').split('\n'), screen).slice(-room),
  ];
}

const STYLES: Partial<Record<PlainStyle, Style>> = {
  title: 'title',
  bold: 'bold',
  code: 'lit',
  label: 'label',
  note: 'note',
};

function helpLines(screen: Screen): string[] {
  const keys = SHOWN_KEYS.map(
    ({ name, about }) => `${styled('bold', name, screen)}${' '.repeat(11 - name.length)}${about}`,
  );
  return [
    styled('title', 'Type letters to make a word.', screen),
    '',
    'Two letters in a row are never of the same side. The next word begins with the last letter. Use every letter.',
    '',
    ...keys,
    '',
    '○ not used  ● used  ◉ in this word',
    screen.hasColor ? 'Dim letters can’t come next.' : 'Small letters can’t come next.',
  ];
}

function wrapped(lines: readonly string[], screen: Screen): string[] {
  return wrap(lines.join('\n'), screen).split('\n');
}

function clipped(text: string, columns: number): string {
  return widthOf(text) <= columns
    ? text
    : `${Array.from(text)
        .slice(0, columns - 1)
        .join('')}…`;
}

/** A key of a game on the full screen, by what it does. */
export type Key = { readonly kind: 'letter'; readonly letter: string } | { readonly kind: ControlKind };
type ControlKind = (typeof CONTROLS)[number]['kind'] | 'other';

/**
 * The characters that keyboards send, and how the keys are shown: their names, one word for the line at the bottom, and an
 * explanation for help. Ctrl-C arrives as a character, because the terminal is in raw mode.
 */
const CONTROLS = [
  { kind: 'enter', sent: '\r\n', name: 'Enter', short: 'word', about: 'enter the word' },
  { kind: 'back', sent: '\u007f\b', name: 'Backspace', short: 'undo', about: 'take back a letter or word' },
  { kind: 'hint', sent: '\t', name: 'Tab', short: 'hint', about: 'a little more of the hints' },
  { kind: 'clear', sent: '\u0015', name: '^U', short: 'clear', about: 'take back this word' },
  { kind: 'restart', sent: '\u0012', name: '^R', short: 'restart', about: 'start over (press twice)' },
  { kind: 'help', sent: '?', name: '?', short: 'help', about: 'show or close this' },
  { kind: 'quit', sent: '\u0003\u0004', name: '^C', short: 'quit', about: 'leave; your game is kept' },
  { kind: 'close', sent: '\u001b' },
] as const;

/** They do nothing on a solved board. */
const KEYS_FOR_UNSOLVED: readonly ControlKind[] = ['enter', 'hint', 'clear'];

/** The keys to list on the screen. */
const SHOWN_KEYS = CONTROLS.filter((control) => 'name' in control);

/** An escape sequence, such as of an arrow, counts as one key. A pasted line may end with two characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keyboards send them.
const KEY = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|[^\u001b])|\r\n|./gsu;

/**
 * Takes apart what a terminal has sent.
 *
 * @example keysOf('fun\r').map(({ kind }) => kind) // ['letter', 'letter', 'letter', 'enter']
 */
export function keysOf(text: string): Key[] {
  return Array.from(text.matchAll(KEY), ([typed]) => {
    const letter = typed.toLowerCase();
    if (/^[a-z]$/.test(letter)) return { kind: 'letter', letter };
    return { kind: CONTROLS.find(({ sent }) => sent.includes(typed))?.kind ?? 'other' };
  });
}
