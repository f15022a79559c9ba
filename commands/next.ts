import {
  askerOf,
  DATE,
  EVERYDAY,
  onwardsOf,
  recordShown,
  SIDES,
  topicOf,
  WAY_ON,
} from '../src/dispatch/board/topic.ts';
import type { Command } from '../src/dispatch/contract.ts';

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
  searches: true,
  private: true,
  more: 'On the board of a day it counts as two hints: how many words it takes, and a word.',
  examples: ['next forum ozu nri lfa mbt', 'next words:forum sides:ozu-nri-lfa-mbt'],
  async run(request, app) {
    const topic = await topicOf(request, app);
    const { subject, source } = topic;
    const input = { subject, source, onwards: onwardsOf(request) };
    const reply = await app.work.run('next', input, askerOf(request));
    await recordShown(request, app, topic, WAY_ON, reply);
    return reply;
  },
};
