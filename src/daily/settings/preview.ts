import { jobAskerOf, puzzleOf } from '../../dispatch/board/topic.ts';
import type { App, Request } from '../../dispatch/contract.ts';
import type { Reply } from '../../reply/model/types.ts';
import { answerSteps, makeMessages } from '../delivery/messages.ts';
import { Schedules } from '../plan/schedule.ts';
import { DEFAULT_SETTINGS, parseStored } from './settings.ts';

/** A whole day as this channel would get it, in one message, for the asker alone. */
export async function testDay(request: Request, app: App): Promise<Reply> {
  const { tenant, channel } = request.where;
  const subscription = await app.store.tenant(tenant).subscriptions.get(channel);
  const settings = subscription === undefined ? DEFAULT_SETTINGS : parseStored(subscription.settings);
  const puzzle = await puzzleOf(request, app);
  const messages = makeMessages(answerSteps(app, jobAskerOf(request)));
  const day = new Schedules().of(settings, puzzle.date);
  const opening = messages.opening(puzzle, day, day.opensAt);
  const steps = settings.steps.map(({ step }) => step);
  const thread = steps.length === 0 ? [] : (await messages.steps(puzzle, steps, 'asker')).blocks;
  return {
    title: `A test of the daily thread: ${opening.title}`,
    blocks: [
      {
        kind: 'note',
        line: 'Only you see this. First the message in the channel, then all that follows in its thread.',
      },
      ...opening.blocks,
      ...thread,
    ],
    audience: 'asker',
    again: { command: 'daily', options: { do: 'test', date: puzzle.date } },
  };
}
