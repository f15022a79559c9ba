import { type Command, wholeOf } from '../src/dispatch/contract.ts';
import { PAGE } from '../src/dispatch/topic.ts';
import { archiveOf } from '../src/players/archive.ts';
import { archiveReply } from '../src/reply/replies/stats.ts';

export const archive: Command = {
  name: 'archive',
  description: 'Past boards of this channel, and how you did',
  options: [{ ...PAGE, positional: true }],
  access: 'read',
  private: true,
  more: 'Boards of past days count in your stats, but not for your streak or the leaderboard. The newspaper’s boards are listed only for days on which this channel had them.',
  examples: ['archive', 'archive 2'],
  async run(request, app) {
    return archiveReply(await archiveOf(request, app, wholeOf(request, 'page')));
  },
};
