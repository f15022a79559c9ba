/** What a solved board is worth, in sentences. */

import { counted } from '../../core/text.ts';
import { type Maybe, present } from '../model/text.ts';
import type { PictureEnding, WeekDay } from '../model/types.ts';
import { type HuntProgress, huntLine } from './hunt.ts';
import { DID_IT, type Feats, praise, titleOf } from './praise.ts';
import {
  durationText,
  hereText,
  LATE_TEXT,
  type Place,
  type Players,
  placeText,
  playersHereText,
  type ResultShown,
  replacedText,
  type ScoreShown,
  scoreText,
  type ToShare,
  toShareText,
} from './result-line.ts';

/** How close a solution comes to the best one. */
export interface SolvedScore {
  readonly fewest: number;
  /** Points out of 100, as in its review. */
  readonly points: number;
  /** Whether the points may reveal that there is a better solution: on the site, where nothing counts. */
  readonly mayTellOfBetter?: boolean;
}

/** `day` is set only for a day's board: no other board counts in stats, streaks and leaderboards. */
export interface SolvedShown {
  readonly words: number;
  readonly letters: number;
  readonly par?: number;
  /** What a day's board is praised for, besides words and letters. */
  readonly feats?: Pick<Feats, 'date' | 'spots' | 'longest' | 'isFirstTry'>;
  /** Whether the person, or everybody in the day's thread, had been shown the solution before they played these words. */
  readonly isAfterSolution?: boolean | undefined;
  readonly day?: {
    /** The person's result of the board, which may have other words. */
    readonly best: ResultShown;
    /** Whether the board's day is over: nothing that is played after it replaces a result that was on time. */
    readonly isOver: boolean;
    /** Set if words were played just now: `better` is an earlier result that stays, `beaten` one that they replace. */
    readonly recorded?: { readonly better?: ScoreShown; readonly beaten?: ScoreShown };
    /** Left out for a calm person, who is shown no lines about ranks either. */
    readonly streak?: { readonly current: number; readonly isKept?: boolean };
    /** The seven days up to today. */
    readonly week?: readonly WeekDay[];
    /** Milliseconds until the next board. */
    readonly untilNext?: number;
    readonly rank?: Place;
    /** Whether the person hides, so that no leaderboard lists them. */
    readonly isHidden?: boolean;
    readonly players?: Players;
    readonly toShare?: ToShare;
    /** Their result of the board that this one replaced, if that is better. */
    readonly replaced?: Pick<ScoreShown, 'words'> | undefined;
  };
  /** The board that somebody made for the channel, and the person's best result if it counts. */
  readonly madeBoard?: {
    readonly name: string;
    /** What its maker says to the people who have solved it. */
    readonly note: string | null;
    readonly isOpen: boolean;
    /** Left out if the board was closed before it was solved. */
    readonly best?: Score;
    readonly rank?: Place;
  };
  readonly score?: SolvedScore | undefined;
  /** Set after a solution that was just played. */
  readonly hunt?: HuntProgress;
}

/** What a calm person sees of it: no par, points, rank, streak or praise. */
export function calmSolved({
  words,
  letters,
  isAfterSolution,
  day,
  madeBoard,
  hunt,
}: SolvedShown): SolvedShown {
  return {
    words,
    letters,
    isAfterSolution,
    day: day && {
      best: day.best,
      isOver: day.isOver,
      recorded: day.recorded && { better: day.recorded.better },
      untilNext: day.untilNext,
    },
    madeBoard: madeBoard && { ...madeBoard, rank: undefined },
    hunt,
  };
}

export const BEST = 'It can’t be done in fewer words.';

/** Whether there is a result to share: of a day, or of a board that somebody made for the channel. */
export function hasResult({ day, madeBoard }: Pick<SolvedShown, 'day' | 'madeBoard'>): boolean {
  return day !== undefined || madeBoard?.best !== undefined;
}

