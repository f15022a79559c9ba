import { capitalized } from '../../core/text.ts';
import { sentenceReply } from '../model/text.ts';
import type { Line, Reply } from '../model/types.ts';

const MEANS =
  'No streaks, ranks, reminders or comparison for you. Others see only that you solved a board, or what you share yourself.';

/** Whether a person is calm. @param where it holds, such as `in all servers at once` */
export function calmReply(isCalm: boolean, where: string): Reply {
  const other: Line = isCalm
    ? ['To undo it: ', { command: 'calm off', label: 'End calm' }]
    : ['To have it calm: ', { command: 'calm on', label: 'Calm' }];
  return sentenceReply(isCalm ? 'Calm is on' : 'Calm is off', isCalm && `${capitalized(where)}. ${MEANS}`, [
    ...(isCalm ? [] : [`${MEANS} `]),
    ...other,
  ]);
}
