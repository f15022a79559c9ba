import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../fakes/discord/world.ts';
import { type Started, startWithSmallBoard } from './start.ts';

const NAME = 'Add to my results';

let started: Started;
let ann: User;
beforeEach(async () => {
  started = await startWithSmallBoard({});
  ann = started.discord.world.addUser('ann');
});
afterEach(() => started.close());

function add(text: string, user = ann) {
  const { discord, channel } = started;
  return discord.messageCommand(discord.write(channel, ann, text), NAME, { user });
}

describe('the command on messages', () => {
  it('records the result of one’s own message, and answers privately', async () => {
    const seen = await add('got it in 2 words');
    expect(seen.ephemeral).toBe(true);
    expect(seen.text).toContain('Added to your results');
    const { guild, channel, store } = started;
    const { results } = store.tenant(`discord:${guild.id}`);
    const [result] = await results.ofPerson(ann.id);
    expect(result).toMatchObject({ channel: channel.id, words: 2, reported: true });
    expect((await add('||BFJMCG – GKDHLNBP||')).text).toContain('Solved in 2 words');
    expect(await results.ofPerson(ann.id)).toMatchObject([{ words: 2, letters: 14 }]);
  });

  it('refuses the message of somebody else, privately', async () => {
    const bob = started.discord.world.addUser('bob');
    const seen = await add('got it in 2 words', bob);
    expect(seen.ephemeral).toBe(true);
    expect(seen.text).toContain('This message isn’t yours');
  });

  it('says what it can read where there is nothing to read, also in an empty message', async () => {
    for (const text of ['good morning', '']) {
      const seen = await add(text);
      expect(seen.ephemeral).toBe(true);
      expect(seen.text).toContain('I found no result in this message');
    }
  });
});
