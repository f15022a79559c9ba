import { UserError } from '../../core/errors.ts';
import { type App, type Asker, type Dispatcher, type Request, replyOf } from '../../dispatch/contract.ts';
import { MAX_MOVES, type Move } from '../../play/game.ts';
import { type PlayedGame, SoloGames } from '../../players/solo-games.ts';
import { lineText, type PlainStyle, plainText, typeAction } from '../../reply/model/text.ts';
import type { Action, Button, GameCard, Reply } from '../../reply/model/types.ts';
import { type Cell, drawLines } from '../../reply/picture/drawing.ts';
import { gameCard, gameLines, gameReply } from '../../reply/replies/game.ts';
import { EXIT } from './contract.ts';
import {
  FullScreen,
  type Input,
  type Output,
  PROGRAM_CALL,
  replyText,
  type Screen,
  type Size,
  type Style,
  styled,
  widthOf,
  wrap,
} from './screen.ts';

export interface GameTools {
  readonly app: App;
  /** Has the command `hint`. */
  readonly dispatcher: Dispatcher;
  readonly screen: Screen;
  readonly input: Input;
  readonly output: Output;
}

/**
 * Plays a board on the full screen, until the person leaves, and shows where they have got to.
 *
 * @returns the exit status
 */
export async function playGame(request: Request, tools: GameTools): Promise<number> {
  const { app, dispatcher, screen, input, output } = tools;
  const asker: Asker = request;
  const games = new SoloGames(app);
  // A mistake, such as an unreadable board, is reported before the screen switches.
  const opened = await games.open(asker, request.options);
  const game = gameOnScreen(asker, games, dispatcher, opened);
  const full = new FullScreen(input, output);
  await full.run(async () => {
    for (;;) {
      full.draw(gameScreen(game.shown(), full.size, screen));
      const typed = await full.next();
      if (typed === undefined || !(await game.press(keysOf(typed)))) return;
    }
  });
  console.log(partingText(game.shown().card, screen));
  return EXIT.answered;
}

/** How the game stands, with the commands that are useful afterwards: those for a solved board, or for going on. */
function partingText(card: GameCard, screen: Screen): string {
  const reply = gameReply(card);
  const isUseful = ({ action }: Button) => card.solved !== undefined && action.command !== 'play';
  const blocks = reply.blocks.map((block) =>
    block.kind === 'buttons' ? { ...block, buttons: block.buttons.filter(isUseful) } : block,
  );
  const text = replyText({ ...reply, blocks }, { reveal: true, screen });
  if (card.solved !== undefined) return text;
  return `${text}\n\n→ Hint: ${callOn(card, 'hint')}\n\nYour game is kept. Go on with: ${callOn(card, 'play')}`;
}

/** A command on the board of a game, as it is typed. */
function callOn({ options }: Pick<GameCard, 'options'>, command: string): string {
  return `${PROGRAM_CALL} ${typeAction({ command, options })}`;
}

/** What a key does in a game. */
type Key =
  | { readonly kind: 'letter'; readonly letter: string }
  | { readonly kind: (typeof CONTROLS)[number] };

const CONTROLS = ['enter', 'back', 'clear', 'restart', 'hint', 'help', 'close', 'quit', 'other'] as const;

/** Control characters as keyboards send them. Ctrl-C arrives as a character, because the terminal is in raw mode. */
const CONTROL_CHARACTERS: Readonly<Record<string, (typeof CONTROLS)[number]>> = {
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

/** The keys in the line at the bottom, and in help. */
const KEY_NAMES = [
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
    return { kind: CONTROL_CHARACTERS[typed === '\r\n' ? '\r' : typed] ?? 'other' };
  });
}

