import { counted } from '../../core/text.ts';
import { makeBoard } from '../../solver/board.ts';
import type { AnonymizedPath } from '../../store/tables/results.ts';
import { buttonOn, type NamedBoard, pictureOf, wordsOption } from '../model/named-board.ts';
import {
  bold,
  buttonsBlock,
  type Maybe,
  notes,
  present,
  sentenceReply,
  textBlock,
  toAsker,
  toEveryone,
} from '../model/text.ts';
import type { Block, Inline, PictureEnding, Reply } from '../model/types.ts';
import { altText } from '../picture/drawing.ts';
import { playReply } from './board.ts';
import { type CheckedRequest, checkedReply, UNCERTAIN_NOTE, wordsToGoOnFrom } from './check.ts';
import { briefName, HUNT_LABEL, REVIEW_LABEL } from './game.ts';
import { hintLabel } from './hint-steps.ts';
import {
  durationText,
  LATE_TEXT,
  type ListedNow,
  notationOf,
  OWN_LEADERBOARD_BUTTON,
  type ResultShown,
  resultLine,
  type ScoreShown,
  type ShareFormat,
  SOLVED_REPLACED_SENTENCE,
  scoreText,
  shareMenu,
  squaresOf,
  type ToShare,
  toShareText,
} from './result-line.ts';
import { pictureEnding, type SolvedShown, solvedLines, solvedTitle } from './solved.ts';

/** A solved board of a day, shown to the person alone until they share it. What to do next comes before what can be copied. */
export function solvedPlayReply(
  namedBoard: NamedBoard,
  words: readonly string[],
  solved: SolvedShown & Required<Pick<SolvedShown, 'day'>>,
  isListExact: boolean,
): Reply {
  const { best } = solved.day;
  return toAsker(`${solvedTitle(solved.words)}: ${briefName(namedBoard)}`, [
    textBlock(solvedLines(solved)),
    pictureOf(namedBoard.board, { words, ending: pictureEnding(solved) }),
    notes(!isListExact && UNCERTAIN_NOTE),
    buttonsBlock([
      buttonOn(namedBoard, 'Share', 'share', { look: 'primary' }),
      buttonOn(namedBoard, REVIEW_LABEL, 'review'),
      buttonOn(namedBoard, HUNT_LABEL, 'hunt'),
    ]),
    [shareMenu(namedBoard)],
    textBlock([
      best.words === words.length ? 'To share:' : 'To share, your result:',
      resultLine(namedBoard, best),
      squaresOf({ words: best.words, par: solved.par }),
    ]),
  ]);
}

/** The answer to words that don't solve the board yet: what `check` says about them, and a button to try again. */
export function unsolvedPlayReply(request: CheckedRequest): Reply {
  const { namedBoard, result, nextHint } = request;
  // Without its `rerun`: that is `check`, which makes a reply with other buttons.
  const { rerun: _, ...checked } = checkedReply(request);
  const from = wordsToGoOnFrom(result);
  return {
    ...checked,
    blocks: [
      ...checked.blocks.filter(({ kind }) => kind !== 'buttons'),
      ...buttonsBlock([
        buttonOn(namedBoard, 'Play', 'play', { look: 'primary' }),
        buttonOn(namedBoard, hintLabel(from.length > 0 ? 'Hint from here' : 'Hint', nextHint), 'hint', {
          options: wordsOption(from),
        }),
      ]),
    ],
  };
}

export interface SharedAs {
  /** By default squares, and also the path once the day is over. */
  readonly format?: ShareFormat | undefined;
  /** The words, for the notation. */
  readonly words?: readonly string[] | undefined;
  /** The title of the result, if others may know how close it is to the fewest words. */
  readonly title?: string | undefined;
  /** Others don't play this board any more, so the path, which shows how long the words are, is no hint to them. */
  readonly isOver?: boolean;
}

export type SharedResult = ResultShown & {
  readonly par?: number | undefined;
  readonly path?: AnonymizedPath | undefined;
};

/** What is shown besides the sentence. `path`: squares, and a picture of the path, which reported results don't have. */
export function sharedPart(
  { path }: Pick<SharedResult, 'path'>,
  { format, isOver = false }: Pick<SharedAs, 'format' | 'isOver'>,
): ShareFormat | 'path' {
  return format ?? (isOver && path !== undefined ? 'path' : 'squares');
}

