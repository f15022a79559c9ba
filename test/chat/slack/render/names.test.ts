import { afterEach, describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/dispatch/contract.ts';
import type { Reply } from '../../../../src/reply/model/types.ts';
import { messageOf, type OpenedSlack, openSlack, read } from '../open-slack.ts';

const BOARD: Reply = {
  title: 'Leaderboard',
  blocks: [{ kind: 'text', lines: [['1. ', { person: 'U0123' }]] }],
  audience: 'everyone',
};
const leaderboard: Command = {
  name: 'leaderboard',
  description: 'x',
  options: [],
  access: 'anyone',
  private: false,
  examples: [],
  run: async () => BOARD,
};

let slack: OpenedSlack;
afterEach(() => slack.close());

/** What a mention in a message said when it was new, for then it calls people. */
const firstSeen = async () => {
  const { message } = await slack.fake.next(({ message: shown }) => shown !== undefined);
  return JSON.stringify(message!.blocks);
};

describe('people in public messages', () => {
  it('are mentioned by an edit, which notifies nobody', async () => {
    slack = await openSlack({ commands: [leaderboard] });
    const fresh = firstSeen();
    const named = slack.fake.next(({ message }) => message?.isEdited === true);
    slack.ann.slash(slack.channel, '/letterboxed leaderboard');
    expect(await fresh).not.toContain('U0123');
    expect(read((await named).message!)).toContain('<@U0123>');
    expect(slack.channel.messages).toHaveLength(1);
  });

  it('are not mentioned where the bot may not post, because it can’t edit its answers there', async () => {
    slack = await openSlack({ commands: [leaderboard] });
    slack.channel.members.delete(slack.workspace.botUser);
    const answer = await messageOf(slack.ann.slash(slack.channel, '/letterboxed leaderboard'));
    expect(read(answer)).toContain('somebody');
  });

  it('are mentioned by an edit in posts, too', async () => {
    slack = await openSlack();
    const fresh = firstSeen();
    const channel = { tenant: `slack:${slack.workspace.id}`, channel: slack.channel.id };
    const post = { channel, key: 'k', reply: BOARD, posted: undefined, outcomeUnknown: false, note: async () => true, threadName: 'x', ping: null }; // biome-ignore format: one line reads better
    const posted = await slack.door.poster!.open(post);
    expect(await fresh).not.toContain('U0123');
    const [message] = slack.channel.messages;
    expect(read(message!)).toContain('<@U0123>');
    // As if the process had died after it posted.
    await slack.door.poster!.edit(channel, posted, { ...BOARD, blocks: [] });
    expect(read(message!)).not.toContain('<@U0123>');
    await slack.door.poster!.open({ ...post, posted });
    expect(read(message!)).toContain('<@U0123>');
    expect(slack.channel.messages).toHaveLength(1);
  });
});
