import { afterEach, describe, expect, it } from 'vitest';
import { messageOf, type OpenedSlack, openSlack, read } from '../open-slack.ts';

const NAME = 'Add to my results';

let slack: OpenedSlack;
afterEach(() => slack.close());

describe.each(['socket', 'http'] as const)('the shortcut on messages by %s', (mode) => {
  it('records the result of one’s own message, and answers privately', async () => {
    slack = await openSlack({ mode });
    const { ann, bob, channel, workspace, test } = slack;
    const said = ann.say(channel, 'solved it in *3 words* &amp; `no hints` :tada:');
    const action = ann.choose(said, NAME);
    expect((await action.ack).problem).toBeUndefined();
    const answer = await messageOf(action);
    expect(answer.only).toBe(ann.id);
    expect(read(answer)).toContain('Added to your results');
    const { results } = test.store.tenant(`slack:${workspace.id}`);
    const [result] = await results.ofPerson(ann.id);
    expect(result).toMatchObject({ channel: channel.id, words: 3, reported: true, message: said.ts });
    const refused = await messageOf(bob.choose(said, NAME));
    expect(refused.only).toBe(bob.id);
    expect(read(refused)).toContain('This message isn’t yours');
    const unread = await messageOf(ann.choose(ann.say(channel, 'good morning'), NAME));
    expect(unread.only).toBe(ann.id);
    expect(read(unread)).toContain('I found no result in this message');
    expect(await results.ofPerson(bob.id)).toEqual([]);
  });
});
