import type { MissingRequirement } from '../../dispatch/poster.ts';
import { longDate } from '../../puzzle/date-text.ts';
import type { PuzzleDate } from '../../puzzle/types.ts';
import type { Line, Reply } from '../../reply/model/types.ts';
import type { Reason } from '../../store/reasons.ts';
import { describeReason } from '../reasons.ts';

/** To who manages a channel that refuses the bot's messages. */
export function suspensionNotice(reason: Reason, missing: readonly MissingRequirement[]): Reply {
  return privately('The daily Letter Boxed thread has stopped in a channel you manage', [
    couldNotPost('there', reason),
    ...missing.map(({ what, how }): Line => [{ bold: what }, `: ${how}`]),
    [
      'I leave the channel alone until that changes. Once it has, type ',
      { command: 'daily on' },
      ' there, and I post today’s thread if its puzzle is still on.',
    ],
  ]);
}

/** As a whole sentence, whether a door gave its reason as one or not. */
export function couldNotPost(where: 'here' | 'there', reason: Reason): string {
  return `I could not post ${where}: ${describeReason(reason).replace(/\.+$/, '')}.`;
}

/** To who manages a channel whose settings say to post no other board instead of the newspaper's. */
export function noBoardNotice(date: PuzzleDate, reason: string): Reply {
  return privately(`No Letter Boxed thread yet for ${longDate(date)}`, [
    reason,
    [
      'I keep trying while the puzzle is on. You can type the board with ',
      { command: 'set ozu nri lfa mbt' },
      ', or let me post the house board on such days with ',
      { command: 'daily otherwise:house' },
      '.',
    ],
  ]);
}

function privately(title: string, lines: readonly Line[]): Reply {
  return { title, blocks: [{ kind: 'text', lines }], audience: 'asker' };
}
