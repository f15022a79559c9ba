import type { MissingRequirement } from '../../dispatch/poster.ts';
import type { PuzzleDate } from '../../puzzle/types.ts';
import { longDate } from '../../reply/model/subject.ts';
import type { Line, Reply } from '../../reply/model/types.ts';

/** To whoever manages a place that refuses the bot's messages. */
export function restNotice(reason: string, missing: readonly MissingRequirement[]): Reply {
  return privately('The daily Letter Boxed thread has stopped in a channel you manage', [
    couldNotPost('there', reason),
    ...missing.map(({ what, how }): Line => [{ bold: what }, `: ${how}`]),
    [
      'I leave the channel alone until that changes. Once it has, type ',
      { command: 'daily on' },
      " there, and I post today's thread if its puzzle is still on.",
    ],
  ]);
}

/** As a whole sentence, whether a door gave its reason as one or not. */
export function couldNotPost(where: 'here' | 'there', reason: string): string {
  return `I could not post ${where}: ${reason.replace(/\.+$/, '')}.`;
}

/** To whoever manages a place whose settings say to post no other board in the newspaper's stead. */
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

export const LACKING = 'it lacks ';

/** Lacks as half a sentence, for logs and reasons. */
export function namedLacks(missing: readonly MissingRequirement[]): string {
  return `${LACKING}${missing.map(({ what }) => what).join(', ')}`;
}
