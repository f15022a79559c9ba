import { ComponentType } from 'discord.js';
import { afterEach, describe, expect, it } from 'vitest';
import { DiscordDoor } from '../../../src/chat/discord/door.ts';
import { MOST_WAITING } from '../../../src/chat/discord/games.ts';
import { MINUTE } from '../../../src/core/clock.ts';
import { parseMoves } from '../../../src/play/game.ts';
import { SoloGames } from '../../../src/players/solo-games.ts';
import type { Picture } from '../../../src/reply/model/types.ts';
import type { Pictures } from '../../../src/reply/picture/pictures.ts';
import { TODAY } from '../../fakes/app.ts';
import { type Component, flatten } from '../../fakes/discord/components.ts';
import type { Asking } from '../../fakes/discord/index.ts';
import { FLAG, type Message } from '../../fakes/discord/message.ts';
import { textOf } from '../../fakes/discord/person.ts';
import { sample } from '../../fakes/sample.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { resultIn } from '../../players/made-up.ts';
import { followLink } from '../../web/pages/serve.ts';
import { type Started, type StartOptions, startDiscord } from './start.ts';

const PEOPLE = sample(50, 3);
const CALLBACK = 'POST /interactions/:interaction/:token/callback';
const EDIT = 'PATCH /webhooks/:application/:token/messages/:message';
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
/** Pictures that cost nothing, and can be made to wait. */
class HeldPictures implements Pictures {
  /** What was to be drawn. */
  readonly drawn: Picture[] = [];
  #gate: PromiseWithResolvers<void> | undefined;

  async png(picture: Picture): Promise<Buffer> {
    this.drawn.push(picture);
    await this.#gate?.promise;
    return PNG;
  }
  hold(): void {
    this.drawn.length = 0;
    this.#gate = Promise.withResolvers();
  }
  release(): void {
    this.#gate?.resolve();
    this.#gate = undefined;
  }
}

let started: Started;
let pictures: HeldPictures;
afterEach(() => started.close());
async function start(options: StartOptions = {}): Promise<void> {
  pictures = new HeldPictures();
  const app = { words: WORDS, house };
  started = await startDiscord({ app, ...options, door: { pictures, ...options.door } });
}

const command = (subcommand: string, options = {}, asked: Asking = {}) =>
  started.discord.command({ channel: started.channel, name: 'letterboxed', subcommand, options, ...asked });
const press = (message: Message, button: string, asked?: Asking) =>
  started.discord.press(message, button, asked);
/** One press after the other, each once the one before it is answered. */
async function tap(message: Message, buttons: readonly string[], asked?: Asking): Promise<void> {
  for (const button of buttons) await press(message, button, asked);
}
const rowsOf = ({ components }: Message): Component[][] =>
  flatten(components)
    .filter(({ type }) => type === ComponentType.ActionRow)
    .map((row) => row.components ?? []);
/** A row for each line; what can't be pressed in small letters. */
const shownRows = (message: Message) =>
  rowsOf(message).map((row) =>
    row.map(({ label = '', disabled }) => (disabled ? label.toLowerCase() : label)).join(' '),
  );
const result = (person: string) =>
  resultIn(started.store.tenant(`discord:${started.guild.id}`).results, person, started.channel.id, TODAY);
const refused = () => started.discord.requests.filter(({ status = 0 }) => status >= 400);
/** How many requests each route got. */
const routes = () =>
  started.discord.requests.reduce<Record<string, number>>((counts, { route = '' }) => {
    counts[route] = (counts[route] ?? 0) + 1;
    return counts;
  }, {});
const SOLUTION = [...'BFJMCG', 'Enter', ...'KDHLNBP', 'Enter'];

