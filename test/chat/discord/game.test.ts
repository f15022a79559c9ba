import { ComponentType } from 'discord.js';
import { afterEach, describe, expect, it } from 'vitest';
import { DiscordDoor } from '../../../src/chat/discord/door.ts';
import { MINUTE } from '../../../src/core/clock.ts';
import { drawBoard } from '../../../src/reply/picture/drawing.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import { TODAY } from '../../fakes/app.ts';
import { flatten } from '../../fakes/discord/components.ts';
import type { Asking } from '../../fakes/discord/index.ts';
import { FLAG, type Message } from '../../fakes/discord/message.ts';
import { textOf } from '../../fakes/discord/person.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { resultIn } from '../../fakes/stored.ts';
import { followLink } from '../../web/pages/serve.ts';
import { type Started, type StartOptions, startDiscord } from './start.ts';

const SETTINGS = {
  PUBLIC_URL: 'https://bot.example.org',
  DISCORD_TOKEN: `${'M'.repeat(24)}.GabcDe.${'x'.repeat(38)}`,
};
const SECRETS = { discord: SETTINGS.DISCORD_TOKEN };
const FORGED = [
  '2|play|moves=A',
  '2|play|ask=back&page=2',
  '2|play|ask=back&date=never',
  '2|play|ask=back&sides=zz',
];

let started: Started;
afterEach(() => started.close());
async function start({ app, ...options }: StartOptions = {}): Promise<void> {
  started = await startDiscord({ app: { words: WORDS, house, ...app }, ...options });
}

const command = (subcommand: string, options = {}, asked: Asking = {}) =>
  started.discord.command({ channel: started.channel, name: 'letterboxed', subcommand, options, ...asked });
const press = (message: Message, button: string, asked?: Asking) =>
  started.discord.press(message, button, asked);
async function type(message: Message, words: string, asked?: Asking) {
  return started.discord.submit(await press(message, 'Type words', asked), { words });
}
const buttonsOf = ({ components }: Message) =>
  flatten(components).filter(({ type }) => type === ComponentType.Button);
const labels = (message: Message) => buttonsOf(message).map(({ label }) => label);
const refused = () => started.discord.requests.filter(({ status = 0 }) => status >= 400);
const result = (person: string) =>
  resultIn(started.store, `discord:${started.guild.id}`, person, started.channel.id, TODAY);
/** A press of a button with another custom id. */
const forge = (message: Message, custom_id: string, asked?: Asking) => {
  const old = structuredClone(message);
  buttonsOf(old).find(({ label }) => label === 'Type words')!.custom_id = custom_id;
  return press(old, custom_id, asked);
};

describe('a game in a private message', () => {
  it('is played to the end in a form, below the board of everybody', async () => {
    await start();
    const { message: board } = await command('today');
    const opened = await press(board, 'Play');
    const { message } = opened;
    expect(opened.ephemeral).toBe(true);
    expect(message.id).not.toBe(board.id);
    expect(labels(message)).toEqual(['Type words', 'Hint: words needed (1 point)']);
    const form = await press(message, 'Type words');
    const drawn = `\`\`\`\n${drawBoard({ board: makeBoard(['bcd', 'fgh', 'jkl', 'mnp']) })}\n\`\`\``;
    expect(form.modal.components).toMatchObject([{ content: drawn }, { label: 'Words' }]);
    const played = await started.discord.submit(form, { words: 'bfjmcg' });
    expect(played.message.id).toBe(message.id);
    expect(textOf(message)).toContain('**BFJMCG** – `G…`\nLeft: D H K L N P');
    expect(labels(message)).toEqual(['Type words', 'Take back', 'Hint: hardest letters (1 point)']);
    const next = await press(message, 'Type words');
    expect(next.modal.components[0]).toMatchObject({
      content: `${drawn}Left: D H K L N P. They go on from BFJMCG`,
    });
    await started.discord.submit(next, { words: 'GKDHLNBP' });
    expect(textOf(message)).toContain('### Solved in 2 words: Nov 20, 2026');
    expect(textOf(message)).toContain('Your streak is 1 day.');
    expect(labels(message)).toEqual(['Share', 'How you did', 'Hunt', 'Play again']);
    expect((await press(message, 'How you did')).text).toContain('**100 of 100.**');
    expect((await press(message, 'Share')).text).toContain('2 words');
    expect(await result(opened.interaction.user.id)).toMatchObject({ words: 2 });
    await press(message, 'Play again');
    expect(textOf(message)).toContain('No words yet');
    expect(started.discord.interactions.frowns).toEqual([]);
    expect(refused()).toEqual([]);
  });
});