/** A game, with what is shown around it. */
function gameOnScreen(asker: Asker, games: SoloGames, dispatcher: Dispatcher, opened: PlayedGame) {
  let played = opened;
  let hints: Reply | undefined;
  let note: string | undefined;
  let isHelpOpen = false;
  let isRestartAsked = false;
  let isHintAsked = false;
  const card = () => gameCard(played);

  /** The move of a key. Starting over takes two presses. */
  const takeKey = (key: Key): Move | undefined => {
    const wasAsked = isRestartAsked;
    isRestartAsked = false;
    switch (key.kind) {
      case 'letter':
        return key;
      case 'enter':
      case 'back':
      case 'clear':
        return { kind: key.kind };
      case 'restart':
        // Where it can't be done, the game itself says why.
        if (wasAsked || !card().can.restart) return { kind: 'restart' };
        isRestartAsked = true;
        note = 'Press Ctrl-R once more to start over.';
        return undefined;
      default:
        return undefined;
    }
  };

  const play = async (moves: readonly Move[]) => {
    isHelpOpen = false;
    const { version } = played;
    const { options } = played.namedBoard;
    try {
      played = await games.play(asker, { options, moves, version });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      note = error.message;
    }
  };

  /** The card of hints grows by one. */
  const hint = async () => {
    if (!card().can.hint) return;
    isHelpOpen = false;
    if (hints === undefined && !isHintAsked) {
      isHintAsked = true;
      note = 'Press Tab once more for a hint. It is counted with your result.';
      return;
    }
    const action =
      hints === undefined ? { command: 'hint', options: played.namedBoard.options } : nextHint(hints);
    if (action === undefined) {
      note = `The solution: ${callOn(card(), 'reveal')}`;
      return;
    }
    const reply = await replyOf(dispatcher.prepare({ ...asker, ...action }));
    if (reply === undefined) return;
    // Without a hint, the reply says why there is none.
    if (reply.blocks.some(({ kind }) => kind === 'spoiler')) hints = reply;
    else note = [reply.title, ...textOf(reply)].join(' ');
  };

  return {
    shown: (): GameScreenState => ({ card: card(), hints, note, isHelpOpen }),

    /** What was typed since the last answer. @returns false if the person leaves */
    async press(keys: readonly Key[]): Promise<boolean> {
      note = undefined;
      let moves: Move[] = [];
      const flush = async () => {
        const made = moves;
        moves = [];
        if (made.length > 0) await play(made);
      };
      for (const key of keys) {
        const move = takeKey(key);
        if (move !== undefined) {
          moves.push(move);
          if (moves.length === MAX_MOVES) await flush();
          continue;
        }
        await flush();
        if (key.kind === 'quit') return false;
        if (key.kind === 'hint') await hint();
        if (key.kind === 'help') isHelpOpen = !isHelpOpen;
        if (key.kind === 'close') isHelpOpen = false;
      }
      await flush();
      return true;
    },
  };
}

/** What the button below the hints does. */
function nextHint({ blocks }: Reply): Action | undefined {
  return blocks
    .flatMap((block) => (block.kind === 'buttons' ? block.buttons : []))
    .map(({ action }) => action)
    .find(({ command, options }) => command === 'hint' && options.step !== undefined);
}

function textOf({ blocks }: Reply): string[] {
  return blocks.flatMap((block) =>
    block.kind === 'text' ? block.lines.filter((line) => typeof line === 'string') : [],
  );
}

/** The smallest screen on which everything fits: the usual default of terminals. */
const MIN_SIZE: Size = { columns: 80, rows: 24 };
/** The board is never higher, however large the screen. */
const MAX_BOARD_ROWS = 31;
/** Title, message and keys, with a line between. */
const OTHER_ROWS = 5;
const COLUMN_GAP = 3;
/** Columns that words, hints and help need. */
const SIDE_COLUMNS = 39;

interface GameScreenState {
  readonly card: GameCard;
  /** The hints that were asked for. */
  readonly hints?: Reply;
  readonly isHelpOpen: boolean;
  /** A message to show in place of the game's own refusal. */
  readonly note?: string;
}

/** Effects of keys that do nothing on a solved board. */
const KEYS_FOR_OPEN_BOARDS: readonly string[] = ['word', 'hint', 'clear'];

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
    KEY_NAMES.filter(([, does]) => card.solved === undefined || !KEYS_FOR_OPEN_BOARDS.includes(does))
      .map(([key, does]) => `${styled('bold', key, screen)} ${does}`)
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
  const keys = KEY_NAMES.map(
    ([key, does]) => `${styled('bold', key, screen)}${' '.repeat(11 - key.length)}${KEY_EXPLANATIONS[does]}`,
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

const KEY_EXPLANATIONS: Readonly<Record<(typeof KEY_NAMES)[number][1], string>> = {
  word: 'enter the word',
  undo: 'take back a letter or word',
  hint: 'a little more of the hints',
  clear: 'take back this word',
  restart: 'start over (press twice)',
  help: 'show or close this',
  quit: 'leave; your game is kept',
};

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
