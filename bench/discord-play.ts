/**
 * Fifty people who play whole games on Discord at once: how soon each press gets its first answer and its
 * drawing, and what it costs. The door is a process of its own with a worker for pictures, on the fake Discord.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeDiscord, startFakeDiscord } from '../test/fakes/discord/index.ts';
import { startDoor } from './discord.ts';
import { heading, milliseconds, quantile, row } from './table.ts';

const PEOPLE = 50;
/** Milliseconds between what somebody sees and their next press, on average. */
const PAUSES = [1_000, 400, 0];
/** Of the small board, which the door has as the day's. */
const SOLUTION = [...'BFJMCG', 'Enter', ...'KDHLNBP', 'Enter'];

interface Pressed {
  readonly first: number;
  readonly drawn: number;
}

export async function run(): Promise<void> {
  heading(
    'pause between presses, ms',
    'presses a second',
    'first answer: median, ms',
    'p99',
    'most',
    'drawn: median, ms',
    'p99',
    'requests for a press',
    'bytes of a picture',
    'processor time for a press, ms',
  );
  for (const pause of PAUSES) await measure(pause);
}

async function measure(pause: number): Promise<void> {
  const discord = await startFakeDiscord({ limits: false, memory: 100_000, clock: Date });
  const guild = discord.world.addGuild('Word club');
  discord.world.addChannel(guild);
  const { child, said, stop } = startDoor({ apiUrl: discord.url, token: discord.token, plays: true });
  await said();
  // The first game loads what games need.
  await play(discord, 0);
  child.send('vitals');
  const before = await said();
  discord.forgetRequests();
  const began = performance.now();
  const presses = (await Promise.all(Array.from({ length: PEOPLE }, () => play(discord, pause)))).flat();
  const seconds = (performance.now() - began) / 1_000;
  const pictures = discord.requests.flatMap(({ uploads }) => uploads.map(({ content }) => content.length));
  const requests = discord.requests.length;
  child.send('vitals');
  const after = await said();
  await stop();
  await discord.close();
  const sorted = (pick: keyof Pressed) => presses.map((press) => press[pick]).sort((a, b) => a - b);
  const [first, drawn] = [sorted('first'), sorted('drawn')];
  row(
    pause,
    Math.round(presses.length / seconds),
    ...[quantile(first, 0.5), quantile(first, 0.99), first.at(-1)!].map(milliseconds),
    ...[quantile(drawn, 0.5), quantile(drawn, 0.99)].map(milliseconds),
    (requests / presses.length).toFixed(2),
    quantile(
      pictures.sort((a, b) => a - b),
      0.5,
    ),
    milliseconds((after.processor! - before.processor!) / presses.length),
  );
}

/** One game of somebody new, in a channel of their own. */
async function play(discord: FakeDiscord, pause: number): Promise<Pressed[]> {
  const user = discord.world.addUser('somebody new');
  const channel = discord.world.addChannel([...discord.world.guilds.values()][0]!);
  await sleep(Math.random() * pause);
  const { message } = await discord.command({ user, channel, name: 'letterboxed', subcommand: 'play' });
  const presses: Pressed[] = [];
  for (const button of SOLUTION) {
    await sleep(pause * (0.5 + Math.random()));
    const { interaction, took } = await discord.press(message, button, { user });
    presses.push({ first: interaction.answeredAt! - interaction.at, drawn: took });
  }
  return presses;
}