describe('a game in a private message', () => {
  it('is played to the end by buttons, below the board of everybody', async () => {
    await start();
    const { message: board } = await command('today');
    const opened = await press(board, 'Play');
    const { message } = opened;
    expect(opened.ephemeral).toBe(true);
    expect(message.id).not.toBe(board.id);
    expect(shownRows(message)).toEqual([
      'enter back Hint',
      '↑ B C D',
      '← M N P',
      '→ F G H',
      '↓ J K L',
      'restart Type words',
    ]);
    await tap(message, [...'BFJ']);
    expect(shownRows(message)).toEqual([
      'Enter Back Hint',
      '↑ B C D',
      '← M N P',
      '→ F G H',
      '↓ j k l',
      'Restart Type words',
    ]);
    expect(textOf(message)).toContain('`BFJ`');
    await tap(message, [...'MCG', 'Enter']);
    expect(textOf(message)).toContain('**BFJMCG** – `G…`');
    await tap(message, [...'KDHLNBP', 'Enter']);
    expect(textOf(message)).toContain('### Solved in 2 words: Nov 20, 2026');
    expect(textOf(message)).toContain('Your streak is 1 day.');
    expect(shownRows(message)).toEqual(['Share How you did Hunt', '', 'Back Restart']);
    expect((await press(message, 'How you did')).text).toContain('**100 of 100.**');
    expect((await press(message, 'Share')).text).toContain('2 words');
    expect(await result(opened.interaction.user.id)).toMatchObject({ words: 2 });
    expect(started.discord.interactions.frowns).toEqual([]);
    expect(refused()).toEqual([]);
  });

  it('goes on in the browser by a link of the person’s own, and is counted once', async () => {
    const PUBLIC_URL = 'https://bot.example.org';
    const settings = { PUBLIC_URL, DISCORD_TOKEN: `${'M'.repeat(24)}.GabcDe.${'x'.repeat(38)}` };
    await start({ app: { words: WORDS, house, settings } });
    const opened = await command('play');
    const { message } = opened;
    await tap(message, [...'BFJMCG', 'Enter']);
    const row = rowsOf(message).at(-1)!;
    expect(row.at(-1)).toMatchObject({ label: 'Play in the browser' });
    const link = new URL(row.at(-1)!.url!);
    expect(link.href.length).toBeLessThan(512);
    expect(textOf(message)).not.toContain('/play/');
    const playByLink = await followLink(started.app, started.dispatcher, link, settings.DISCORD_TOKEN);
    const edits = () => routes()[EDIT] ?? 0;
    const before = edits();
    const played = await playByLink('kdhlnb');
    expect(played).toMatchObject({ game: { words: ['bfjmcg'], word: 'gkdhlnb' } });
    // The message follows by itself, several moves at once.
    await expect.poll(() => textOf(message)).toContain('`GKDHLNB`');
    expect(edits()).toBe(before + 1);
    await tap(message, ['P', 'Enter']);
    expect(textOf(message)).toContain('### Solved in 2 words: Nov 20, 2026');
    expect(shownRows(message)).toEqual(['Share How you did Hunt', '', 'Back Restart']);
    const { user } = opened.interaction;
    expect(await result(user.id)).toMatchObject({ words: 2 });
    expect(await started.store.allPeople.scoresOf('discord', user.id)).toHaveLength(1);
    expect(JSON.stringify(started.logged)).not.toContain(link.hash.slice(1));
    expect(refused()).toEqual([]);
  });

  it('follows what is played in the browser until its token expires, and goes on with the next press', async () => {
    const settings = {
      PUBLIC_URL: 'https://bot.example.org',
      DISCORD_TOKEN: `${'M'.repeat(24)}.GabcDe.${'x'.repeat(38)}`,
    };
    await start({ app: { words: WORDS, house, settings } });
    const { message } = await command('play');
    const link = new URL(rowsOf(message).at(-1)!.at(-1)!.url!);
    const playByLink = await followLink(started.app, started.dispatcher, link, settings.DISCORD_TOKEN);
    await playByLink('bfjmcg.');
    await expect.poll(() => textOf(message)).toContain('**BFJMCG**');
    started.clock.time += 20 * MINUTE;
    await playByLink('kd');
    const isTried = () =>
      started.logged.some(({ message: line }) => line === 'a message with a game could not follow');
    await expect.poll(isTried).toBe(true);
    expect(textOf(message)).not.toContain('GKD');
    await tap(message, ['Back']);
    expect(textOf(message)).toContain('`GK`');
    await playByLink('dhlnbp.');
    await expect.poll(() => textOf(message)).toContain('Solved in 2 words');
  });

  it('takes letters and words back, starts over, and says why a word is not right', async () => {
    await start();
    const { message } = await command('play');
    await tap(message, [...'BFJ', 'Enter']);
    expect(textOf(message)).toContain('BFJ is not in the word list.');
    await tap(message, ['Back', 'J', ...'MCG', 'Enter', 'Back', 'Back']);
    expect(textOf(message)).toContain('`BFJMC`');
    await tap(message, ['Restart']);
    expect(textOf(message)).toContain('Choose a letter to begin.');
  });

  it('keeps its buttons in place after each press, on one screen of a phone', async () => {
    await start();
    const { message } = await command('play');
    // The heading, a square picture, two lines and six rows of buttons: 601 of 610 points (`scripts/phone.ts`).
    const shape = () =>
      flatten(message.components).map(({ type, content }) => content?.split('\n').length ?? type);
    const first = shape();
    expect(first.filter((part) => part === 2)).toHaveLength(1 + rowsOf(message).flat().length);
    expect(rowsOf(message)).toHaveLength(6);
    for (const moves of [['B'], [...'FJ', 'Enter'], ['Back', ...'J'], [...'MCG', 'Enter'], ['K']]) {
      await tap(message, moves);
      expect([moves, shape()]).toEqual([moves, first]);
    }
    expect(textOf(message)).toMatch(/\*\*BFJMCG\*\* – `GK`\nLeft: D H K L N P$/m);
  });

  it('has its words nowhere but in the message itself', async () => {
    await start();
    const { message } = await command('play');
    await tap(message, [...'BFJMCG', 'Enter', 'K']);
    const fields = JSON.stringify([message.components, message.attachments], (name, value) =>
      name === 'content' ? undefined : value,
    );
    expect(fields).not.toMatch(/bfjmcg/i);
    expect(flatten(message.components)[1]?.content).toBe('### Your game: Nov 20, 2026');
    for (const { custom_id = '' } of rowsOf(message).flat()) expect(custom_id.length).toBeLessThanOrEqual(60);
    // Of one size from the first on, so that no button moves.
    expect(pictures.drawn.map(({ passing }) => passing)).toEqual(pictures.drawn.map(() => true));
    expect(pictures.drawn.at(-1)).toMatchObject({
      passing: true,
      path: {
        words: [
          [0, 3, 6, 9, 1, 4],
          [4, 7],
        ],
      },
    });
    expect(message.flags & FLAG.ephemeral).toBe(FLAG.ephemeral);
    expect(message.attachments).toHaveLength(1);
  });

  it('takes typed words in place of what was played, with the form filled in', async () => {
    await start();
    const { message } = await command('play');
    await tap(message, [...'BFJMCG', 'Enter', 'K']);
    const form = await press(message, 'Type words');
    expect(form.modal.components).toMatchObject([{ component: { value: 'BFJMCG, GK' } }]);
    await started.discord.submit(form, { words: 'BFJMCG, Fnord' });
    expect(textOf(message)).toContain('**BFJMCG** – `G…`');
    expect(textOf(message)).toContain('FNORD has O, which is not on this board.');
    await started.discord.submit(await press(message, 'Type words'), { words: 'bfjmcg gkdhlnbp' });
    expect(textOf(message)).toContain('### Solved in 2 words');
  });

  it('gives a hint that goes on from the words, in a message of its own', async () => {
    await start();
    const { message } = await command('play');
    await tap(message, [...'BFJMCG', 'Enter']);
    const hint = await press(message, 'Hint');
    expect(hint.text).toMatch(/Hint \d+ of \d+/);
    expect(hint.text).toContain('BFJMCG');
    expect([hint.ephemeral, hint.message.id === message.id]).toEqual([true, false]);
    expect(textOf(message)).toContain('`G…`');
  });
});

