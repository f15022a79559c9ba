/** Boards that people make, as they do it: the real doors on the fake platforms. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { ChatRoom, PEOPLE } from '../../src/chat/web/chat-room.ts';
import { WebPoster } from '../../src/chat/web/poster.ts';
import { RequestHandlers } from '../../src/chat/web/request-handlers.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { SoloGames } from '../../src/players/solo/solo-games.ts';
import { makeTestApp, type TestApp } from '../fakes/app.ts';
import { deliverDue } from '../fakes/deliver-due.ts';
import { textOf } from '../fakes/discord/person.ts';
import { shownText } from '../fakes/slack/shown.ts';
import { house, SIDES, WORDS } from '../fakes/small-board.ts';
import { type Started, startDiscord } from './discord/start.ts';
import { messageOf, type OpenedSlack, openSmallSlack } from './slack/open-slack.ts';
import { run } from './terminal/run.ts';

const THREADS = 'POST /channels/:channel/messages/:message/threads';

describe('on Discord', () => {
  let started: Started;
  beforeEach(async () => {
    started = await startDiscord({ app: { words: WORDS, house, posterOf: () => started.door.poster } });
  });
  afterEach(() => started.close());

  const ask = (subcommand: string, options: Record<string, string>, channel = started.channel) =>
    started.discord.command({ channel, name: 'letterboxed', subcommand, options });
  const make = () => ask('board', { do: 'make', sides: SIDES, name: 'Tea time' });
  const posted = () => started.discord.world.messagesOf(started.channel.id);
  const threads = () =>
    [...started.discord.world.channels.values()].filter(({ parent_id }) => parent_id === started.channel.id);
  const expectNoTrouble = () => {
    expect(started.discord.requests.filter(({ status = 0 }) => status >= 400)).toEqual([]);
    expect(started.discord.interactions.frowns).toEqual([]);
  };

  test('a form asks for the sides; the board is posted with a thread, played and closed there', async () => {
    const asked = await ask('board', { do: 'make' });
    const made = await started.discord.submit(asked, { sides: SIDES, name: 'Tea time' });
    expect(made.ephemeral).toBe(true);
    expect(made.text).toContain('You made Tea time');
    const [message, ...others] = posted();
    expect(others).toEqual([]);
    expect(textOf(message!)).toMatch(/Challenge: Tea time.*Made by.*<@\d+>.*Open until/s);
    expect(message!.mentions ?? []).toEqual([]);
    expect(threads()).toMatchObject([{ id: message!.id, name: 'Tea time' }]);
    const solutions = await ask('solve', {}, threads()[0]);
    expect(solutions.ephemeral).toBe(true);
    expect(solutions.text).toContain('Solutions: BCD FGH JKL MNP');
    expect((await ask('solve', {})).modal).toBeDefined();
    const game = await ask('play', { words: 'bfjmcg gkdhlnbp' }, threads()[0]);
    expect(game.text).toContain('It counts for Tea time.');
    expect((await started.discord.press(message!, 'Standings')).text).toMatch(/Words.*\n.*1.*2.*<@\d+>/s);
    expect((await ask('board', {})).text).toMatch(/Tea time.*solved by 1/s);
    expect((await ask('board', { do: 'close', name: 'tea time' })).text).toContain('Tea time is closed');
    expect(textOf(posted()[0]!)).toMatch(/Closed: Tea time.*<@\d+> 2 words/s);
    expectNoTrouble();
  });

  test('a process that is killed between the post and the thread doubles neither', async () => {
    started.discord.fault({ on: THREADS, what: { status: 500 }, times: 20 });
    expect((await make()).text).toContain('I couldn’t open a thread');
    expect(posted()).toHaveLength(1);
    expect(threads()).toEqual([]);
    started.discord.clearFaults();
    started.clock.time += 3 * 60_000;
    const deliver = () => deliverDue(started.app, started.door.poster);
    await Promise.all([deliver(), deliver()]);
    expect(posted()).toHaveLength(1);
    expect(threads()).toHaveLength(1);
    expect((await make()).text).toContain('already: Tea time');
  });
});

describe('on Slack', () => {
  let slack: OpenedSlack;
  beforeEach(async () => {
    slack = await openSmallSlack();
  });
  afterEach(() => slack.close());

  const posts = () => slack.channel.messages.filter(({ byApp, only }) => byApp && only === undefined);
  const tell = (person: OpenedSlack['ann'], line: string) =>
    messageOf(person.slash(slack.channel, `/letterboxed ${line}`));

  test('a board is posted once, played, listed and closed', async () => {
    const made = await tell(slack.ann, `board make ${SIDES} name:"Tea time"`);
    expect(made.only).toBe(slack.ann.id);
    expect(posts()).toHaveLength(1);
    expect(shownText(posts()[0]!.blocks)).toContain(`<@${slack.ann.id}>`);
    const game = await tell(slack.bob, 'play bfjmcg,gkdhlnbp sides:bcd-fgh-jkl-mnp');
    expect(shownText(game.blocks)).toContain('It counts for Tea time.');
    const solutions = await messageOf(slack.bob.mention(slack.channel, 'solve', posts()[0]));
    expect(solutions.only).toBe(slack.bob.id);
    expect(shownText(solutions.blocks)).toContain('Solutions: BCD FGH JKL MNP');
    const standings = await messageOf(slack.ann.press(posts()[0]!, 'Standings'));
    expect(JSON.stringify(standings.blocks)).toMatch(
      new RegExp(`Standings: Tea time.*${slack.bob.id}.*14`, 's'),
    );
    expect(shownText((await tell(slack.bob, 'boards')).blocks)).toContain('solved by 1');
    await tell(slack.ann, 'board close tea time');
    expect(shownText(posts()[0]!.blocks)).toContain('Closed: Tea time');
    expect(posts()).toHaveLength(1);
  });

  test('a form asks for the sides, and says there what is wrong with them', async () => {
    await slack.ann.slash(slack.channel, '/letterboxed board make').shown;
    const made = await messageOf(slack.ann.submit({ Sides: SIDES }));
    expect(shownText(made.blocks)).toContain('You made Board BFJM'.replace('BFJM', 'CGKN'));
    expect(posts()).toHaveLength(1);
  });
});

describe('in the local chat', () => {
  test('a form asks for the sides; the board is in the channel, with a thread, once', async () => {
    const room = new ChatRoom();
    const world: TestApp = await makeTestApp({ words: WORDS, house, posterOf: () => poster });
    const poster = new WebPoster(room, world.clock);
    const dispatcher = makeDispatcher(world.app, { commands: COMMANDS });
    const games = new SoloGames(world.app);
    const handlers = new RequestHandlers({ dispatcher, room, clock: world.clock, log: world.app.log, games });
    const [ada, ben] = PEOPLE.map((person) => ({ person }));
    const read = (person: string) => JSON.stringify(room.visibleTo(person));
    const form = await handlers.line(ada!, 'board make');
    expect(JSON.stringify(form)).toContain('Sides');
    await handlers.line(ada!, `board make ${SIDES} name:"Tea time"`);
    await handlers.line(ada!, `board make ${SIDES}`);
    expect(read('ben').match(/Challenge: Tea time/g)).toHaveLength(1);
    expect(read('ben')).not.toContain('You made');
    expect(read('ben')).toMatch(/"title":"Tea time"/);
    const [thread] = room.visibleTo('ben').threads;
    expect(await handlers.line({ ...ben!, thread: thread!.id }, 'solve')).toBeUndefined();
    expect(read('ben')).toContain('Solutions: BCD FGH JKL MNP');
    expect(read('ada')).not.toContain('Solutions: BCD FGH JKL MNP');
    await handlers.line(ben!, 'play bfjmcg,gkdhlnbp sides:bcd-fgh-jkl-mnp');
    await handlers.line(ada!, 'board close tea time');
    expect(read('ben')).toContain('Closed: Tea time');
    await world.close();
  });
});

describe('in the terminal', () => {
  test('the board is the answer, and stays in the list', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'letterboxed-board-'));
    const settings = { DATA_DIR: folder };
    const made = await run(['board', 'make', 'ozu', 'nri', 'lfa', 'mbt', 'name:Tea time'], { settings });
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toMatch(/^Challenge: Tea time\n.*Par: 5 words\nDifficulty: medium/s);
    expect((await run(['boards'], { settings })).out).toContain(
      'Tea time by @terminal: OZU NRI LFA MBT · par 5',
    );
    expect((await run(['board', 'remove', 'tea time', 'sure'], { settings })).out).toContain(
      'Tea time is removed',
    );
    rmSync(folder, { recursive: true, force: true });
  });
});