/** @example solvedTitle(2) // 'Solved in 2 words' */
export function solvedTitle(words: number): string {
  return `Solved in ${counted(words, 'word')}`;
}

/** A title for somebody who has just solved a board. Over par, it says only that they did it, and compares with nothing. */
export function headlineOf(solved: SolvedShown): string {
  const { words, par, isAfterSolution } = solved;
  if (isAfterSolution) return 'Solved';
  const points = shownPoints(solved);
  if (points !== undefined) return titleOf(points);
  if (par === undefined || words > par) return DID_IT.slice(0, -1);
  return words < par ? 'Under par' : 'At par';
}

export function pictureEnding(solved: SolvedShown): PictureEnding {
  return { title: headlineOf(solved), points: shownPoints(solved), week: solved.day?.week };
}

/** The praise without the words that stand in the headline of a page already. */
export function belowHeadline(solved: SolvedShown, praised: string): string {
  const isSaid = `${headlineOf(solved)}.` === DID_IT;
  return isSaid ? praised.replace(`${DID_IT} `, '') : praised;
}

/** The points beside the headline: only if nobody can do better or, if they may tell of better, under par; none after the solution. */
export function shownPoints({ words, par, isAfterSolution, score }: Omit<SolvedShown, 'letters'>) {
  if (score === undefined || isAfterSolution) return undefined;
  const isUnderPar = par !== undefined && words < par;
  return words === score.fewest || (score.mayTellOfBetter && isUnderPar) ? score.points : undefined;
}

/** @param options.isBrief for a page, which shows par, the streak, the points and the hunt by themselves */
export function solvedLines(solved: SolvedShown, { isBrief = false } = {}): string[] {
  const { day, hunt } = solved;
  return present([
    ...(day === undefined ? undatedLines(solved, isBrief) : dayLines(solved, day, isBrief)),
    !isBrief && hunt && huntLine(hunt),
  ]);
}

function undatedLines(
  { words, letters, par, isAfterSolution, madeBoard }: SolvedShown,
  isBrief: boolean,
): string[] {
  return present([
    `${isBrief ? `${counted(words, 'word')}, ` : ''}${letters} letters${madeBoard && isAfterSolution ? ', after the solution' : ''}.`,
    par !== undefined && !isBrief && `Par is ${par}.`,
    ...(madeBoard ? madeBoardLines(madeBoard, { words, letters }) : []),
    madeBoard?.note != null && `Its maker says: “${madeBoard.note}”`,
  ]);
}

function dayLines(
  solved: SolvedShown,
  day: NonNullable<SolvedShown['day']>,
  isBrief: boolean,
): Maybe<string>[] {
  const { words, letters, par, score } = solved;
  const { best, isOver, recorded, streak, rank, isHidden, players, toShare, replaced } = day;
  const { late, reported, sinceOpening, afterSolution } = best;
  const isSame = best.words === words && best.letters === letters && !reported;
  /** Whether these words are the person's result. Otherwise an earlier one stays. */
  const isResult = isSame && recorded?.better === undefined;
  const isCalm = streak === undefined;
  // `late` is about the channel instead: its thread was closed before it got the result, which may be of the day itself.
  const isAfterItsDay = sinceOpening === null;
  const isFewest = !afterSolution && words === score?.fewest;
  const praised = isResult ? praiseOf(day, solved) : reported ? 'You solved it!' : 'Right again.';
  const used = isResult ? usedText(best) : '';
  const worth = isBrief
    ? [belowHeadline(solved, praised), `${counted(words, 'word')}, ${counted(letters, 'letter')}${used}.`]
    : [`${praised} ${counted(letters, 'letter')}${used}.${par === undefined ? '' : ` Par is ${par}.`}`];
  return [
    ...worth,
    isBrief && isFewest && BEST,
    // Points reveal nothing to somebody who can do no better.
    !isBrief && isResult && isFewest && `${titleOf(score.points)}: ${score.points} of 100 points. ${BEST}`,
    !isResult && staysText(best, { words, letters }, isOver),
    !isBrief &&
      isResult &&
      !isCalm &&
      afterSolution &&
      !late &&
      !isAfterItsDay &&
      !isHidden &&
      'It ranks after those played without it, before self-reported ones.',
    recorded?.beaten && beatenText(recorded.beaten),
    placeAndTime(rank, isBrief || !isResult ? undefined : sinceOpening),
    !isBrief && rank && players && playersHereText(players, best),
    isAfterItsDay && 'It counts in your stats only, because its day is over.',
    !isAfterItsDay &&
      !isCalm &&
      (!isBrief || streak.isKept) &&
      `Your streak is ${counted(streak.current, 'day')}${streak.isKept ? ', as a freeze kept it the day before' : ''}.`,
    !isCalm && late && !isHidden && LATE_TEXT,
    replaced && `Your stats count your ${replacedText(replaced)}.`,
    toShare && toShareText(toShare),
  ];
}

