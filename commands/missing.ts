import { UserError } from '../src/core/errors.ts';
import { type Command, choiceOf } from '../src/dispatch/contract.ts';
import { dateOf } from '../src/dispatch/target.ts';
import { isCalm } from '../src/players/results/stats.ts';
import { addDays } from '../src/puzzle/calendar.ts';
import { listedReply, missingReply } from '../src/reply/replies/missing.ts';
import { named } from './names.ts';

const ACTIONS = ['join', 'leave'] as const;
/** A regular has solved on at least three of the seven days before today. */
const MIN_DAYS_SOLVED = 3;
const REGULARS_WINDOW_DAYS = 7;
const MAX_NAMES = 30;

export const missing: Command = {
  ...named('missing'),
  options: [
    {
      name: 'do',
      description: 'Join or leave the list; left out, see who is missing',
      kind: 'choice',
      choices: ACTIONS,
      about: { join: 'Be on the list when you haven’t played', leave: 'No longer be on the list' },
      positional: true,
      example: 'join',
    },
  ],
  access: 'anyone-writes',
  private: false,
  privateIn: ({ options }) => options.do !== undefined,
  more: `Only people who joined the list are shown, if they solved on at least ${MIN_DAYS_SOLVED} of the last ${REGULARS_WINDOW_DAYS} days. Nobody is pinged. People who hide from leaderboards are never shown.`,
  examples: ['missing', 'missing join', 'missing leave'],
  async run(request, app) {
    const { store } = app;
    const { who, where } = request;
    const { people, channelResults } = store.tenant(where.tenant);
    const action = choiceOf(request, 'do', ACTIONS);
    if (action !== undefined) {
      if (action === 'join' && (await isCalm(request, app)))
        throw new UserError(
          'missing.calm',
          'You’re calm, so the list leaves you out. First, type:',
          'calm off',
        );
      await people.choose(who.id, { listed: action === 'join' });
      return listedReply({
        isListed: action === 'join',
        isHidden: await store.allPeople.isHidden(where.tenant, who.id),
      });
    }
    const date = await dateOf(request, app);
    const from = addDays(date, -REGULARS_WINDOW_DAYS);
    const to = addDays(date, -1);
    const regulars = { channel: where.channel, from, to, days: MIN_DAYS_SOLVED };
    const found = await channelResults.missing({ ...regulars, date, limit: MAX_NAMES + 1 });
    return missingReply({
      date,
      people: found.slice(0, MAX_NAMES),
      hasRegulars: found.length > 0 || (await channelResults.hasRegulars(regulars)),
      hasMore: found.length > MAX_NAMES,
      solved: MIN_DAYS_SOLVED,
      days: REGULARS_WINDOW_DAYS,
    });
  },
};
