/** A day's board, and the steps of its thread. */

import { capitalized, counted, listed, longDate } from '../../core/text.ts';
import type { Judge, Puzzle } from '../../puzzle/types.ts';
import { formatBoard } from '../../solver/board.ts';
import type { Search } from '../../solver/search.ts';
import { FACTS, type Fact, HINT_STEPS } from '../model/facts.ts';
import { actionOn, boardToPlay, buttonOn, type NamedBoard, namedBoardOfDay } from '../model/named-board.ts';
import { buttonsBlock, factsBlock, notes, replyTo, textBlock, toAsker } from '../model/text.ts';
import type { BoardReply, Button, Inline, Line, Reply } from '../model/types.ts';
import { hintBlocks } from './hint.ts';
import { HINTS, type Hint, hintNumber } from './hint-steps.ts';
import { solutionBlocks, solutionReply } from './reveal.ts';
import { notFoundIn } from './solution-lists.ts';

/** The rules of the game in two lines, for people who have never played it. */
export const RULES = [
  'Connect letters to make words, never two in a row from the same side. Each word starts with the last letter of the word before.',
  'Use every letter of the board, in as few words as you can. You may use letters again.',
] as const;

export interface DayBoardRequest {
  readonly puzzle: Puzzle;
  /** When the puzzle's day ends; left out for days past. */
  readonly until?: number;
  readonly audience: Reply['audience'];
}

/**
 * The day's board: a picture, its par, and buttons to play it, for a hint, and to check words; once its day is over, the
 * first button leads to the solution. Everything in it stays true while people can read it.
 *
 * @example dayBoardReply({ puzzle, audience: 'everyone' }).title // 'Letter Boxed for Friday, November 20, 2026'
 */
export function dayBoardReply({ puzzle, until, audience }: DayBoardRequest): Reply {
  const namedBoard = namedBoardOfDay(puzzle);
  const isOver = until === undefined;
  const blocks = [
    boardToPlay(namedBoard),
    factsBlock({
      Par: puzzle.par !== undefined && counted(puzzle.par, 'word'),
      'On until': until !== undefined && { moment: until, style: 'full' },
    }),
    notes(sourceLabel(puzzle), isOver && DAY_OVER_NOTE),
    buttonsBlock(
      isOver
        ? [
            buttonOn(namedBoard, 'Solution', 'reveal', { look: 'primary' }),
            buttonOn(namedBoard, 'Play', 'play'),
            buttonOn(namedBoard, 'Hint', 'hint'),
          ]
        : playButtons(namedBoard),
    ),
  ];
  return replyTo(audience, `Letter Boxed for ${namedBoard.name}`, blocks, {
    rerun: actionOn(namedBoard, 'today'),
  });
}

/** Buttons for a board that is on. */
export function playButtons(namedBoard: NamedBoard): Button[] {
  return [
    buttonOn(namedBoard, 'Play', 'play', { look: 'primary' }),
    buttonOn(namedBoard, 'Hint', 'hint'),
    buttonOn(namedBoard, 'Check', 'check'),
  ];
}

const DAY_OVER_NOTE = 'The day of this board is over. Solving it still counts in your stats.';

/** The source of a puzzle. It is shown with every puzzle, so that nobody mistakes one for another. */
export function sourceLabel({
  source,
  date,
  editor,
  typedAt,
  isFallback,
}: Pick<Puzzle, 'source' | 'date' | 'editor' | 'typedAt' | 'isFallback'>): Line {
  switch (source) {
    case 'newspaper':
      return `The New York Times’ board${editor === undefined ? '' : `, edited by ${editor}`}.`;
    case 'house':
      return `${isFallback ? 'The newspaper can’t be reached. ' : ''}Made by this bot.`;
    case 'hand': {
      const when: Inline[] = typedAt === undefined ? [] : [', ', { moment: typedAt, style: 'relative' }];
      return [`Typed by hand for ${longDate(date)}`, ...when, '. Not checked with the newspaper.'];
    }
  }
}

/** The answer to the person who typed a board, when the newspaper turns out to have another one for that day. */
export function disagreementReply(
  { channel }: { readonly channel: string },
  typed: Puzzle,
  fetched: Puzzle,
): Reply {
  const sides = formatBoard(fetched.board);
  return toAsker(
    `The newspaper has another board: ${longDate(typed.date)}`,
    textBlock([
      `You typed ${formatBoard(typed.board).toUpperCase()}; the newspaper has ${sides.toUpperCase()}.`,
      [
        { channel },
        ' keeps yours. If you mistyped it and its thread isn’t open yet, type there: ',
        { command: `set ${sides}` },
      ],
    ]),
  );
}

/** The steps of a day's thread, in their order: each reveals one fact. */
export const THREAD_STEPS = FACTS;
export type ThreadStep = Fact;

const SOLUTION = { name: 'The solution', setting: 'When the full solution comes, or off' };
const STEP_TEXTS: Readonly<Record<ThreadStep, Pick<Hint, 'name' | 'setting'>>> = {
  ...HINTS,
  solution: SOLUTION,
};

/** The name of a step in sentences, such as `start letters`. */
export function stepName(step: ThreadStep): string {
  return STEP_TEXTS[step].name.toLowerCase();
}

/** The description of the option for the time of a step. */
export function stepSetting(step: ThreadStep): string {
  return STEP_TEXTS[step].setting;
}

/** Tells the person who opens a step how many have done so before. @example openedBeforeText(3) // '3 other people have opened this.' */
export function openedBeforeText(others: number | undefined): string | undefined {
  if (!others) return undefined;
  return others === 1 ? 'One other person has opened this.' : `${others} other people have opened this.`;
}

export interface ThreadStepsRequest extends Pick<Judge, 'isListExact'> {
  readonly puzzle: Puzzle;
  readonly steps: readonly ThreadStep[];
  readonly search: Search;
  readonly audience: Reply['audience'];
}

/** The message of one step, or of several that come together, in the order of the steps. */
export function threadStepsReply(request: ThreadStepsRequest): BoardReply {
  const { puzzle, steps, search, isListExact, audience } = request;
  const namedBoard = namedBoardOfDay(puzzle);
  const official = puzzle.official && { words: puzzle.official, source: puzzle.source };
  const solution = { namedBoard, search, isListExact, official, audience };
  const inOrder = THREAD_STEPS.filter((step) => steps.includes(step));
  const hints = HINT_STEPS.filter((step) => steps.includes(step));
  const isForAll = audience === 'everyone';
  if (hints.length === 0) {
    const reply = solutionReply({ ...solution, source: sourceLabel(puzzle) });
    // The thread's name has the day already.
    return isForAll ? { ...reply, title: SOLUTION.name } : reply;
  }
  const names = listed(inOrder.map(stepName));
  let title = isForAll ? capitalized(names) : `${namedBoard.name}: ${names}`;
  if (inOrder.length === 1) title = `${hintNumber(hints[0]!)}: ${names}`;
  const blocks = [
    ...hintBlocks({ namedBoard, search }, hints),
    ...(inOrder.length > hints.length ? solutionBlocks(solution) : []),
  ];
  return replyTo(audience, title, blocks, {
    // All of it is hidden: each spoiler names what it reveals to the person who opens it.
    reveals: [],
    notFound: notFoundIn(blocks, search),
    rerun: actionOn(namedBoard, 'thread', { steps: inOrder.join(',') }),
  });
}