/**
 * A result for everyone to see. Nothing in it shows a letter or its position, except the notation, which is hidden behind a
 * warning.
 */
export function sharedReply(
  namedBoard: NamedBoard,
  person: string,
  result: SharedResult,
  as: SharedAs = {},
): Reply {
  const { sinceOpening, path, reported } = result;
  const { words = [], title } = as;
  const part = sharedPart(result, as);
  const who: Inline[] = [
    { person },
    // Nobody knows when a person solved a board of which they only reported the result.
    reported ? ' reported it' : ' solved it',
    whenText(sinceOpening),
    title === undefined ? '.' : `. ${title}.`,
  ];
  return toEveryone(resultLine(namedBoard, result), [
    textBlock([who, (part === 'squares' || part === 'path') && squaresOf(result)]),
    pathsPicture(part === 'path' ? present([path]) : [], { title: title ?? solvedTitle(result.words) }),
    // No `reveals`: it would charge hint points to the person who shares, who has solved the board, not to those who open it.
    part === 'notation' && {
      kind: 'spoiler',
      label: NOTATION_WARNING,
      hidden: [notationOf(words)],
      reveals: undefined,
    },
    buttonsBlock([buttonOn(namedBoard, 'Play', 'play')]),
  ]);
}

function whenText(sinceOpening: ResultShown['sinceOpening']): string {
  if (sinceOpening === undefined) return '';
  if (sinceOpening === null) return ' after its day was over';
  return ` ${durationText(sinceOpening)} after it was posted`;
}

const NOTATION_WARNING = 'First and last letters of the words, which give something away';

/** Paths side by side. The boards under them are made up: their letters are the first of the alphabet, and none is drawn. */
export function pathsPicture(paths: readonly AnonymizedPath[], ending?: PictureEnding): Block[] {
  const [first, ...beside] = paths.map(({ sides, words }) => {
    const alphabet = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
    const board = makeBoard(sides.map((length) => alphabet.splice(0, length).join('')));
    return { board, path: words };
  });
  if (first === undefined) return [];
  const picture = { ...first, letters: false, ending, beside: beside.length > 0 ? beside : undefined };
  return [{ kind: 'picture', picture, alt: altText(first.board, picture) }];
}

export interface SharedNote {
  readonly outcome: 'posted' | 'shared-before' | 'unconfirmed';
  /** What to call the thread, such as `today’s thread`. */
  readonly thread: string;
  /** Set if the result counts as one after the solution only because this channel had seen the solution before. */
  readonly isAfterSolutionHere?: boolean | undefined;
  /** Set if the result is on the channel's leaderboard from now on. */
  readonly listedNow?: ListedNow | undefined;
}

/** Answers the person who shared, if the result itself was posted in a thread. */
export function sharedNoteReply(
  line: string,
  { outcome, thread, isAfterSolutionHere, listedNow }: SharedNote,
): Reply {
  const lines = {
    posted: `Posted in ${thread}.`,
    'shared-before': 'You’ve shared this result already.',
    unconfirmed: 'It may or may not be in the thread. Look there before you share it again.',
  };
  return toAsker(
    outcome === 'unconfirmed' ? 'Maybe shared' : 'Shared',
    textBlock([
      [lines[outcome], ' ', bold(line)],
      isAfterSolutionHere && 'The solution was posted here before you solved it.',
      listedNow === 'counting' && 'It now counts on this channel’s leaderboard.',
      listedNow === 'late' && LATE_TEXT,
    ]),
  );
}

/** The answer to a request that needs the words of a result, if they are not stored. */
export function noWordsReply(namedBoard: NamedBoard, { reported }: Pick<ScoreShown, 'reported'>): Reply {
  const [title, line] = reported
    ? ['I don’t know your words', 'You only said how many they were. Enter them, and they count as played.']
    : ['Your words are no longer stored', 'Results stay as numbers, and words for 60 days.'];
  return toAsker(title, [
    textBlock([line]),
    buttonsBlock([
      buttonOn(namedBoard, 'Share squares', 'share', { options: { as: 'squares' }, look: 'primary' }),
      reported && buttonOn(namedBoard, 'Play', 'play'),
    ]),
  ]);
}

