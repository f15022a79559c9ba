/** What answers, mistakes and notices advise is a button that works: pressed, it changes what they say, or shows what they promise. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { parseStored } from '../../src/daily/settings/settings.ts';
import { houseCommand, noBoardNotice, suspensionNotice } from '../../src/daily/suspension.ts';
import { withAdvice } from '../../src/dispatch/advice.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { piecesOf } from '../../src/reply/model/text.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { reminderReply } from '../../src/reply/replies/reminder.ts';
import { FakePaper } from '../daily/fakes.ts';
import { makeTestApp, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { formOf, opened, press, say } from '../fakes/ask.ts';
import { house, OTHER_SIDES, WORDS } from '../fakes/small-board.ts';
import { actionOf, labels } from '../reply/look.ts';

let world: TestApp;
beforeEach(async () => {
  world = await makeTestApp({ words: WORDS, house });
});
afterEach(() => world.close());

const CHANNEL = { tenant: 'web:local', channel: 'general' };
const ada = someone({ id: 'ada', mayManage: true });
const type = (line: string, who = ada) => say(world.app, line, who);

test('an answer to everyone gets no buttons from what it advises', () => {
  // Advised twice, it is one button.
  const blocks = [{ kind: 'text', lines: [[{ command: 'hint' }], [{ command: 'hint' }]] }] as const;
  const read = () => ({ command: 'hint', options: {} });
  for (const [audience, count] of [
    ['everyone', 0],
    ['asker', 1],
  ] as const)
    expect(labels(withAdvice({ title: 'Today', blocks, audience }, read))).toHaveLength(count);
});

interface Advised {
  /** What is typed before. */
  readonly before?: readonly string[];
  /** The line whose answer advises. */
  readonly line: string;
  readonly label: string;
  /** What the answer to the press says. */
  readonly shows: string | RegExp;
  /** Where the advice is about what the answer says, a line to which the answer is another one then. */
  readonly changes?: string;
}

const ADVICE: readonly Advised[] = [
  { line: 'daily', label: 'Switch on', shows: '8:00', changes: 'daily' },
  { line: 'daily', label: 'See a whole day (only you)', shows: 'A test of the daily thread' },
  { before: ['daily on'], line: 'daily off', label: 'Switch on', shows: '8:00', changes: 'daily show' },
  { line: 'daily off', label: 'Switch on', shows: '8:00', changes: 'daily show' },
  {
    before: ['daily on', 'daily pause'],
    line: 'daily show',
    label: 'Switch on',
    shows: '8:00',
    changes: 'daily show',
  },
  { line: 'daily pause', label: 'Daily on', shows: '8:00', changes: 'daily pause' },
  { line: 'daily 9', label: 'Daily on 9:00', shows: '9:00', changes: 'daily show' },
  { line: 'thread', label: 'Hint', shows: 'Hint 1 of' },
  { line: 'stats', label: 'Play', shows: 'Your game' },
  { line: 'leaderboard', label: 'Play', shows: 'Your game' },
  { line: 'archive', label: 'Today’s board', shows: 'Friday, November 20' },
  { line: 'remind', label: 'Remind me at 7:00 PM', shows: '7:00 PM', changes: 'remind' },
  { line: 'remind off', label: 'Remind me at 7:00 PM', shows: '7:00 PM', changes: 'remind' },
  {
    line: 'remind zone:Berlin',
    label: 'Remind at 7:00 PM, Europe/Berlin',
    shows: '7:00 PM',
    changes: 'remind',
  },
  { line: 'missing join', label: 'Leave', shows: 'You’re not on the list' },
  { line: 'missing join', label: 'Who is missing', shows: 'Who is missing' },
  { line: 'missing leave', label: 'Join', shows: 'You’re on the list now' },
  {
    before: ['privacy hide'],
    line: 'missing join',
    label: 'Show me again',
    shows: 'back on',
    changes: 'missing join',
  },
  { line: 'calm off', label: 'Calm', shows: 'Calm is on' },
  { before: ['calm on'], line: 'remind at 19:00', label: 'Calm off', shows: 'Calm is off' },
  { line: 'calm on', label: 'End calm', shows: 'Calm is off', changes: 'calm' },
  { line: 'privacy hide', label: 'Show me again', shows: 'back on', changes: 'privacy' },
  { line: 'privacy unhide', label: 'Hide me', shows: 'hidden from all', changes: 'privacy' },
  { line: 'privacy delete sure', label: 'Hide me', shows: 'hidden from all', changes: 'privacy' },
  { line: 'relay bfjm', label: 'Start a relay', shows: 'Relay', changes: 'relay bfjm' },
  { line: 'relay bfjm turns', label: 'Relay start', shows: 'Relay' },
  {
    before: ['relay start'],
    line: 'relay bfjm mcg',
    label: 'Relay bfjm',
    shows: '1. BFJM',
    changes: 'relay show',
  },
];

