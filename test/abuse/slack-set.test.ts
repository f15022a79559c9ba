import { afterEach, expect, it } from 'vitest';
import { messageOf, type OpenedSlack, openSlack, read } from '../chat/slack/open-slack.ts';

let slack: OpenedSlack;
afterEach(() => slack.close());

const announced = () =>
  slack.channel.messages
    .map((message) => read(message))
    .filter((text) => /typed in or taken back/.test(text));

it('announces a typed board where anybody may type one, and anybody can take it back', async () => {
  slack = await openSlack();
  const { ann, bob, channel, test } = slack;
  const ask = (who: typeof ann, line: string) => messageOf(who.slash(channel, `/letterboxed ${line}`));
  expect(read(await ask(bob, 'set ozu nri lfa mbt'))).toContain('Board set for this channel');
  await expect.poll(() => announced()).toHaveLength(1);
  await expect.poll(() => announced()[0]).toContain(`By <@${bob.id}>. The board of today`);
  expect(announced()[0]).toContain('set undo');
  expect(announced()[0]).not.toMatch(/ozu/i);
  expect(read(await ask(ann, 'set undo'))).toContain('Typed board taken back');
  await expect.poll(() => announced()).toHaveLength(2);
  const boards = await test.store.tenant(`slack:${slack.workspace.id}`).boards.state(channel.id);
  expect(boards).toEqual({ boards: 0, lastTypedAt: null });
  expect(read(await ask(ann, 'set undo'))).toContain('Nothing to take back');
  expect(announced()).toHaveLength(2);
});