describe('the board on a page of the person’s own', () => {
  it('goes on from the words of the form, is shown by the next press, and counts once', async () => {
    await start({ app: { settings: SETTINGS } });
    const opened = await command('play');
    const { message } = opened;
    expect(labels(message)).toEqual(['Play in the browser', 'Type words', 'Hint: words needed (1 point)']);
    await type(message, 'bfjmcg');
    const link = new URL(buttonsOf(message)[0]!.url!);
    expect(link.href.length).toBeLessThan(512);
    expect(textOf(message)).not.toContain('/play/');
    const playByLink = await followLink(started.app, started.dispatcher, link, SECRETS);
    expect(await playByLink('kd')).toMatchObject({ game: { words: ['bfjmcg'], word: 'gkd' } });
    await type(message, 'gkdhln');
    expect(textOf(message)).toContain('**BFJMCG** – **GKDHLN**');
    expect(await playByLink('0bfjmcg.kdhlnbp.')).toMatchObject({ game: { solved: { counts: true } } });
    // The message changes with the next press, not by itself.
    expect(textOf(message)).toContain('**GKDHLN**');
    expect((await forge(message, `2|play|ask=words&date=${TODAY}`)).text).toContain('### Solved in 2 words');
    const { user } = opened.interaction;
    expect(await result(user.id)).toMatchObject({ words: 2 });
    expect(await started.store.allPeople.scoresOf('discord', user.id)).toHaveLength(1);
    expect(JSON.stringify(started.logged)).not.toContain(link.hash.slice(1));
    expect(refused()).toEqual([]);
  });
});

describe('a game that goes on', () => {
  it('after the token of its message has expired, and after a restart of the bot', async () => {
    await start();
    const { message } = await command('play');
    await type(message, 'bfjmcg');
    started.clock.time += 20 * MINUTE;
    await started.door.stop();
    const { app, dispatcher, discord, close } = started;
    const door = new DiscordDoor({ app, dispatcher, token: discord.token, apiUrl: discord.url });
    started = { ...started, door, close: () => door.stop().then(close) };
    await door.start();
    await type(message, 'gkdhlnbp');
    expect(textOf(message)).toContain('Solved in 2 words');
    expect(refused()).toEqual([]);
  });
});

describe('a button with a forged action', () => {
  it('is answered privately with what is wrong with it, and plays nothing', async () => {
    await start();
    const { message } = await command('play');
    for (const custom_id of FORGED) {
      const seen = await forge(message, custom_id);
      expect([custom_id, seen.failed, seen.ephemeral]).toEqual([custom_id, false, true]);
    }
    expect(textOf((await command('play')).message)).toContain('No words yet');
  });

  it('in a message of everybody is answered privately, with the game of the person who pressed', async () => {
    await start();
    const { message } = await command('play');
    await type(message, 'bfjmcg');
    const others = { ...structuredClone(message), flags: message.flags & ~FLAG.ephemeral };
    const user = started.discord.world.addUser('other');
    const seen = await forge(others, `2|play|ask=back&date=${TODAY}`, { user });
    expect([seen.ephemeral, seen.message.id === message.id]).toEqual([true, false]);
    expect(seen.text).toContain('No words yet');
  });
});
