/** The bot's own conversation with a person is known as such to every process. */
import { afterEach, expect, test } from 'vitest';
import { DirectChannels } from '../../../src/chat/slack/direct-channels.ts';
import { readHintRecord } from '../../../src/dispatch/hint-record.ts';
import { UNLEASED } from '../../../src/dispatch/poster.ts';
import { factsAbout, HINT_STEPS } from '../../../src/reply/model/facts.ts';
import { toAsker } from '../../../src/reply/model/text.ts';
import { TODAY } from '../../fakes/app.ts';
import type { Message } from '../../fakes/slack/world.ts';
import { messageOf, type OpenedSlack, openSlack } from './open-slack.ts';

let slack: OpenedSlack;
afterEach(() => slack.close());

async function countedFor(person: string) {
  const { app } = slack.test;
  const where = { tenant: `slack:${slack.workspace.id}`, channel: 'D1', direct: true };
  const { board } = await app.puzzles.puzzleOf(TODAY, where);
  const asker = { who: { id: person, mayManage: false }, where };
  return (await readHintRecord(asker, app, { board, date: TODAY })).countedSteps;
}

const isOurs = ({ byApp }: Message) => byApp;

test.each(['a process that knows it', 'a process that was started since'])(
  'a solution that is opened there counts, at %s',
  async (where) => {
    slack = await openSlack();
    const message = await messageOf(slack.bob.write('next words:forum sides:ozu-nri-lfa-mbt'));
    if (where.endsWith('since')) await slack.restart();
    await messageOf(slack.bob.press(message, 'Show'));
    expect(await countedFor(slack.bob.id)).toEqual(HINT_STEPS);
  },
);

test('is stored at its next event where the store failed at the first', async () => {
  slack = await openSlack();
  const { app, store } = slack.test;
  const { extend } = store.events;
  store.events.extend = async () => {
    store.events.extend = extend;
    throw new Error('no answer');
  };
  const here = new DirectChannels(app);
  const known: boolean[] = [];
  for (let events = 0; events < 2; events++) {
    await here.add('T1', 'D1');
    known.push(await new DirectChannels(app).has('T1', 'D1'));
  }
  expect(known).toEqual([false, true]);
});

test('what is opened under a message that the bot wrote there first counts', async () => {
  slack = await openSlack();
  const { bob, workspace, channel } = slack;
  const where = { tenant: `slack:${workspace.id}`, channel: channel.id };
  const { board } = await slack.test.app.puzzles.puzzleOf(TODAY, where);
  const reveals = factsAbout({ board, date: TODAY }, 'solution');
  const hidden = { kind: 'spoiler', label: 'Solution', hidden: ['FORUM'], reveals } as const;
  await slack.door.poster!.postPrivately({
    channel: where,
    person: bob.id,
    key: 'key of the reminder',
    reply: toAsker('A reminder', [hidden]),
    ...UNLEASED,
    since: 0,
  });
  await slack.restart();
  const [message] = [...workspace.channels.values()]
    .filter(({ kind }) => kind === 'im')
    .flatMap(({ messages }) => messages.filter(isOurs));
  await messageOf(bob.press(message!, 'Show'));
  expect(await countedFor(bob.id)).toEqual(HINT_STEPS);
});
