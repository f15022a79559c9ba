import { lineText, type PlainStyle, plainText } from '../../reply/model/text.ts';
import type { GameCard, Reply } from '../../reply/model/types.ts';
import { type Cell, drawLines } from '../../reply/picture/drawing.ts';
import { gameLines } from '../../reply/replies/game.ts';
import { SHOWN_KEYS } from './keys.ts';
import { type Screen, type Size, type Style, styled, widthOf, wrap } from './screen.ts';

/** The smallest screen on which everything fits: the usual default of terminals. */
const MIN_SIZE: Size = { columns: 80, rows: 24 };
/** The board is never higher, however large the screen. */
const MAX_BOARD_ROWS = 31;
/** Title, message and keys, with a line between. */
const OTHER_ROWS = 5;
const COLUMN_GAP = 3;
/** Columns that words, hints and help need. */
const SIDE_COLUMNS = 39;

export interface GameScreenState {
  readonly card: GameCard;
  /** The hints that were asked for. */
  readonly hints?: Reply;
  readonly isHelpOpen: boolean;
  /** A message to show in place of the game's own refusal. */
  readonly note?: string;
}

/** The whole screen, line by line, each at most as wide as the screen. */
export function gameScreen(shown: GameScreenState, size: Size, { hasColor }: Screen): string[] {
  const screen: Screen = { columns: size.columns, hasColor, isTerminal: true };
  if (size.columns < MIN_SIZE.columns || size.rows < MIN_SIZE.rows) return tooSmall(size, screen);
  const { card, note } = shown;
  const rows = Math.min(
    size.rows - OTHER_ROWS,
    Math.floor((size.columns - COLUMN_GAP - SIDE_COLUMNS) / 2),
    MAX_BOARD_ROWS,
  );
  const columns = 2 * rows;
  const width = size.columns - columns - COLUMN_GAP;
  const beside = besideBoard(shown, { ...screen, columns: width }, rows);
  const board = boardRows(card, rows, columns, screen).map(
    (row, index) => row + ' '.repeat(COLUMN_GAP) + (beside[index] ?? ''),
  );
  return [
    styled('title', clipped(card.title, size.columns), screen),
    '',
    ...board,
    '',
    note === undefined
      ? styled('wrong', clipped(card.refusal ?? '', size.columns), screen)
      : styled('bold', clipped(note, size.columns), screen),
    SHOWN_KEYS.filter(({ isForUnsolved }) => card.solved === undefined || !isForUnsolved)
      .map(({ name, short }) => `${styled('bold', name, screen)} ${short}`)
      .join('  '),
  ];
}

function tooSmall({ columns, rows }: Size, screen: Screen): string[] {
  const text = `The game needs ${MIN_SIZE.columns} columns and ${MIN_SIZE.rows} rows; here are ${columns} and ${rows}. Make the window larger, or press Ctrl-C.`;
  return wrap(text, screen).split('\n');
}

function boardRows(card: GameCard, rows: number, columns: number, screen: Screen): string[] {
  const { board, picture, words, solved } = card;
  const path = picture.path ?? { words: [] };
  const isEntering = path.words.length > words.length;
  // The letter that two words share.
  const joint = solved === undefined ? (path.words.at(-1)?.slice(-1) ?? []) : [];
  const lit = new Set(isEntering ? path.words.at(-1) : joint);
  return drawLines(board, path, { rows, columns, isLastCurrent: isEntering }).map((row) => {
    const runs: { style: Style; text: string }[] = [];
    for (const cell of row) {
      const { style, text } = lookOf(cell, card, lit, screen);
      const last = runs.at(-1);
      if (last?.style === style) last.text += text;
      else runs.push({ style, text });
    }
    return runs.map(({ style, text }) => styled(style, text, screen)).join('');
  });
}

function lookOf(
  { character, is, spot = -1 }: Cell,
  { sides, solved }: GameCard,
  lit: ReadonlySet<number>,
  { hasColor }: Screen,
): { style: Style; text: string } {
  const isLit = lit.has(spot);
  const shown = sides.flatMap((side) => side.spots).find((one) => one.spot === spot);
  switch (is) {
    case 'spot':
      return { style: isLit ? 'lit' : 'plain', text: isLit ? '◉' : shown?.isUsed ? '●' : '○' };
    case 'letter': {
      const canCome = isLit || shown?.isNext || solved !== undefined;
      // Letters that can't come next are small where there is no colour.
      const text = canCome || hasColor ? character.toUpperCase() : character;
      return { style: isLit ? 'lit' : canCome ? 'bold' : 'note', text };
    }
    case 'current':
      return { style: 'lit', text: character };
    case 'played':
      return { style: 'right', text: character };
    case 'edge':
      return { style: 'note', text: character };
    case 'empty':
      return { style: 'plain', text: character };
  }
}

/** Words, letters left, and hints; or help. If there is too little room, the oldest hints are cut. */
function besideBoard({ card, hints, isHelpOpen }: GameScreenState, screen: Screen, rows: number): string[] {
  if (isHelpOpen) return wrapped(helpLines(screen), screen).slice(0, rows);
  const { refusal: _, ...shown } = card;
  const style = (text: string, as: PlainStyle) => styled(STYLES[as] ?? 'plain', text, screen);
  const state = wrapped(
    gameLines(shown).flatMap((line) => [lineText(line, { style }), '']),
    screen,
  );
  if (hints === undefined || card.solved !== undefined) return state.slice(0, rows);
  const kept = hints.blocks.filter(({ kind }) => kind === 'text' || kind === 'spoiler' || kind === 'note');
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
