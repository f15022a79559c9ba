/** What doors have in common, told once for all of them: each platform's own ways are tested in its folder. */
import { afterEach, describe, expect, test } from 'vitest';
import { MINUTE } from '../../../src/core/clock.ts';
import { COUNTDOWN_MS, readRace } from '../../../src/players/race/game.ts';
import { HINT_STEPS } from '../../../src/reply/model/facts.ts';
import { ALL_HINT_POINTS, HINTS, hintPoints, pointsText } from '../../../src/reply/replies/hint-steps.ts';
import { formatBoard } from '../../../src/solver/board.ts';
import { generate } from '../../../src/solver/generate.ts';
import { realLexicon } from '../../fakes/app.ts';
import { OTHER_SIDES } from '../../fakes/small-board.ts';
import {
  newYork,
  PLATFORMS,
  type Place,
  type Platform,
  type Shown,
  WORLD_DOORS,
  type World,
  world,
} from '../../fakes/world.ts';

let made: World;
afterEach(async () => {
  await made.close();
  if (made.discord === undefined) return;
  const { requests, interactions, world } = made.discord.discord;
  // Discord refused nothing, met no bad manners, and nobody was pinged.
  expect(requests.filter(({ status = 0 }) => status >= 400)).toEqual([]);
  expect(interactions.frowns).toEqual([]);
  expect([...world.messages.values()].flat().flatMap(({ mentions }) => mentions)).toEqual([]);
});

const WORDS = /BFJM|GKDH|NBP|MCGK/i;
/** What everybody sees, channel first. */
const texts = async (place: Place) => (await place.messages()).map(({ text }) => text);

