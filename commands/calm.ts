import { capitalized } from '../src/core/text.ts';
import { type Command, choiceOf } from '../src/dispatch/contract.ts';
import { chooseEverywhere, isCalm } from '../src/players/results/stats.ts';
import { sentenceReply } from '../src/reply/model/text.ts';
import type { Reply } from '../src/reply/model/types.ts';
import { named } from './names.ts';
import { COVERED } from './privacy.ts';

const ACTIONS = ['on', 'off'] as const;

export const calm: Command = {
  ...named('calm'),
  options: [
    {
      name: 'do',
      description: 'Left out, see which',
      kind: 'choice',
      choices: ACTIONS,
      about: { on: 'Be calm', off: 'Have streaks and ranks again' },
      positional: true,
      example: 'on',
    },
  ],
  access: 'anyone-writes',
  private: true,
  more: 'Answers to you leave out streaks, ranks, points and praise, and your reminder ends. Leaderboards and closings say only that you solved the board. Your results stay, and count again once it is off.',
  examples: ['calm', 'calm on', 'calm off'],
  async run(request, app) {
    const { who, where, door } = request;
    const action = choiceOf(request, 'do', ACTIONS);
    if (action !== undefined) {
      const { store } = app;
      const isOn = action === 'on';
      await chooseEverywhere(store, { tenant: where.tenant, person: who.id }, { calm: isOn });
      if (isOn) await store.allReminders.remove(where.tenant, who.id);
    }
    return calmReply(await isCalm(request, app), COVERED[door]);
  },
};

const MEANS =
  'Calm means no streaks, ranks, reminders or comparison for you. Others see only that you solved a board, or what you share yourself.';

/** @param where calm holds, such as `in all servers at once` */
function calmReply(isOn: boolean, where: string): Reply {
  return isOn
    ? sentenceReply('Calm is on', `${capitalized(where)}. ${MEANS}`, [
        'To undo it: ',
        { command: 'calm off', label: 'End calm' },
      ])
    : sentenceReply('Calm is off', [`${MEANS} To have it calm: `, { command: 'calm on', label: 'Calm' }]);
}