describe('quick presses', () => {
  it('are played in their order, acknowledged at once, and drawn together', async () => {
    await start();
    const { message } = await command('play');
    started.discord.forgetRequests();
    pictures.hold();
    await Promise.all([...'BFJMCG'].map((letter) => press(message, letter, { until: 'acknowledged' })));
    expect(textOf(message)).toContain('Choose a letter');
    pictures.release();
    await expect.poll(() => textOf(message)).toContain('`BFJMCG`');
    // The first alone, if the others arrive after its drawing has begun.
    const drawings = pictures.drawn.length;
    expect(drawings).toBeLessThanOrEqual(2);
    expect(routes()).toEqual({ [CALLBACK]: 6, [EDIT]: drawings });
    await tap(message, ['Enter', ...'KDHLNBP', 'Enter']);
    expect(textOf(message)).toContain('Solved in 2 words');
  });

  it('of more than fingers can do are left out, and the next drawing says so', async () => {
    await start();
    const { message } = await command('play');
    pictures.hold();
    const first = press(message, 'B', { until: 'acknowledged' });
    await first;
    // Its drawing has begun by then, or what is said of others would be drawn with it.
    await expect.poll(() => pictures.drawn.length).toBe(1);
    const others = Array.from({ length: MOST_WAITING + 5 }, (_, index) =>
      press(message, 'FB'[index % 2]!, { until: 'acknowledged' }),
    );
    await Promise.all(others);
    pictures.release();
    await expect.poll(() => textOf(message)).toContain('That was too fast to follow.');
    expect(textOf(message)).toContain(`\`${'BF'.repeat(MOST_WAITING).slice(0, MOST_WAITING + 1)}\``);
    expect(pictures.drawn).toHaveLength(2);
  });

  it('in two messages of the same game are played in their order too', async () => {
    await start();
    const [one, other] = [(await command('play')).message, (await command('play')).message];
    pictures.hold();
    const pressing = [press(one, 'B'), press(other, 'F'), press(one, 'J'), press(other, 'M')];
    await expect.poll(() => pictures.drawn.length).toBe(1);
    pictures.release();
    await Promise.all(pressing);
    expect(textOf(other)).toContain('`BFJM`');
  });
});

