import { counted } from '../../core/text.ts';
import { buttonOn, type Subject } from '../model/subject.ts';
import type { Reply } from '../model/types.ts';
import type { OwnResult } from './result.ts';
import { resultLine, scoreText, type ToShare, toShareText } from './result-line.ts';
import { OWN_LEADERBOARD_BUTTON } from './standings.ts';

export interface ReportedRequest {
  readonly subject: Subject;
  /** What the message says. */
  readonly result: OwnResult;
  /** The result that stays, where the message does not replace it. */
  readonly better?: OwnResult;
  /** The result that gave way. */
  readonly beaten?: OwnResult;
  readonly toShare?: ToShare | undefined;
}

/** A result in numbers that was read from a message, for the person alone. */
export function reportedReply({ subject, result, better, beaten, toShare }: ReportedRequest): Reply {
  const counts =
    result.sinceOpening === null
      ? 'It counts in your stats only, because its day is over.'
      : 'It counts for your streak, and comes after results that were played here.';
  const lines =
    better === undefined
      ? [resultLine(result), `${beaten === undefined ? '' : `It replaces ${scoreText(beaten)}. `}${counts}`]
      : [`Your message says ${counted(result.words, 'word')}. Your result stays ${scoreText(better)}.`];
  return {
    title: `${better === undefined ? 'Added to your results' : 'Nothing changed'}: ${subject.name}`,
    blocks: [
      { kind: 'text', lines: [...lines, ...(toShare === undefined ? [] : [toShareText(toShare)])] },
      { kind: 'note', line: ['To have it count as played, enter your words: ', { command: 'play' }] },
      {
        kind: 'buttons',
        buttons: [
          buttonOn(subject, 'Share', 'share', { look: 'primary' }),
          { label: 'My stats', action: { command: 'stats', options: {} } },
          OWN_LEADERBOARD_BUTTON,
        ],
      },
    ],
    audience: 'asker',
  };
}

/** For a message in which no result can be read. */
export function unreadMessageReply(subject: Subject): Reply {
  return {
    title: 'I found no result in this message',
    blocks: [
      {
        kind: 'text',
        lines: [
          `These count as a result of ${subject.name}:`,
          '• your words, with any marks between them or around them',
          '• a number of words: in 2 words, 2 words, #2solve',
          '• first letter, last letter and length of each word: S - H(9), H - T(5)',
          '• a result that you shared from here',
        ],
      },
      { kind: 'buttons', buttons: [buttonOn(subject, 'Play', 'play', { look: 'primary' })] },
    ],
    audience: 'asker',
  };
}

/** For somebody who chose a message that another person wrote. */
export function otherAuthorReply(): Reply {
  return {
    title: 'This message isn’t yours',
    blocks: [{ kind: 'text', lines: ['You can add results from your own messages only.'] }],
    audience: 'asker',
  };
}