test.each(ADVICE)('$line: $label', async ({ before = [], line, label, shows, changes }) => {
  for (const one of before) await type(one);
  const advising = await type(line);
  const told = changes && opened(changes === line ? advising : await type(changes));
  expect(labels(advising)).toContain(label);
  const pressed = await press(world.app, actionOf(advising, label), ada);
  expect(pressed.isMistake).toBeUndefined();
  expect(opened(pressed)).toMatch(shows);
  if (changes !== undefined) expect(opened(await type(changes))).not.toBe(told);
});

/** The commands that the text of an answer advises. */
function advisedBy({ blocks }: Reply): string[] {
  const pieces = blocks.flatMap((block) => (block.kind === 'text' ? block.lines.flatMap(piecesOf) : []));
  return pieces.flatMap((piece) =>
    typeof piece !== 'string' && 'command' in piece && piece.label !== false ? piece.command : [],
  );
}

test('the button to make a board asks for its sides', async () => {
  const none = await type('board');
  const action = actionOf(none, 'Make a board');
  const form = formOf(makeDispatcher(world.app, { commands: COMMANDS }).prepare({ ...ada, ...action }));
  expect(form.fields.map(({ name }) => name)).toContain('sides');
  await press(world.app, { ...action, options: { ...action.options, sides: OTHER_SIDES, name: 'Tea' } }, ada);
  expect(opened(await type('board'))).not.toBe(opened(none));
});

test('what the notice of a thread that has stopped advises goes on with it', async () => {
  await type('daily on');
  const { subscriptions } = world.store.tenant(CHANNEL.tenant);
  const reason = { code: 'refused', message: 'no' } as const;
  await subscriptions.setState(CHANNEL.channel, { state: 'suspended', reason });
  const [advice] = advisedBy(suspensionNotice(CHANNEL, reason, []));
  expect(opened(await type(advice!))).toMatch(/^The daily thread is on/);
  expect(await subscriptions.get(CHANNEL.channel)).toMatchObject({ state: 'active' });
});

test('the last reminder’s button reminds again', async () => {
  const reminder = { date: TODAY, until: 0, at: '18:00', maxIgnored: 5, number: 5 };
  const pressed = await press(world.app, actionOf(reminderReply(reminder), 'Remind me at 6:00 PM'), ada);
  expect(pressed.title).toContain('I’ll remind you at 6:00 PM');
});

test.each(['newspaper', 'house', 'off'] as const)(
  'where the operator has %s, what the notice of a day without a board advises changes where boards come from',
  async (source) => {
    const newspaper = new FakePaper(house(TODAY));
    newspaper.isDown = true;
    const made = await makeTestApp({ words: WORDS, house, source, newspaper });
    const tell = async (line: string) => opened(await say(made.app, line, ada));
    const stored = async () =>
      parseStored((await made.store.tenant('web:local').subscriptions.get('general'))?.settings);
    const boardIn = (text: string) => /^Board: .*/m.exec(text)?.[0];
    for (const wanted of ['newspaper', 'house', 'off']) {
      await tell(`daily on source:${wanted} otherwise:nothing`);
      const reason = 'The newspaper has no board.';
      const notice = noBoardNotice(CHANNEL, TODAY, reason, houseCommand(await stored(), made.app.puzzles));
      const [typed] = advisedBy(notice);
      expect(await tell(typed!)).toContain('Board set for this channel');
      expect(await tell('today')).toContain('Typed by hand');
      await tell('set undo');
      const before = boardIn(await tell('daily show'));
      const isHouse = before?.includes('a new board by this bot');
      const [, advice] = advisedBy(notice);
      if (source === 'off') expect(advice).toBeUndefined();
      else if (!isHouse) {
        expect(await tell(advice!)).not.toContain('Nothing has changed');
        const after = boardIn(await tell('daily show'));
        expect(after).not.toBe(before);
        expect(after).toMatch(/the house board|a new board by this bot/);
      }
    }
    await made.close();
  },
);