describe('a game that goes on', () => {
  it('after the token of its message has expired, with the token of each press', async () => {
    await start();
    const { message, interaction } = await command('play');
    await tap(message, [...'BFJ']);
    started.clock.time += 20 * MINUTE;
    started.discord.forgetRequests();
    pictures.hold();
    const pressing = press(message, 'M');
    await expect.poll(() => routes()[CALLBACK]).toBe(1);
    pictures.release();
    await pressing;
    await tap(message, [...'CG', 'Enter', ...'KDHLNBP', 'Enter']);
    expect(textOf(message)).toContain('Solved in 2 words');
    expect(started.discord.requests.some(({ path }) => path.includes(interaction.token))).toBe(false);
    expect(refused()).toEqual([]);
  });

  it('after a restart of the bot, from the buttons that are there', async () => {
    await start();
    const { message } = await command('play');
    await tap(message, [...'BFJMCG', 'Enter', 'K']);
    await started.door.stop();
    // Discord lets a bot identify once in five seconds.
    started.clock.time += MINUTE;
    const { app, dispatcher, discord, close } = started;
    const door = new DiscordDoor({ app, dispatcher, pictures, token: discord.token, apiUrl: discord.url });
    started = { ...started, door, close: () => door.stop().then(close) };
    await door.start();
    await tap(message, ['D']);
    expect(textOf(message)).toContain('`GKD`');
    await tap(message, [...'HLNBP', 'Enter']);
    expect(textOf(message)).toContain('Solved in 2 words');
  });

  it('from another door, with what was played there', async () => {
    await start();
    const { message, interaction } = await command('play');
    await tap(message, [...'BF']);
    const where = { tenant: `discord:${started.guild.id}`, channel: started.channel.id, direct: false };
    const asker = { door: 'discord', who: { id: interaction.user.id, mayManage: false }, where } as const;
    await new SoloGames(started.app).play(asker, { options: {}, moves: parseMoves('jmcg.kd')! });
    await tap(message, ['N']);
    expect(textOf(message)).toContain('**BFJMCG** – `GKDN`');
  });
});

