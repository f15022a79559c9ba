import { counted, longDate } from '../../core/text.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import { formatBoard } from '../../solver/board.ts';
import type { GeneratedBoard } from '../../solver/generate.ts';
import { solutionFacts } from '../model/facts.ts';
import {
  actionOn,
  boardToPlay,
  buttonOn,
  type NamedBoard,
  namedBoardOf,
  namedBoardOfDay,
} from '../model/named-board.ts';
import {
  buttonsBlock,
  factsBlock,
  type Maybe,
  notes,
  textBlock,
  toAsker,
  toEveryone,
} from '../model/text.ts';
import { type Action, type Button, dataReply, type Inline, type Line, type Reply } from '../model/types.ts';

/** The rules of the game in two lines, for people who have never played it. */
export const RULES = [
  'Connect letters to make words, never two in a row from one side. Each word starts where the last one ended.',
  'Use every letter, in few words.',
] as const;

/**
 * The day's board: a picture, its par, and buttons to play it, for a hint, and to check words; once its day is over, the
 * first button leads to the solution. Everything in it stays true while people can read it.
 *
 * @param until when the puzzle's day ends; left out for days past
 * @example dayBoardReply(puzzle).title // 'Letter Boxed for Friday, November 20, 2026 · tricky'
 */
export function dayBoardReply(puzzle: Puzzle, until?: number): Reply {
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
  const rerun = actionOn(namedBoard, 'today');
  const title = `Letter Boxed for ${namedBoard.name}`;
  return toEveryone(puzzle.difficulty === undefined ? title : `${title} · ${puzzle.difficulty}`, blocks, {
    rerun,
  });
}

/** A few lines for somebody who has yet to play a board. */
export function playReply(namedBoard: NamedBoard, title: string, ...lines: readonly Maybe<Line>[]): Reply {
  const play = buttonOn(namedBoard, 'Play', 'play', { look: 'primary' });
  return toAsker(title, [textBlock(lines), buttonsBlock([play])]);
}

/** Buttons for a board that people may still be playing: none leads to the solution. */
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
  editor,
  typedAt,
  isFallback,
}: Pick<Puzzle, 'source' | 'editor' | 'typedAt' | 'isFallback'>): Line {
  switch (source) {
    case 'newspaper':
      return `The New York Times’ board${editor === undefined ? '' : `, edited by ${editor}`}.`;
    case 'house':
      return `${isFallback ? 'The newspaper couldn’t be reached. ' : ''}Made by this bot.`;
    case 'hand': {
      const when: Inline[] = typedAt === undefined ? [] : [' ', { moment: typedAt, style: 'relative' }];
      return ['Typed by hand', ...when, '. Not checked with the newspaper.'];
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

/**
 * A new board to play. The solution it was built around is not part of the reply.
 *
 * @param options the options that it was made with, with or without the seed
 */
export function generatedReply(generated: GeneratedBoard, options: Action['options']): Reply {
  const { board, difficulty, wanted, seed, par } = generated;
  const namedBoard = namedBoardOf(board);
  const rerun: Action = { command: 'generate', options: { ...options, seed } };
  const { seed: _, ...shape } = options;
  const blocks = [
    boardToPlay(namedBoard),
    factsBlock({ Par: counted(par, 'word') }),
    notes(wanted && `I found no ${wanted} board for this seed. Here is another one.`),
    // Everybody sees this, so a seed that somebody typed, which may be any text, is not repeated.
    notes(options.seed === undefined && ['Seed: ', { code: seed }, '. The same seed gives the same board.']),
    buttonsBlock([
      ...playButtons(namedBoard),
      { label: 'Another board', action: { command: 'generate', options: shape } },
    ]),
  ];
  return toEveryone(`New ${difficulty} board: ${namedBoard.name}`, blocks, { rerun });
}

/** A new board for programs, with the solution that it was made around if that is requested. */
export function generatedData(generated: GeneratedBoard, withSolution = false): Reply {
  const { board, seed, difficulty, wanted, par, solution } = generated;
  const shown = withSolution ? solution.words : undefined;
  const reveals = withSolution ? [solutionFacts({ board }, [solution.words])] : [];
  return dataReply({ sides: board.sides, seed, difficulty, wanted, par, solution: shown }, reveals);
}