/** The answer to a person without a result of this board. @param replaced their result of the board that this one replaced */
export function unsharedReply(namedBoard: NamedBoard, replaced?: object): Reply {
  const line = 'Solve this board first. Only you see your words.';
  const title = `Nothing to share yet: ${namedBoard.name}`;
  return playReply(namedBoard, title, replaced && SOLVED_REPLACED_SENTENCE, line);
}

export interface ReportedRequest {
  readonly namedBoard: NamedBoard;
  /** The result that the message reports, with the hints that the person was shown. */
  readonly result: ResultShown;
  /** What the message says of hints itself. */
  readonly said: Pick<ScoreShown, 'hints' | 'afterSolution'>;
  /** The earlier result, if the message does not replace it. */
  readonly better?: ScoreShown;
  /** The earlier result, if the message replaced it. */
  readonly beaten?: ScoreShown;
  /** Where to share the result so that it counts in a channel; undefined if there is no need. */
  readonly toShare?: ToShare | undefined;
  /** Says nothing of streaks and leaderboards. */
  readonly isCalm?: boolean;
  /** Says nothing of leaderboards, which do not list somebody who hides. */
  readonly isHidden?: boolean;
}

/** A result in numbers that was read from a message, shown to the person alone. */
export function reportedReply(request: ReportedRequest): Reply {
  const { namedBoard, result, said, better, beaten, toShare, isCalm, isHidden } = request;
  const kept = better ?? result;
  const lines =
    better === undefined
      ? [
          resultLine(namedBoard, result),
          hintsAddedText(result, said),
          `${beaten === undefined ? '' : `It replaces ${scoreText(beaten)}. `}${countsText(result, { isCalm, isHidden })}`,
        ]
      : [`Your message says ${counted(result.words, 'word')}. Your result stays ${scoreText(better)}.`];
  return toAsker(
    `${better === undefined ? 'Added to your results' : 'Your result stays'}: ${namedBoard.name}`,
    [
      textBlock([...lines, toShare && toShareText(toShare)]),
      notes(kept.reported && 'To have it count as played, enter your words.'),
      buttonsBlock([
        buttonOn(namedBoard, 'Share', 'share', { look: 'primary' }),
        kept.reported && buttonOn(namedBoard, 'Play', 'play'),
        { label: 'My stats', action: { command: 'stats', options: {} } },
        !isCalm && OWN_LEADERBOARD_BUTTON,
      ]),
    ],
  );
}

function countsText(
  { sinceOpening, late }: ResultShown,
  { isCalm, isHidden }: Pick<ReportedRequest, 'isCalm' | 'isHidden'>,
): string {
  if (sinceOpening === null) return 'It counts in your stats only, because its day is over.';
  if (isCalm) return 'It counts in your stats.';
  if (isHidden) return 'It counts for your streak.';
  return late
    ? `It counts for your streak. ${LATE_TEXT}`
    : 'It counts for your streak, and ranks below results that were played here.';
}

/** Why a result has hints of which its message says nothing. */
function hintsAddedText(result: ScoreShown, said: ReportedRequest['said']): Maybe<string> {
  if (said.afterSolution) return undefined;
  if (result.afterSolution) return 'The solution was shown before your message.';
  return result.hints > said.hints && 'The hints that you opened here count, too.';
}

export function unreadMessageReply(namedBoard: NamedBoard): Reply {
  return playReply(
    namedBoard,
    'I found no result in this message',
    `These count as a result of ${namedBoard.name}:`,
    '• your words, with any marks between them or around them',
    '• a line of numbers: 2 words, 1 hint, or #2solve',
    '• first letter, last letter and length of each word: S - H(9), H - T(5)',
    '• a result that you shared from here',
  );
}

/** The answer to a message whose numbers can't be a solution of the board. */
export function misfitReply(namedBoard: NamedBoard, reason: string): Reply {
  const line = `It was read as a result of ${namedBoard.name}. ${reason}`;
  return playReply(namedBoard, 'This notation doesn’t fit the board', line);
}

export function otherAuthorReply(): Reply {
  return sentenceReply('This message isn’t yours', 'You can add results from your own messages only.');
}