describe('a board that is too big for buttons', () => {
  it('is played by typing: over 20 letters, a side of six, five sides', async () => {
    await start();
    for (const sides of ['abcde fghij klmno pqrst u', 'abcdef ghi jkl mno', 'bcd fgh jkl mnp xz']) {
      const { message, text } = await command('play', { sides });
      expect(text).toContain(`Your game: ${sides.toUpperCase()}`);
      expect(shownRows(message)).toEqual(['Type words Hint restart']);
    }
  });

  it('is solved by typing, and counts no more than any typed board', async () => {
    await start();
    const { message } = await command('play', { sides: 'bcd fgh jkl mn p' });
    await started.discord.submit(await press(message, 'Type words'), { words: 'bfjmcg' });
    expect(shownRows(message)).toEqual(['Type words Hint Restart']);
    await started.discord.submit(await press(message, 'Type words'), { words: 'bfjmcg, gkdhlnbp' });
    expect(textOf(message)).toContain('Only daily boards count in your stats.');
    expect(shownRows(message)).toEqual(['How you did See other solutions', 'Back Restart']);
  });
});

const FORGED = [
  '1|play|date=2026-11-20|moves=%7C',
  '1|play|moves=|date=2026-11-20',
  '1|play|moves=A|ask=words',
  '1|play|ask=everything',
  '1|play|moves=A|page#2',
  '1|play|date=never|moves=A',
  '1|play|moves=A|sides=zz',
  '1|play|date=2026-11-20|moves=Z',
];

describe('a forged button', () => {
  it('is answered privately with what is wrong with it, and plays nothing', async () => {
    await start();
    const { message } = await command('play');
    for (const custom_id of FORGED) {
      const text = JSON.stringify(message).replace('1|play|date=2026-11-20|moves=A', custom_id);
      const seen = await press(JSON.parse(text), custom_id);
      expect([custom_id, seen.failed, seen.ephemeral]).toEqual([custom_id, false, true]);
    }
    expect(textOf((await command('play')).message)).toContain('Choose a letter');
  });

  it('in a message of everybody is answered privately', async () => {
    await start();
    const { message } = await command('play');
    const others = { ...structuredClone(message), flags: message.flags & ~FLAG.ephemeral };
    const user = started.discord.world.addUser('other');
    const seen = await press(others, 'B', { user });
    expect([seen.ephemeral, seen.message.id === message.id]).toEqual([true, false]);
    expect(seen.text).toContain('`B`');
    expect(textOf(message)).toContain('Choose a letter');
  });
});

it(`${PEOPLE} people play whole games at once, and each has one result`, async () => {
  const waits: number[] = [];
  await start({ door: { onFirstAnswer: (milliseconds) => waits.push(milliseconds) } });
  const { discord } = started;
  const people = Array.from({ length: PEOPLE }, (_, index) => discord.world.addUser(`player ${index}`));
  await Promise.all(
    people.map(async (user) => {
      const { message } = await command('play', {}, { user });
      await tap(message, SOLUTION, { user });
      expect(textOf(message)).toContain('Solved in 2 words');
    }),
  );
  const { results, soloGames } = started.store.tenant(`discord:${started.guild.id}`);
  for (const { id } of people) {
    expect(await resultIn(results, id, started.channel.id, TODAY)).toMatchObject({ words: 2, letters: 14 });
    expect(await soloGames.get(id, `${TODAY} bcd-fgh-jkl-mnp`, started.clock.now())).toMatchObject({
      // One version for each press: none is lost, and none is played twice.
      version: SOLUTION.length,
    });
  }
  expect(refused()).toEqual([]);
  const p99 = waits.toSorted((a, b) => a - b)[Math.ceil(0.99 * waits.length) - 1]!;
  console.info(`${PEOPLE} people, ${waits.length} presses: first answer p99 ${p99.toFixed(0)} ms`);
});
