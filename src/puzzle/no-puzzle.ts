import { UserError } from '../core/errors.ts';
import type { Unavailable } from './fetcher.ts';
import type { PuzzleDate } from './types.ts';

const MINUTE = 60_000;
const BY_HAND = 'whoever manages this channel can type the board: /letterboxed set ozu nri lfa mbt';

const WHY: Readonly<Record<Unavailable['reason'], string>> = {
  missing: "the newspaper doesn't have it yet",
  refused: 'the newspaper refuses to give it to this bot',
  'slow-down': 'the newspaper asked this bot to wait',
  failing: 'the newspaper has trouble of its own',
  unreachable: "the newspaper can't be reached",
  timeout: 'the newspaper takes too long to answer',
  'too-large': 'the newspaper sent something that is not a puzzle',
  redirected: 'the newspaper sent this bot elsewhere',
  unreadable: 'the newspaper sent something that is not a puzzle',
  invalid: 'the newspaper sent a puzzle that is not whole',
  'wrong-day': 'the newspaper sent the puzzle of another day',
  asking: 'the newspaper is being asked right now',
  enough: 'this bot has asked for enough past days today',
  share: 'you here have asked for your share of past days today',
};

/** The newspaper's puzzle can't be had now: why, when the bot asks again, and what a person can do. */
export function noPuzzle(
  date: PuzzleDate,
  today: PuzzleDate,
  { reason, until }: Unavailable,
  now: number,
): UserError {
  if (date !== today) return noPastPuzzle(date, reason);
  const minutes = Math.max(1, Math.ceil((until - now) / MINUTE));
  const when =
    minutes === 1 ? 'a minute' : minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
  return new UserError(
    `puzzle.${reason}`,
    `There is no board for ${date} yet: ${WHY[reason]}. It is asked again in about ${when}. ` +
      `Until then, ${BY_HAND}. Or give the sides with your command.`,
  );
}

function noPastPuzzle(date: PuzzleDate, reason: Unavailable['reason']): UserError {
  const why = reason === 'missing' ? "the newspaper doesn't have it" : WHY[reason];
  const later =
    reason === 'enough' || reason === 'share' ? 'Try it after 3:00 AM in New York, or type' : 'Type';
  return new UserError(
    `puzzle.${reason}`,
    `This bot has not seen the board of ${date}, and ${why}. ${later} its sides with your command, like ozu nri lfa mbt.`,
  );
}

/** No source at all: `PUZZLE_SOURCE=off`, or a channel that wants none. */
export function switchedOff(date: PuzzleDate): UserError {
  return new UserError(
    'puzzle.off',
    `No board of the day is fetched here, so there is none for ${date}. Give the sides with your command, or ` +
      `${BY_HAND} (the operator can also choose PUZZLE_SOURCE=house).`,
  );
}
