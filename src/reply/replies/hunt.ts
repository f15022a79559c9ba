import type { PuzzleDate } from '../../core/clock.ts';
import { capitalized, counted, grouped, listed, shortDate } from '../../core/text.ts';
import { type BoardFacts, type Fact, factsAbout, type HintStep, stepsOf } from '../model/facts.ts';
import { buttonOn, type NamedBoard } from '../model/named-board.ts';
import {
  bold,
  buttonsBlock,
  chainText,
  joined,
  notes,
  present,
  textBlock,
  toAsker,
  toEveryone,
} from '../model/text.ts';
import type { Block, BoardReply, Inline, Line, Reply } from '../model/types.ts';
import { playReply } from './board.ts';
import type { Recap } from './chosen-solutions.ts';
import { hintPoints, pointsText, priceOf } from './hint-steps.ts';

/** A person's progress in the hunt for a board's solutions. */
export interface HuntProgress {
  readonly found: number;
  readonly of: number;
  /** How many solutions were found that are not among those to find. */
  readonly others: number;
  /** Whether the solution that they have just played is a new find. */
  readonly isNew?: boolean;
  /** Whether the channel's thread had told everybody that solution. */
  readonly isTold?: boolean;
}

export interface HuntInChannel extends Pick<HuntProgress, 'others'> {
  readonly solutions: readonly (readonly string[])[];
  /** The solutions found, each as its words separated by spaces. */
  readonly found: readonly string[];
  /** The people who found solutions first, with their numbers, the best first. */
  readonly firsts: readonly { readonly person: string; readonly count: number }[];
}

export interface HuntOfWeek {
  /** Everybody with the most finds, and their number. */
  readonly best: { readonly people: readonly string[]; readonly finds: number };
  /** Days on which everything was found. */
  readonly complete: readonly PuzzleDate[];
  /** Of the solutions that only one person found, the farthest down its board's list: shortest first, then likeliest. */
  readonly rarest?: {
    /** Its index in that list. */
    readonly place: number;
    readonly date: PuzzleDate;
    readonly person: string;
    readonly words: readonly string[];
    readonly board: BoardFacts['board'];
  };
}

/** Titles by the share found, in percent. */
const HUNT_RANKS: readonly (readonly [number, string])[] = [
  [100, 'Complete'],
  [80, 'Master hunter'],
  [60, 'Hunter'],
  [40, 'Tracker'],
  [20, 'Seeker'],
  [0, 'First find'],
];

/** Says what a newly played solution means for the hunt. */
export function huntLine(progress: HuntProgress): string {
  const line = `The hunt: ${progressText(progress)}.`;
  if (progress.isTold) return `This solution was shown before, so it is no find. ${line}`;
  return progress.isNew === false ? `You found this solution before. ${line}` : line;
}

function progressText({ found, of, others }: HuntProgress): string {
  const besides = others === 0 ? '' : `, and ${grouped(others)} besides`;
  return `${found} of ${of} found${besides}`;
}

/** The kind of the next hint: the first letter of a solution not found yet, or its first word. */
export const HUNT_HINTS = ['letter', 'word'] as const;
type HuntHint = (typeof HUNT_HINTS)[number];

interface Hunted {
  readonly solutions: readonly (readonly string[])[];
  /** The solutions that a person has found, among them others of the board, each as its words separated by spaces. */
  readonly finds: readonly string[];
}

export function progressOf({ solutions, finds }: Hunted): HuntProgress {
  const toFind = new Set(solutions.map((words) => words.join(' ')));
  const found = finds.filter((solution) => toFind.has(solution)).length;
  return { found, of: solutions.length, others: finds.length - found };
}

export interface HuntShown extends Hunted {
  readonly namedBoard: NamedBoard;
  /** The hints of the board so far: each is paid for once. */
  readonly seen: readonly HintStep[];
  /** Whether a better solution would still count. */
  readonly mayImprove?: boolean;
  readonly hint?: HuntHint;
  /** Shows no rank. */
  readonly isCalm?: boolean;
}

