/** The commands that the site answers like the bot: none of them needs a store. */

import { check } from '../../../commands/check.ts';
import { generate } from '../../../commands/generate.ts';
import { hint } from '../../../commands/hint.ts';
import { next } from '../../../commands/next.ts';
import { solve } from '../../../commands/solve.ts';
import { words } from '../../../commands/words.ts';
import { UserError } from '../../core/errors.ts';
import { capitalized, listed, splitWords } from '../../core/text.ts';
import { type App, type Command, handlerOf, type ReadingApp, textOf } from '../../dispatch/contract.ts';
import { missingOptions, readOptions, SIDES_OPTION } from '../../dispatch/options.ts';
import { boardToPlay, buttonOn, namedBoardOf } from '../../reply/model/named-board.ts';
import { buttonsBlock, factsBlock, lineText, toAsker } from '../../reply/model/text.ts';
import type { Action, Block, Picture, Reply } from '../../reply/model/types.ts';
import { altText } from '../../reply/picture/drawing.ts';
import { pathOf } from '../../reply/picture/path.ts';
import { appraisalFacts, refuseUnsolved } from '../../reply/replies/made-boards.ts';
import { formatBoard, parseBoard } from '../../solver/board.ts';
import { isOffensive } from '../../wordlists/offensive-words.ts';
import { type BoardView, boardView, linesOf, type WordLine } from '../board/view.ts';

const make: Command = {
  name: 'make',
  description: 'Your own board, and a link to it for others',
  options: [
    { ...SIDES_OPTION, description: 'The letters, with a space between two sides; left out, I choose them' },
  ],
  access: 'anyone-reads',
  private: true,
  examples: ['make ozu nri lfa mbt'],
  async run(request, { puzzles, work, randomSeed }) {
    const sides = textOf(request, 'sides');
    const board =
      sides === undefined
        ? (await work.run('generate', { seed: randomSeed(), difficulty: 'easy' }, request)).board
        : parseBoard(sides);
    const source = await puzzles.wordSource({ board });
    const appraisal = refuseUnsolved(await work.run('appraise', { board, source }, request));
    const plain = namedBoardOf(board);
    const namedBoard = { ...plain, options: { ...plain.options, par: appraisal.par } };
    const blocks = [
      boardToPlay(namedBoard),
      factsBlock(appraisalFacts(appraisal)),
      buttonsBlock([buttonOn(namedBoard, 'Play', 'play')]),
    ];
    const rerun = { command: 'make', options: { sides: formatBoard(board) } };
    return toAsker(`Your board: ${namedBoard.name}`, blocks, { rerun });
  },
};

/** A command as the page of tools offers it. */
export interface Question {
  readonly command: Command;
  readonly asks: string;
  readonly button: string;
  /** Shown behind the others, since it is asked less often. */
  readonly isMore?: true;
}

export const QUESTIONS: readonly Question[] = [
  { command: solve, asks: 'Solve a board', button: 'Solve it' },
  { command: check, asks: 'Is this word allowed?', button: 'Check' },
  { command: next, asks: 'What comes next?', button: 'Find words' },
  { command: make, asks: 'Make a board', button: 'Make it' },
  { command: words, asks: 'Which words are there?', button: 'List them', isMore: true },
  { command: hint, asks: 'Give me a hint', button: 'Hint', isMore: true },
  { command: generate, asks: 'Draw me a board', button: 'Draw one', isMore: true },
];

/** The parts of an app that these commands use. */
export interface SiteApp extends Pick<ReadingApp, 'clock' | 'randomSeed'> {
  readonly puzzles: Pick<App['puzzles'], 'puzzleOf' | 'wordSource'>;
  readonly work: Pick<App['work'], 'run'>;
}

