import { type Command, flagOf } from '../src/dispatch/contract.ts';
import { DATE, jobAskerOf, recordShown, SIDES, topicOf, WHOLE_SOLUTION } from '../src/dispatch/topic.ts';
import { sourceLabel } from '../src/reply/replies/board.ts';
import { ALL_HINT_POINTS } from '../src/reply/replies/hint-steps.ts';

export const reveal: Command = {
  name: 'reveal',
  alias: ['solution', 'solutions', 'answer', 'answers'],
  description: 'The solution, only for you, hidden until you open it',
  options: [
    DATE,
    SIDES,
    {
      name: 'open',
      description: 'Set by a button that asks for the solution, which is then shown at once',
      kind: 'flag',
      internal: true,
    },
  ],
  access: 'anyone',
  private: true,
  more: `On a daily board it counts as all hints: ${ALL_HINT_POINTS} hint points.`,
  examples: ['reveal', 'reveal yesterday', 'reveal sides:"ozu nri lfa mbt"'],
  async run(request, app) {
    const topic = await topicOf(request, app);
    const { subject, source, puzzle } = topic;
    const input = {
      subject,
      source,
      ...(puzzle?.official !== undefined && { official: { words: puzzle.official, source: puzzle.source } }),
      ...(flagOf(request, 'open') && { open: true }),
      ...(puzzle !== undefined && { note: sourceLabel(puzzle) }),
    };
    const reply = await app.work.run('reveal', input, jobAskerOf(request));
    await recordShown(request, app, topic, { reply, steps: WHOLE_SOLUTION });
    return reply;
  },
};
