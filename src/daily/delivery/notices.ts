import type { ChannelRef } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import { listed } from '../../core/text.ts';
import type { MissingRequirement } from '../../dispatch/poster.ts';
import { longDate } from '../../puzzle/date-text.ts';
import type { Line, Reply } from '../../reply/model/types.ts';
import type { Reason } from '../../store/reasons.ts';
import { describeReason } from '../reasons.ts';

/** To who manages a channel that refuses the bot's messages. */
export function suspensionNotice(
  { channel }: Pick<ChannelRef, 'channel'>,
  reason: Reason,
  missing: readonly MissingRequirement[],
): Reply {
  return privately('The daily Letter Boxed thread has stopped in a channel you manage', [
    ...(missing.length === 0
      ? [['I couldn’t post in ', { channel }, `: ${causeOf(reason)}.`]]
      : [
          ['I can’t post in ', { channel }, ' yet. I still need:'],
          ...missing.map(({ what, how }): Line => [{ bold: what }, `: ${how}`]),
        ]),
    [
      'I post nothing there until that changes. Once it has, type ',
      { command: 'daily on' },
      ' there, and I post today’s thread if its puzzle is still on.',
    ],
  ]);
}

/** In the channel itself, as a whole sentence. */
export function couldNotPostHere(reason: Reason): string {
  return `I couldn’t post here: ${causeOf(reason)}.`;
}

/** Without a period, whether a door gave its reason as a whole sentence or not. */
function causeOf(reason: Reason): string {
  return reason.code === 'missing-requirements'
    ? `I still need ${listed(reason.requirements)}`
    : describeReason(reason).replace(/\.+$/, '');
}

/** To who manages a channel whose settings say to post no other board instead of the newspaper's. */
export function noBoardNotice(
  { channel }: Pick<ChannelRef, 'channel'>,
  date: PuzzleDate,
  reason: string,
): Reply {
  return privately(`No Letter Boxed thread yet for ${longDate(date)}`, [
    ['This is about ', { channel }, `. ${reason}`],
    ['To type the board yourself, type there: ', { command: 'set ozu nri lfa mbt' }],
    ['To get the house board on such days, type there: ', { command: 'daily otherwise:house' }],
  ]);
}

function privately(title: string, lines: readonly Line[]): Reply {
  return { title, blocks: [{ kind: 'text', lines }], audience: 'asker' };
}
