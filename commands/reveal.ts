import { solutionReply } from '../src/reply/solution.ts';
import { sourceLabel } from '../src/reply/source-label.ts';
import { HINT_STEPS } from '../src/solver/hints.ts';
import { searchOf } from './board/searches.ts';
import { DATE, SIDES, topicOf } from './board/topic.ts';
import { withUnproven } from './board/unproven.ts';
import type { Command } from './types.ts';

export const reveal: Command = {
  name: 'reveal',
  description: 'The full solution, hidden until you open it, and only for you',
  options: [{ ...DATE, bare: true }, SIDES],
  access: 'anyone',
  private: true,
  more: 'It counts as having seen every hint of that board.',
  examples: ['reveal', 'reveal yesterday', 'reveal sides:"ozu nri lfa mbt"'],
  async run(request, app) {
    const topic = await topicOf(request, app);
    const { subject, judge, puzzle } = topic;
    const search = searchOf(topic, app);
    const reply = solutionReply({
      subject,
      search,
      certain: judge.certain,
      ...(puzzle?.official !== undefined && { official: { words: puzzle.official, source: puzzle.source } }),
      ...(puzzle !== undefined && { source: sourceLabel(puzzle) }),
      audience: 'asker',
    });
    const { hints } = app.store.tenant(request.where.tenant);
    const now = app.clock.now();
    for (const step of HINT_STEPS) await hints.see(request.who.id, topic.key, step, now);
    return withUnproven(reply, search, topic);
  },
};
