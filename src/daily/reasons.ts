import type { ChannelRef } from '../core/channel-ref.ts';
import type { PuzzleDate } from '../core/clock.ts';
import { listed, longDate } from '../core/text.ts';
import type { MissingRequirement } from '../dispatch/poster.ts';
import { textBlock, toAsker } from '../reply/model/text.ts';
import type { Line, Reply } from '../reply/model/types.ts';
import type { Reason } from '../store/schema.ts';

/** The requirements by name; how to meet them is for the notice alone. */
export function missingRequirements(missing: readonly MissingRequirement[]): Reason {
  return { code: 'missing-requirements', requirements: missing.map(({ what }) => what) };
}

/**
 * A reason as half a sentence, for people who manage a channel and for operators.
 *
 * @example describeReason({ code: 'missing-requirements', requirements: ['Send Messages'] }) // 'it lacks Send Messages'
 */
export function describeReason(reason: Reason): string {
  switch (reason.code) {
    case 'missing-requirements':
      return `it lacks ${reason.requirements.join(', ')}`;
    case 'puzzle-over':
      return withCause('its puzzle was over before it could be posted', reason.last);
    case 'thread-not-opened':
      return withCause("this day's thread was not opened", reason.opening);
    case 'merged':
      return `told in one message with ${reason.step}`;
    case 'refused':
    case 'removed':
    case 'invalid':
    case 'postponed':
    case 'no-answer':
    case 'no-puzzle':
      return reason.message;
    case 'other':
      return reason.text;
    default:
      return SENTENCES[reason.code];
  }
}

const SENTENCES = {
  'board-gone': 'the board was removed',
  'relay-over': 'the relay had ended already',
  paused: 'the place was paused',
  suspended: 'the place could not be posted to',
  'switched-off': 'the daily thread was switched off here',
  'settings-changed': 'the settings were changed after its time',
  'step-not-wanted': 'the settings no longer ask for it',
  'no-thread': 'there is no thread to close',
  'thread-too-old': 'the thread is long over',
  'skipped-by-operator': 'the operator skipped it',
  'puzzle-not-out': 'its puzzle is not out yet',
  'newspaper-late': 'the newspaper has no board yet',
  'thread-opening': 'its thread is being opened',
  'waits-for-step': 'waits for another step',
  unexpected: 'something unexpected went wrong',
  'outcome-unknown': 'the outcome of the last attempt is not known',
  solved: 'the person has solved the board',
  holiday: 'the person announced a day off',
  ignored: 'the person did not play after the reminders before',
  undeliverable: 'the person takes no messages of the bot',
} as const;

function withCause(sentence: string, cause: Reason | undefined): string {
  return cause === undefined ? sentence : `${sentence}: ${describeReason(cause)}`;
}

/** For the manager of a channel that refuses the bot's messages. */
export function suspensionNotice(
  { channel }: Pick<ChannelRef, 'channel'>,
  reason: Reason,
  missing: readonly MissingRequirement[],
): Reply {
  const lines: Line[] = [
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
  ];
  return toAsker('The daily Letter Boxed thread has stopped in a channel you manage', textBlock(lines));
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

/** For the manager of a channel whose settings allow no other board in place of the newspaper's. */
export function noBoardNotice(
  { channel }: Pick<ChannelRef, 'channel'>,
  date: PuzzleDate,
  reason: string,
): Reply {
  const lines: Line[] = [
    ['This is about ', { channel }, `. ${reason}`],
    ['To type the board yourself, type there: ', { command: 'set ozu nri lfa mbt' }],
    ['To get the house board on such days, type there: ', { command: 'daily otherwise:house' }],
  ];
  return toAsker(`No Letter Boxed thread yet for ${longDate(date)}`, textBlock(lines));
}
