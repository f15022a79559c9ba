import { MINUTE, type PuzzleDate } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { longDate } from './date-text.ts';
import type { Unavailable } from './fetcher.ts';

const BY_HAND = 'someone who manages this channel can type it in: set ozu nri lfa mbt';

const WHY: Readonly<Record<Unavailable['reason'], string>> = {
  missing: 'the newspaper doesn’t have it yet',
  refused: 'the newspaper refuses to give it to me',
  'slow-down': 'the newspaper asked me to wait',
  failing: 'the newspaper has a problem',
  unreachable: 'I can’t reach the newspaper',
  timeout: 'the newspaper takes too long to answer',
  'too-large': 'the newspaper sent something that is not a puzzle',
  redirected: 'the newspaper sent me elsewhere',
  unreadable: 'the newspaper sent something that is not a puzzle',
  invalid: 'the newspaper sent an incomplete puzzle',
  'wrong-day': 'the newspaper sent the puzzle of another day',
  asking: 'I’m asking the newspaper right now',
  enough: 'I’ve asked for enough past days today',
  share: 'this channel has had its share of past days today',
};

/** There is no puzzle, and somebody in the channel can do something about it. */
export class NoPuzzle extends UserError {
  /** Why there is none, without what to do. */
  readonly why: string;

  constructor(code: string, why: string, advice: string) {
    super(code, `${why} ${advice}`);
    this.why = why;
  }
}

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
  return new NoPuzzle(
    `puzzle.${reason}`,
    `Today’s board isn’t here yet: ${WHY[reason]}. I’ll try again in about ${when}.`,
    `Until then, ${BY_HAND}. Or add the sides to your command.`,
  );
}

function noPastPuzzle(date: PuzzleDate, reason: Unavailable['reason']): UserError {
  const why = reason === 'missing' ? 'the newspaper doesn’t have it' : WHY[reason];
  const later =
    reason === 'enough' || reason === 'share' ? 'Try again after 3:00 AM New York time, or add' : 'Add';
  return new UserError(
    `puzzle.${reason}`,
    `I don’t have the board of ${longDate(date)}: ${why}. ${later} its sides to your command, like ozu nri lfa mbt.`,
  );
}

/** No source at all: `PUZZLE_SOURCE=off`, or a channel that wants none. */
export function switchedOff(date: PuzzleDate): UserError {
  return new NoPuzzle(
    'puzzle.off',
    `There is no daily board here, so none for ${longDate(date)}.`,
    `Add the sides to your command, or ${BY_HAND}.`,
  );
}
