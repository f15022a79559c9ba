import { nextReply } from '../src/reply/next.ts';
import { refuseBroken } from './board/played.ts';
import { searchOf } from './board/searches.ts';
import { DATE, SIDES, topicOf } from './board/topic.ts';
import { withUnproven } from './board/unproven.ts';
import { wordsOf } from './dispatch/options.ts';
import type { Command } from './types.ts';

export const next: Command = {
  name: 'next',
  description: 'How to go on after the words you have played',
  options: [
    {
      name: 'words',
      description: 'The words you have played, in order, with commas between',
      kind: 'words',
      required: true,
      bare: true,
      example: 'forum',
    },
    SIDES,
    DATE,
  ],
  access: 'anyone',
  private: true,
  examples: ['next forum ozu nri lfa mbt', 'next words:forum sides:ozu-nri-lfa-mbt'],
  async run(request, app) {
    const topic = await topicOf(request, app);
    const played = wordsOf(request, 'words');
    refuseBroken(topic, played);
    const search = searchOf(topic, app, { played });
    const reply = nextReply({
      subject: topic.subject,
      search,
      certain: topic.judge.certain,
      audience: 'asker',
    });
    return withUnproven(reply, search, topic);
  },
};