function usedText({ hints, afterSolution }: ResultShown): string {
  if (afterSolution) return ', after the solution';
  return ` and ${hints === 0 ? 'no hints' : counted(hints, 'hint point')}`;
}

function beatenText(beaten: ScoreShown): string {
  const score = scoreText(beaten);
  return beaten.reported ? `It replaces ${score}.` : `Your new best. Before: ${score}.`;
}

/** The person's place among the others here, and when they solved the board. Either may be unknown. */
function placeAndTime(rank: Place | undefined, sinceOpening: ResultShown['sinceOpening']): Maybe<string> {
  const place = rank && hereText(rank);
  if (sinceOpening == null) return place && `${place}.`;
  const begin = place ? `${place},` : 'Solved';
  return `${begin} ${durationText(sinceOpening)} after the board was posted.`;
}

/**
 * The praise. There is none for a solution that came after its day, or that had been shown to the person or in the day's
 * thread.
 */
function praiseOf(
  { best: { sinceOpening, afterSolution }, recorded }: NonNullable<SolvedShown['day']>,
  { words, letters, par, feats }: SolvedShown,
): string {
  if (feats === undefined || afterSolution || sinceOpening === null) return 'You solved it!';
  return praise({ ...feats, words, letters, par, isFirstTry: feats.isFirstTry && !recorded?.beaten });
}

/** An earlier result stays. Words that came after the day or the solution don't replace even a worse one. */
function staysText(kept: ScoreShown, played: Pick<ScoreShown, 'words' | 'letters'>, isOver: boolean): string {
  // The number of letters of a reported result may be unknown.
  if (kept.letters > 0 && isBetterThan(kept, played)) return `Your best stays ${scoreText(kept)}.`;
  return `${isOver ? 'The day is over, so your' : 'Your'} result stays ${scoreText(kept)}.`;
}

function madeBoardLines(
  { name, isOpen, best, rank }: NonNullable<SolvedShown['madeBoard']>,
  solved: Score,
): string[] {
  if (best === undefined) return [`${name} is closed, so it doesn’t count there.`];
  // Nobody is told that they are last.
  const place = rank === undefined || rank.rank === rank.of ? '' : `: ${placeText(rank)}`;
  if (!isOpen) return [`${name} is closed.`, `Your best there stays ${counted(best.words, 'word')}${place}.`];
  // A better solution does not count where it came after the solution.
  const stays = isBetterThan(best, solved) ? 'best' : isBetterThan(solved, best) && 'result';
  return present([
    stays && `Your ${stays} stays ${counted(best.words, 'word')}.`,
    `It counts for ${name}${place}.`,
  ]);
}

type Score = Pick<SolvedShown, 'words' | 'letters'>;

export function isBetterThan({ words, letters }: Score, other: Score): boolean {
  return words < other.words || (words === other.words && letters < other.letters);
}
