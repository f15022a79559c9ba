import {
  DATE,
  EVERYDAY,
  onwardsOf,
  recordShown,
  refuseBroken,
  SIDES,
  topicOf,
  WAY_ON,
} from '../src/dispatch/board/topic.ts';
import { type Command, wordsOf } from '../src/dispatch/contract.ts';
import { nextReply } from '../src/reply/replies/next.ts';

export const next: Command = {
  name: 'next',
  description: 'How to go on after the words you have played',
  options: [
    {
      name: 'words',
      description: 'The words you have played, in order, with commas between',
      kind: 'words',
      required: true,
      positional: true,
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
    const search = app.searches.of(topic, onwardsOf(request));
    const reply = nextReply({
      subject: topic.subject,
      search,
      certain: topic.judge.certain,
      audience: 'asker',
    });
    await recordShown(request, app, topic, WAY_ON, reply);
    return reply;
  },
};