/** @throws UserError for requests that the site does not answer */
export async function answerTo({ command: name, options: given }: Action, app: SiteApp): Promise<Reply> {
  const command = QUESTIONS.find((one) => one.command.name === name)?.command;
  if (command === undefined) throw new UserError('site.command', 'This page doesn’t know that question.');
  const options = readOptions(command, given);
  const missing = missingOptions(command, options).map((option) => option.name);
  if (missing.length > 0)
    throw new UserError('site.missing', `Fill in “${listed(missing.map(capitalized))}”.`);
  const handler = handlerOf(command, options);
  if (handler.access !== 'anyone-reads' && handler.access !== 'anyone-writes')
    throw new TypeError(`${name} needs rights`);
  const hasShown = command.options.some((option) => option.name === 'shown');
  const request = {
    door: 'web' as const,
    who: { id: 'visitor', mayManage: false },
    where: { tenant: 'web:site', channel: 'site', direct: true },
    command: name,
    // The hints on the message whose button was pressed. Without it, `hint` would look them up in a store.
    options: { ...(hasShown && { shown: 'none' }), ...options },
    hintRecording: 'off' as const,
  };
  // There is no store: these commands answer without one, and nothing is recorded.
  return handler.run(request, app as unknown as App);
}

/** A reply for a page of the site, with its boards drawn. */
export interface AnswerView {
  readonly title: string;
  readonly parts: readonly AnswerPart[];
  /** The question with what was left to chance, such as the seed of a board. */
  readonly rerun: Action | undefined;
}

export type AnswerPart =
  | Exclude<Block, { kind: 'picture' | 'spoiler' }>
  /** A visitor has asked for it, so it is open, unless it holds an offensive word. */
  | (Pick<Extract<Block, { kind: 'spoiler' }>, 'kind' | 'label' | 'hidden'> & { readonly isOpen: boolean })
  | { readonly kind: 'picture'; readonly drawn: DrawnBoard }
  /** The address of a board to play, which may be shared. */
  | { readonly kind: 'link'; readonly address: string };

/** A board with words drawn across it. */
export interface DrawnBoard {
  readonly alt: string;
  readonly view: BoardView;
  readonly lines: readonly WordLine[];
}

/** The board that is typed, with words across it. Without a list of words, a part of a board is drawn, too. */
export function drawTyped(typed: string, words?: readonly string[]): DrawnBoard {
  const text = String(readOptions(solve, { sides: typed }).sides ?? '');
  const groups = text.toLowerCase().match(/[a-z]+/g) ?? [];
  // Letters without a space, up to twelve of them, are sides of three.
  const sides = groups.length === 1 && groups[0]!.length <= 12 ? groups[0]!.match(/.{1,3}/g)! : groups;
  const isWhole = sides.length > 4 || (sides.length === 4 && sides.every(({ length }) => length > 2));
  if (words === undefined && !isWhole) return drawnBox(sides);
  const board = parseBoard(text);
  return drawn({ board, path: pathOf(board, words ?? []) });
}

/** A box with at least three places on each side. Places without a letter are empty. */
function drawnBox(sides: readonly string[]): DrawnBoard {
  const box = [0, 1, 2, 3].map((side) => (sides[side] ?? '').padEnd(3, '-'));
  // A board has a letter at every place, so empty ones get an A until it is laid out.
  const { view, lines } = drawn({ board: parseBoard(box.join(' ').replaceAll('-', 'a')) });
  const isEmpty = (side: number, place: number) => box[side]![place] === '-';
  return {
    alt: 'The board, as far as it is typed.',
    view: {
      ...view,
      sides: view.sides.map(({ name, spots }, side) => ({
        name,
        spots: spots.map((spot, place) => (isEmpty(side, place) ? { ...spot, letter: '' } : spot)),
      })),
    },
    lines,
  };
}

/** @param addressOf the page that plays a board */
export function answerView(
  { title, blocks, rerun }: Reply,
  addressOf: (board: Action['options']) => string,
): AnswerView {
  return { title, parts: blocks.flatMap((block) => partsOf(block, addressOf)), rerun };
}

function partsOf(block: Block, addressOf: (board: Action['options']) => string): AnswerPart[] {
  if (block.kind === 'spoiler') {
    const { kind, label, hidden } = block;
    const words = hidden.flatMap((line) => splitWords(lineText(line)));
    return [{ kind, label, hidden, isOpen: !words.some(isOffensive) }];
  }
  if (block.kind !== 'picture') return [block];
  const { picture, play } = block;
  const shown: AnswerPart = { kind: 'picture', drawn: drawn(picture) };
  return [shown, ...(play === undefined ? [] : [{ kind: 'link', address: addressOf(play) } as const])];
}

function drawn({ board, path }: Pick<Picture, 'board' | 'path'>): DrawnBoard {
  return {
    alt: altText(board, { path }),
    view: boardView(board),
    lines: path === undefined ? [] : linesOf(board, path),
  };
}
