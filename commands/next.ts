import { nextReply } from '../src/reply/next.ts';
import { onwardsOf, refuseBroken } from './board/played.ts';
import { searchOf } from './board/searches.ts';
import { noteSeen, WAY_ON } from './board/seen.ts';
import { DATE, EVERYDAY, SIDES, topicOf } from './board/topic.ts';
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
    EVERYDAY,
  ],
  access: 'anyone',
  private: true,
  more: 'On the board of a day it counts as two hints: how many words it takes, and a word.',
  examples: ['next forum ozu nri lfa mbt', 'next words:forum sides:ozu-nri-lfa-mbt'],
  async run(request, app) {
    const topic = await topicOf(request, app);
    refuseBroken(topic, wordsOf(request, 'words'));
    const search = searchOf(topic, app, onwardsOf(request));
    const reply = nextReply({
      subject: topic.subject,
      search,
      certain: topic.judge.certain,
      audience: 'asker',
    });
    await noteSeen(request, app, topic, WAY_ON, reply);
    return reply;
  },
};
