import { counted } from '../../core/text.ts';
import { makeBoard } from '../../solver/board.ts';
import type { CheckResult } from '../../solver/check.ts';
import { buttonOn, pictureOf, type Subject, wordsOption } from '../model/subject.ts';
import { bold } from '../model/text.ts';
import type { Block, Fact, Inline, Picture, Reply } from '../model/types.ts';
import { altText } from '../picture/alt-text.ts';
import { checkedReply } from './checked.ts';
import { durationText, hintsUsed, type ResultNumbers, resultLine, squaresOf } from './result-line.ts';

/** A path across a board of unknown letters; see `AnonymizedPath` of the store. */
export interface ShuffledPath {
  readonly sides: readonly number[];
  readonly words: readonly (readonly number[])[];
}

export interface OwnResult extends ResultNumbers {
  readonly letters: number;
  /** Null when it was solved after its day; undefined where no thread was opened before. */
  readonly sinceOpening: number | null | undefined;
  readonly path?: ShuffledPath;
}

export interface SolvedPlayRequest {
  readonly subject: Subject;
  readonly words: readonly string[];
  /** The result of these words. */
  readonly result: OwnResult;
  /** The best so far, where it stays the best. */
  readonly better?: OwnResult;
  /** The best until now, which these words beat. */
  readonly beaten?: OwnResult;
  readonly par?: number;
  readonly certain: boolean;
  /** On this channel's leaderboard of that day. */
  readonly rank?: { readonly rank: number; readonly of: number };
}

/** A solved board, for the person alone until they share it. */
export function solvedPlayReply(request: SolvedPlayRequest): Reply {
  const { subject, words, result, better, beaten, certain } = request;
  const kept = better ?? result;
  return {
    title: `Solved in ${counted(result.words, 'word')} (${subject.name})`,
    blocks: [
      { kind: 'text', lines: [verdict(better, beaten)] },
      { kind: 'facts', facts: factsOf(request) },
      pictureOf(subject.board, { words }),
      { kind: 'text', lines: ['To share:', resultLine(kept), squaresOf(kept.lengths)] },
      ...(certain
        ? []
        : [
            {
              kind: 'note' as const,
              line: 'Judged by our own word list: the game’s is not known for this board.',
            },
          ]),
      {
        kind: 'buttons',
        buttons: [
          buttonOn(subject, 'Share', 'share', {}, 'primary'),
          { label: 'My stats', action: { command: 'stats', options: {} } },
          { label: 'Leaderboard', action: { command: 'leaderboard', options: {} } },
          buttonOn(subject, 'See other solutions', 'reveal'),
        ],
      },
    ],
    audience: 'asker',
  };
}

function verdict(better: OwnResult | undefined, beaten: OwnResult | undefined): string {
  if (better !== undefined)
    return `Right, but your ${briefly(better)} stay${better.words === 1 ? 's' : ''} your best result of that day.`;
  if (beaten !== undefined) return `Better than your ${briefly(beaten)} before: it takes their place.`;
  return 'Every letter is used. Only you see this until you share it.';
}

function briefly({ words, letters, hints }: OwnResult): string {
  return `${counted(words, 'word')} of ${counted(letters, 'letter')} with ${hintsUsed(hints)}`;
}

function factsOf({ result, par, rank }: SolvedPlayRequest): Fact[] {
  const { words, letters, hints, sinceOpening } = result;
  const aim = par === undefined ? '' : ` (par is ${par})`;
  return [
    { label: 'Words', value: `${words}${aim}` },
    { label: 'Letters', value: String(letters) },
    { label: 'Hints used', value: hints === 0 ? 'none' : String(hints) },
    ...(sinceOpening === null
      ? [{ label: 'Counts', value: 'in your stats, not for streak and leaderboard: its day is over' }]
      : sinceOpening === undefined
        ? []
        : [{ label: 'Time', value: `${durationText(sinceOpening)} after the board was posted` }]),
    ...(rank === undefined ? [] : [{ label: 'Here that day', value: `place ${rank.rank} of ${rank.of}` }]),
  ];
}

/** Words that don't solve the board yet: what `check` says about them, and a button to try again. */
export function unsolvedPlayReply(subject: Subject, result: CheckResult, certain: boolean): Reply {
  const { again: _, ...checked } = checkedReply({ subject, result, certain, audience: 'asker' });
  const wrong = result.words.findIndex(({ broken }) => broken !== undefined);
  const right = result.words.slice(0, wrong < 0 ? undefined : wrong).map(({ word }) => word);
  return {
    ...checked,
    blocks: [
      ...checked.blocks.filter(({ kind }) => kind !== 'buttons'),
      ...(wrong < 0
        ? [{ kind: 'text' as const, lines: ['That is not a solution yet: letters are left.'] }]
        : []),
      {
        kind: 'buttons',
        buttons: [
          buttonOn(subject, 'Play', 'play', {}, 'primary'),
          buttonOn(subject, right.length > 0 ? 'Hint from here' : 'A hint', 'hint', wordsOption(right)),
        ],
      },
    ],
  };
}

/** A result for everyone to see. Nothing in it shows a letter or the position of one. */
export function sharedReply(subject: Subject, person: string, result: OwnResult): Reply {
  const { sinceOpening, path } = result;
  const who: Inline[] = [
    { person },
    ' solved it',
    sinceOpening === null
      ? ' after its day'
      : sinceOpening === undefined
        ? ''
        : ` ${durationText(sinceOpening)} after it was posted`,
    '.',
  ];
  return {
    title: resultLine(result),
    blocks: [
      { kind: 'text', lines: [who, squaresOf(result.lengths)] },
      ...(path === undefined ? [] : [pathPicture(path)]),
      { kind: 'buttons', buttons: [buttonOn(subject, 'Play', 'play')] },
    ],
    audience: 'everyone',
  };
}

/** The board under the path is made up: its letters are the first of the alphabet, and none is drawn. */
function pathPicture({ sides, words }: ShuffledPath): Block {
  const alphabet = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
  const board = makeBoard(sides.map((length) => alphabet.splice(0, length).join('')));
  const picture: Picture = { board, path: { words }, letters: false };
  return { kind: 'picture', picture, alt: altText(board, picture) };
}

/** For the person who shared, when the result itself was posted in the day's thread. */
export function sharedNoteReply(
  result: OwnResult,
  outcome: 'posted' | 'shared-before' | 'unconfirmed',
): Reply {
  const lines = {
    posted: 'It stands in the day’s thread now.',
    'shared-before': 'You have shared this result already.',
    unconfirmed:
      'The thread gave no answer, so it may or may not stand there. Have a look before you try again.',
  };
  return {
    title: outcome === 'unconfirmed' ? 'Perhaps shared' : 'Shared',
    blocks: [{ kind: 'text', lines: [[lines[outcome], ' ', bold(resultLine(result))]] }],
    audience: 'asker',
  };
}

/** For a person without a result of that day. */
export function unsharedReply(subject: Subject): Reply {
  return {
    title: `Nothing to share yet of ${subject.name}`,
    blocks: [
      { kind: 'text', lines: ['Play this board first: nobody else sees your words.'] },
      { kind: 'buttons', buttons: [buttonOn(subject, 'Play', 'play', {}, 'primary')] },
    ],
    audience: 'asker',
  };
}
