import { afterEach, describe, expect, it } from 'vitest';
import { compileLexicon, loadLexicon } from '../../../src/solver/lexicon.ts';
import type { TestAppOptions } from '../../fakes/app.ts';
import { sample } from '../../fakes/sample.ts';
import type { Person } from '../../fakes/slack/people.ts';
import { controlsOf } from '../../fakes/slack/shown.ts';
import type { Message, View } from '../../fakes/slack/world.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { resultsOf } from '../../fakes/stored.ts';
import {
  makeSlackApp,
  messageOf,
  type OpenedSlack,
  type OpenSlackOptions,
  openSlack,
  read,
  viewOf,
} from './open-slack.ts';

const LEXICON = loadLexicon(compileLexicon(WORDS));
const SETTINGS = {
  PUBLIC_URL: 'https://bot.example.org',
  SLACK_BOT_TOKEN: 'xoxb-of-a-test',
  SLACK_APP_TOKEN: 'xapp-of-a-test',
};

let slack: OpenedSlack;
afterEach(() => slack.close());

/** On a board that BFJMCG and GKDHLNBP solve. */
async function start(options: OpenSlackOptions = {}, app: TestAppOptions = {}): Promise<void> {
  const test = await makeSlackApp({ ...app, lexicon: LEXICON, house, posterOf: () => slack.door.poster });
  const made = await openSlack({ test, ...options });
  slack = { ...made, close: () => made.close().then(() => test.close()) };
}

/** Does something, and resolves with the first message or view for this person that fits. */
async function seen(person: Person, act: () => unknown, fits: RegExp): Promise<Message | View> {
  const next = slack.fake.next(({ message, view, viewer }) => {
    const shown = message?.only === person.id ? message : viewer === person.id ? view : undefined;
    return shown !== undefined && fits.test(read(shown));
  });
  act();
  const { message, view } = await next;
  return message ?? view!;
}
const open = (person: Person, line = 'play') =>
  seen(person, () => person.slash(slack.channel, `/letterboxed ${line}`), /\[Type words\]/);
/** Types words into the form of a game, and resolves with what it says then. */
async function type(person: Person, on: Message | View, words: string, fits: RegExp) {
  await viewOf(person.press(on, 'Type words'));
  return seen(person, () => person.submit({ Words: words }), fits);
}
const labels = ({ blocks }: Message | View) => controlsOf(blocks).map(({ label }) => label);
const results = (person: string) => resultsOf(slack.test.store, `slack:${slack.workspace.id}`, person);
const troubles = () => slack.test.logged.filter(({ level }) => level === 'error' || level === 'warn');

/** What differs over HTTP is how a form is acknowledged: see answers.test.ts. */
describe.each(sample(['socket', 'http'] as const, ['socket'] as const))('a game, by %s', (mode) => {
  it('is played in a form to the end, shared, and counted once', async () => {
    await start({ mode });
    const { ann, channel } = slack;
    const opened = (await open(ann)) as Message;
    expect(opened.only).toBe(ann.id);
    expect(read(opened)).toMatch(/Your game: Nov 20, 2026.*No words yet/s);
    expect(labels(opened)).toEqual(['Type words', 'Hint: words needed (1 point)']);
    const form = await viewOf(ann.press(opened, 'Type words'));
    const [drawn] = (form as View).blocks;
    expect(drawn).toMatchObject({ type: 'section', text: { text: expect.stringMatching(/B {3}C {3}D/) } });
    const played = await seen(ann, () => ann.submit({ Words: 'bfjmcg' }), /\*BFJMCG\* – `G…`/);
    // In its place, which is what its person presses next.
    expect((played as Message).ts).toBe(opened.ts);
    expect(read(played)).toContain('Left: D H K L N P');
    expect(labels(played)).toEqual(['Type words', 'Take back', 'Hint: hardest letters (1 point)']);
    const values = controlsOf(played.blocks).map(({ element, actionId }) => [element.value, actionId]);
    expect(JSON.stringify(values)).not.toMatch(/bfj/i);
    const next = await viewOf(ann.press(played, 'Type words'));
    expect(JSON.stringify(next)).toContain('Left: D H K L N P. They go on from BFJMCG');
    expect(next.private_metadata).not.toMatch(/bfj/i);
    const solved = await seen(ann, () => ann.submit({ Words: 'gkdhlnbp' }), /Solved in 2 words.*1 day/s);
    expect(labels(solved)).toEqual(expect.arrayContaining(['Share', 'How you did', 'Hunt', 'Play again']));
    const shared = slack.fake.next(({ message }) => message !== undefined && message.only === undefined);
    ann.press(solved, 'Share');
    expect((await shared).message).toMatchObject({ channel: channel.id });
    expect(read((await shared).message!)).not.toMatch(/bfjmcg|gkdh/i);
    await messageOf(ann.slash(channel, '/letterboxed play bfjmcg gkdhlnbp'));
    expect(await results(ann.id)).toMatchObject([{ words: 2, letters: 14 }]);
    expect(troubles()).toEqual([]);
  });
});

it('a game opens from a board, from the home page, and in a mention, and goes on in each', async () => {
  await start();
  const { ann, bob, channel, fake, workspace } = slack;
  const board = await messageOf(ann.slash(channel, '/letterboxed today'));
  await seen(bob, () => bob.press(board, 'Play'), /\[Type words\]/);
  const eve = fake.addPerson(workspace);
  const home = await viewOf(eve.openHome());
  const modal = await seen(eve, () => eve.press(home, 'Play'), /\[Type words\]/);
  const played = await type(eve, modal, 'bfjmcg', /\*BFJMCG\*/);
  await seen(eve, () => eve.press(played, 'Take back'), /No words yet/);
  await type(ann, await open(ann), 'bfjmcg', /\*BFJMCG\*/);
  await seen(ann, () => ann.mention(channel, 'play'), /\*BFJMCG\* – `G…`/);
  expect(troubles()).toEqual([]);
});

it('the button of a game that opens a page in the browser is answered with nothing', async () => {
  await start({}, { settings: SETTINGS });
  const { ann, test } = slack;
  const opened = await open(ann);
  expect(labels(opened)).toEqual(['Play in the browser', 'Type words', 'Hint: words needed (1 point)']);
  const { element } = controlsOf(opened.blocks).find(({ label }) => label === 'Play in the browser')!;
  const shown: string[] = [];
  slack.fake.watchers.add(({ message }) => message && shown.push(read(message)));
  expect((await ann.press(opened, 'Play in the browser').ack).problem).toBeUndefined();
  await type(ann, opened, 'bfjmcg', /\*BFJMCG\*/);
  expect(shown).toHaveLength(1);
  expect(JSON.stringify(test.logged)).not.toContain(new URL(element.url).hash.slice(1));
  expect(troubles()).toEqual([]);
});