/** The asker's own hunt: their finds by first letter, and how many are left for each of these letters. */
export function huntReply({
  namedBoard,
  seen,
  mayImprove = true,
  hint,
  isCalm,
  ...hunted
}: HuntShown): BoardReply {
  const { solutions, finds } = hunted;
  const left = solutions.filter((words) => !finds.includes(words.join(' ')));
  const leftAt = Map.groupBy(left, ([first]) => first![0]!);
  const foundAt = Map.groupBy(finds, (solution) => solution[0]!);
  const elsewhere = left.filter(([first]) => !foundAt.has(first![0]!));
  // The first word of a solution of one word would be all of it.
  const next = left.find(({ length }) => length > 1) ?? left[0];
  const hinted = hint === 'letter' ? elsewhere[0] : next;
  /** What each hint of the hunt gives away. */
  const given: Record<HuntHint, Fact> = { letter: 'start', word: next?.length === 1 ? 'solution' : 'first' };
  const progress = progressOf(hunted);
  const share = (100 * progress.found) / progress.of;
  const rank = isCalm || progress.found === 0 ? undefined : HUNT_RANKS.find(([least]) => share >= least)?.[1];
  const reveals = present<Fact>([
    // Solutions left at a letter reveal that one can begin with it.
    foundAt.keys().some((letter) => leftAt.has(letter)) && 'start',
    hint && hinted && given[hint],
  ]);
  const found = [...foundAt].sort(([a], [b]) => (a < b ? -1 : 1));
  const paidSteps = stepsOf([...seen, ...reveals]);
  const points = hintPoints(paidSteps);
  const priceText = (fact: Fact) => {
    const price = priceOf([fact], paidSteps);
    return mayImprove ? ` (${price === 0 ? 'no more points' : pointsText(price)})` : '';
  };
  const blocks = [
    textBlock([[bold(progressText(progress)), rank === undefined ? '.' : `: ${rank}.`]]),
    textBlock(
      found.map(([letter, some]): Line => {
        const shown = some.map((solution) => chainText(solution.split(' '))).join('; ');
        const more = leftAt.get(letter)?.length ?? 0;
        return [bold(letter.toUpperCase()), `: ${shown}${more === 0 ? '' : ` (${more} left)`}`];
      }),
    ),
    textBlock([
      elsewhere.length > 0 && `${elsewhere.length} more with other first letters.`,
      hint !== undefined && hintLine(hint, hinted),
    ]),
    notes(
      mayImprove &&
        points > 0 &&
        `If you beat your result, the new one has ${counted(points, 'hint point')}.`,
    ),
    buttonsBlock([
      buttonOn(namedBoard, left.length > 0 ? 'Look for another one' : 'Play', 'play', { look: 'primary' }),
      ...present([elsewhere.length > 0 && 'letter', left.length > 0 && 'word']).map((kind) =>
        buttonOn(namedBoard, `A first ${kind}${priceText(given[kind])}`, 'hunt', { options: { hint: kind } }),
      ),
    ]),
  ];
  const told = hint === 'word' && hinted !== undefined ? { chains: [hinted.slice(0, 1)] } : undefined;
  return toAsker(`Your hunt: ${namedBoard.name}`, blocks, {
    reveals: [{ ...factsAbout(namedBoard, ...reveals), told }],
  });
}

function hintLine(hint: HuntHint, [word = '']: readonly string[] = []): Line {
  if (word === '') return hint === 'letter' ? 'You know all first letters.' : 'You’ve found all of them.';
  return hint === 'letter'
    ? ['One that you have not found starts with ', bold(word[0]!.toUpperCase()), '.']
    : ['The first word of one that you have not found: ', bold(word.toUpperCase()), '.'];
}

export function nothingFoundReply(namedBoard: NamedBoard, of: number): Reply {
  // Not "there are": most boards have more, and people who ask how many come here, too.
  const line = `The hunt is for ${counted(of, 'solution')} of this board. Once you have solved it, each one counts.`;
  return playReply(namedBoard, `The hunt: ${namedBoard.name}`, line);
}

/** The one message about a hunt in a thread. It says nothing of the solutions. */
export function huntCardReply(
  hunt: HuntInChannel | undefined,
  { options, names }: { readonly options: NamedBoard['options']; readonly names: boolean },
): Reply {
  const shown = hunt === undefined ? [] : present([countLine(hunt), names && firstsLine(hunt)]);
  return toEveryone('The hunt', [
    textBlock([...shown, 'Solved it? Every other solution counts.']),
    buttonsBlock([buttonOn({ options }, 'Hunt', 'hunt')]),
  ]);
}

function countLine({ found, solutions, others }: HuntInChannel): Line {
  if (found.length === solutions.length) return ['This channel found ', bold('everything'), ' in the hunt.'];
  const besides = others === 0 ? '' : `, and ${counted(others, 'other solution')}`;
  return ['This channel found ', bold(`${found.length} of ${solutions.length}`), ` in the hunt${besides}.`];
}

const MAX_NAMES = 5;

function firstsLine({ firsts }: HuntInChannel): Line | undefined {
  if (firsts.length === 0) return undefined;
  const named = firsts.slice(0, MAX_NAMES).map(({ person, count }): Line => [{ person }, ` (${count})`]);
  return ['First finds: ', ...joined(named, ', '), '.'];
}

/**
 * How the hunt of a day went. What the channel has left to find is hidden, together with the board's hardest letter. It doesn't
 * say that nobody found it, as somebody who hides may have.
 */
export function huntBlocks(
  board: BoardFacts['board'],
  hunt: HuntInChannel | undefined,
  names: boolean,
  recap?: RecapShown,
): Block[] {
  if (hunt === undefined) return [];
  const told = [...hunt.found, ...(recap?.answer ? [recap.answer.join(' ')] : [])];
  const left = hunt.solutions.filter((words) => !told.includes(words.join(' ')));
  return [
    ...textBlock([countLine(hunt), names && firstsLine(hunt)]),
    ...unfoundBlock(board, 'solutions left to find', chainsTogether(left), recap),
  ];
}