describe.each(WORLD_DOORS)('%s', (door) => {
  async function open(): Promise<Place> {
    made = await world({ doors: [door] });
    return made.places[0]!;
  }

  test('from the board of the day, the first hint is one press away, the solution two, and the third hint three', async () => {
    const place = await open();
    const board = await place.ask('ada', 'today');
    const first = await board.press('ben', 'Hint');
    expect(first.text).toContain(HINTS[HINT_STEPS[0]].label);
    let hint = first;
    for (let more = 0; more < 2; more++) hint = await hint.press('ben', labelIn(hint, /Next hint: [^\]]*/));
    expect(hint.text).toContain(HINTS[HINT_STEPS[2]!].label);
    // Elsewhere than in the local chat, the card has grown in place.
    const told = HINT_STEPS.slice(0, door === 'web' ? 1 : 3);
    const solution = await first.press('cleo', `Solution: ${pointsText(ALL_HINT_POINTS - hintPoints(told))}`);
    expect(solution.text).toContain('BFJMCG');
  });

  // The local chat answers a form with a form.
  const asked = [
    ['check', ['words']],
    ['board make', ['sides']],
  ] as const;
  test.each(door === 'web' ? [] : asked)(
    'a form of %s that holds only blanks is asked for again, on Discord with a button, and on Slack it stays',
    async (line, fields) => {
      const place = await open();
      const form = await place.ask('ada', line);
      expect(form.where).toBe('form');
      const blanks = Object.fromEntries(fields.map((name) => [name, '  ']));
      const answer = await form.submit(blanks);
      if (door === 'discord') {
        expect(answer.text).toContain('This needs more');
        expect((await answer.press('ada', 'Fill in')).where).toBe('form');
      } else if (door === 'slack')
        expect([answer.where, answer.text]).toEqual(['form', expect.stringContaining('fill this in')]);
      else expect(answer.text).not.toContain('went wrong');
    },
  );

  test('a game is for its player alone; its result is shared under their name, without a word', async () => {
    const place = await open();
    const solved = await place.ask('ben', 'play words:bfjmcg,gkdhlnbp');
    expect(solved.where).toBe('asker');
    expect(solved.text).toContain('Solved in 2 words');
    expect(await texts(place)).toEqual([]);
    await place.ask('ben', 'share');
    const shared = await texts(place);
    expect(shared).toHaveLength(1);
    expect(shared[0]).toContain('2 words');
    expect(shared[0]).not.toMatch(WORDS);
    const table = await place.ask('cleo', 'leaderboard');
    // Slack shows names by an edit, which pings nobody.
    await expect.poll(() => table.text).toContain(nameIn(place, 'ben'));
  });

  test('a private answer to a button leaves the public list that has it', async () => {
    const place = await open();
    await place.ask('ben', 'play words:bfjmcg,gkdhlnbp');
    await made.at(newYork(21, 12));
    const list = await place.ask('ben', 'leaderboard');
    const empty = await list.press('ben', 'Today');
    expect([empty.where, empty.text]).toEqual(['asker', expect.stringContaining('No results yet')]);
    expect((await texts(place))[0]).toContain('Leaderboard: week');
  });

  test('two people are compared once one asks in the channel and the other agrees in private', async () => {
    const place = await open();
    for (const who of ['ben', 'cleo'] as const) await place.ask(who, 'play words:bfjmcg,gkdhlnbp');
    const [ben, cleo] = [place.idOf('ben'), place.idOf('cleo')];
    const mention = door === 'slack' ? `<@${cleo}|cleo>` : cleo;
    const asked = await place.ask('ben', `stats with:${mention}`);
    expect([asked.where, asked.text]).toEqual(['asker', expect.stringContaining('No comparison')]);
    // Her answer there is the message after the question.
    const privately = () => [...made.slack!.workspace.channels.values()].filter(({ kind }) => kind === 'im');
    if (door === 'slack')
      await expect
        .poll(() => privately().flatMap(({ messages }) => messages.filter(({ byApp }) => byApp)))
        .toHaveLength(1);
    const told = await place.ask(
      'cleo',
      `stats with:${ben}`,
      door === 'web' ? undefined : 'private messages',
    );
    // Today's board is still on.
    expect(told.text).toContain('0 days on which both of you solved the board');
    const stopped = await told.press('cleo', 'Stop comparing');
    expect(stopped.text).toContain('Not compared');
    expect((await place.ask('ben', `stats with:${mention}`)).text).toContain('No comparison');
    expect(await texts(place)).toEqual([]);
  });

  test('a relay is one message in a thread of its own, edited in place, by command and by button', async () => {
    const place = await open();
    const started = await place.ask('ada', 'relay start');
    expect(started.where).toBe('asker');
    expect(started.text).toContain('Open the thread');
    const [invitation, game] = (await place.messages()) as [Shown, Shown];
    expect([invitation.where, game.where]).toEqual(['channel', 'thread']);
    expect((await place.ask('ada', 'relay bfjmcg')).text).toContain('Word added');
    if (door !== 'web') {
      const blank = await (await game.press('ben', 'Add a word')).submit({ word: '  ' });
      if (door === 'discord') expect(blank.text).toContain('This needs more: word.');
    }
    const asked = await game.press('ben', 'Add a word');
    const added = await asked.submit({ word: 'gkdhln' });
    expect(added.where).toBe('asker');
    expect((await place.ask('ben', 'relay zzz')).text).toContain('not on this board');
    expect((await place.ask('ada', 'relay nbp')).text).toContain('Solved together!');
    const [still, changed, ...others] = (await place.messages()) as [Shown, Shown];
    expect(others).toEqual([]);
    expect(still.text).not.toMatch(WORDS);
    expect(changed.text).toContain('Relay solved in 3 words');
    expect(changed.text).toContain(`BFJMCG ${place.named('ada')}`);
    expect(changed.text).toContain(`GKDHLN ${place.named('ben')}`);
  });

  test('a race is one message, joined, started, followed and won by button', async () => {
    made = await world({ doors: [door], lexicon: realLexicon() });
    const place = made.places[0]!;
    expect((await place.ask('ada', 'race')).where).toBe('asker');
    const card = async () => (await place.messages()).find(({ text }) => /^Race/m.test(text))!;
    await (await card()).press('ben', 'Join');
    const ready = await (await card()).press('ben', 'Start');
    expect(ready.text).toContain('Get ready');
    made.clock.time += COUNTDOWN_MS;
    const { race } = (await readRace(made.app, place.ref))!;
    const { board, solution } = generate(realLexicon(), { seed: 'seed 1' });
    expect(race.board).toBe(formatBoard(board));
    const [sides, words] = [race.board!.replaceAll(' ', '-'), solution.words.join()];
    expect((await (await card()).press('ben', 'Play')).where).toBe('asker');
    expect((await card()).text.toLowerCase()).not.toContain(solution.words[0]);
    await place.ask('ada', `play words:${words} sides:${sides}`);
    await expect.poll(async () => (await card()).text).toContain('Race won in 2 words');
    expect((await card()).text).toContain(`${place.named('ada')} won after 1 second.`);
    // The others open it in place.
    if (door === 'slack')
      expect((await (await card()).press('cleo', 'Show')).text).toContain(solution.words[0]!.toUpperCase());
  });

  test('a board that somebody makes is asked for in a form, posted once, played, listed and closed', async () => {
    const place = await open();
    const form = await place.ask('ada', 'board make');
    const answer = await form.submit({ sides: OTHER_SIDES, name: 'Tea time', note: 'For tea lovers' });
    expect(answer.where).toBe('asker');
    expect(answer.text).toContain('You made Tea time');
    expect((await place.ask('ada', `board make sides:"${OTHER_SIDES}"`)).text).toContain('already: Tea time');
    const [posted, ...others] = (await place.messages()).filter(({ text }) => text.includes('Tea time'));
    expect(others.filter(({ where }) => where === 'channel')).toEqual([]);
    expect(posted!.text).toMatch(/Challenge: Tea time.*Made by.*Open until/s);
    expect(posted!.text).toContain(place.named('ada'));
    expect((await texts(place)).join()).not.toContain('tea lovers');
    const solutions = await place.ask('ben', 'solve', posted);
    expect(solutions.where).toBe('asker');
    expect(solutions.text).toContain('Solutions: BCD FGH JKN LMP');
    const game = await place.ask('ben', 'play words:bfjmcg,gkdhlnbp sides:bcd-fgh-jkn-lmp');
    // The local chat says it on the board itself.
    if (door !== 'web')
      expect(game.text).toMatch(/It counts for Tea time\..*Its maker says: “For tea lovers”/s);
    const standings = await posted!.press('ada', 'Standings');
    await expect.poll(() => standings.text).toContain(nameIn(place, 'ben'));
    expect((await place.ask('ben', 'boards')).text).toMatch(/Tea time.*solved by 1/s);
    expect((await place.ask('ada', 'board close name:"tea time"')).text).toContain('Tea time is closed');
    const [closed] = (await place.messages()).filter(({ id }) => id === posted!.id);
    expect(closed!.text).toMatch(/Closed: Tea time.*2 words.*This channel found 1 of 3/s);
  });

  test('who may switches the daily thread on, and it is posted once', async () => {
    const place = await open();
    const refused = /Only managers can do that|You need Manage Server/.test(
      (await place.ask('ben', 'daily on')).text,
    );
    // On Slack, everybody in a channel may change its settings.
    expect(refused).toBe(door !== 'slack');
    expect((await place.ask('ada', 'daily on')).text).toContain('The daily thread is on');
    for (let minutes = 0; minutes < 3; minutes++) await made.at(made.clock.time + minutes * MINUTE);
    const openings = (await texts(place)).filter((text) => text.startsWith('Friday, November 20\n'));
    expect(openings).toHaveLength(1);
  });
});

/** Takes the bot out of its server or workspace. A new platform fails to compile until it is here. */
const TAKE_OUT: Readonly<Record<Platform, (world: World) => unknown>> = {
  discord: ({ discord }) => discord!.discord.remove(discord!.guild),
  async slack({ slack, allowErrors }) {
    await slack!.fake.uninstall(slack!.workspace);
    await expect.poll(() => slack!.door.trouble()).toBeDefined();
    allowErrors(slack!.door.trouble()!);
  },
};

test.each(PLATFORMS)(
  '%s notes that the bot is back in a place, and that it is taken out, after which all there is erased',
  async (door) => {
    made = await world({ doors: [door] });
    const tenant = made.store.tenant(made.places[0]!.ref.tenant);
    await tenant.markRemoved(0);
    await made.restart();
    await expect.poll(() => tenant.isRemoved()).toBe(false);
    await TAKE_OUT[door](made);
    await expect.poll(() => tenant.isRemoved()).toBe(true);
  },
);

const labelIn = ({ text }: Shown, label: RegExp) => label.exec(text)![0];
/** In a table, where some platforms write people without their markup. */
const nameIn = (place: Place, who: 'ben') => place.named(who).replace(/[<@>]/g, '');