/** A recap, and what is told of people's words. */
export type RecapShown = Recap & { readonly told?: Line | undefined };

/** One spoiler for the answer, the hardest letter and the lines: several would be a tall block on a phone. */
export function unfoundBlock(
  board: BoardFacts['board'],
  label: string,
  lines: readonly string[],
  { answer, isPick = false, others, hardest = [], told }: RecapShown = {},
): Block[] {
  const hardestName = `the hardest letter${hardest.length === 1 ? '' : 's'}`;
  const labels = present([
    answer && answerName(isPick),
    told && 'who thought of what',
    hardest.length > 0 && hardestName,
    lines.length > 0 && label,
  ]);
  if (labels.length === 0) return [];
  const isSolution = answer !== undefined || told !== undefined || lines.length > 0;
  const letters = listed(hardest.map((letter) => letter.toUpperCase()));
  const letterLine = isSolution ? `${capitalized(hardestName)}: ${letters}` : letters;
  const facts = present<Fact>([hardest.length > 0 && 'hardest', isSolution && 'solution']);
  const hidden = present([
    answer && `${capitalized(answerName(isPick))}: ${answerText(answer, others)}`,
    told,
    hardest.length > 0 && letterLine,
    ...lines,
  ]);
  return [
    { kind: 'spoiler', label: capitalized(listed(labels)), hidden, reveals: factsAbout({ board }, ...facts) },
  ];
}

/** What the solution that hints were about is called, once the board is over. */
export function answerName(isPick: boolean): string {
  return isPick ? 'my pick' : 'the answer';
}

/** @example answerText(['bequeath', 'howitzer'], 0) // 'BEQUEATH – HOWITZER, the only one in 2 words' */
function answerText(answer: readonly string[], others: number | undefined): string {
  const words = counted(answer.length, 'word');
  const rank =
    others === 0 ? `, the only one in ${words}` : `, one of ${grouped((others ?? 0) + 1)} in ${words}`;
  return `${chainText(answer)}${others === undefined ? '' : rank}`;
}

/**
 * Puts solutions with all but one word in common on one line, and all solutions that are a single word on another: fifteen
 * lines are a tall block on a phone.
 *
 * @example chainsTogether([['furl', 'lobotomy'], ['artful', 'lobotomy']]) // ['FURL, ARTFUL – LOBOTOMY']
 */
export function chainsTogether(solutions: readonly (readonly string[])[]): string[] {
  // What a solution may have in common with others: all but its last word, or all but its first.
  const partsOf = (words: readonly string[]) => [
    chainText([...words.slice(0, -1), '']),
    chainText(['', ...words.slice(1)]),
  ];
  const sizes = Map.groupBy(solutions.flatMap(partsOf), (part) => part);
  const groups = Map.groupBy(solutions, (words) => {
    const [before = '', after = ''] = partsOf(words);
    return sizes.get(after)!.length > sizes.get(before)!.length ? after : before;
  });
  return [...groups].map(([part, some]) => {
    // A part without its first word begins with the space before the dash.
    const isAfter = part.startsWith(' ');
    const others = some.map((words) => words.at(isAfter ? 0 : -1)!.toUpperCase()).join(', ');
    return isAfter ? others + part : part + others;
  });
}

function bestHunters({ people, finds }: HuntOfWeek['best']): Line {
  const many = people.length > 1;
  const named = people.slice(0, MAX_NAMES).map((person): Inline => ({ person }));
  const more = people.length - named.length;
  return [
    `Best hunter${many ? 's' : ''} of the week: `,
    ...joined(named, ', '),
    more > 0 ? ` and ${more} more` : '',
    `, ${counted(finds, 'find')}${many ? ' each' : ''}.`,
  ];
}

export function huntOfWeekBlocks(week: HuntOfWeek | undefined, names: boolean): Block[] {
  if (week === undefined) return [];
  const { best, complete, rarest } = week;
  return [
    ...textBlock([
      names ? bestHunters(best) : `Most finds of one person: ${best.finds}.`,
      complete.length > 0 && `Found completely: ${listed(complete.map(shortDate))}.`,
    ]),
    ...(rarest === undefined ? [] : [rarestBlock(rarest, names)]),
  ];
}

function rarestBlock(rarest: NonNullable<HuntOfWeek['rarest']>, names: boolean): Block {
  const { date, words, person } = rarest;
  const find: Line = [`${shortDate(date)}: ${chainText(words)}`, ...(names ? [', by ', { person }] : [])];
  const reveals = factsAbout(rarest, 'solution');
  return { kind: 'spoiler', label: 'The rarest find of the week', hidden: [find], reveals };
}
