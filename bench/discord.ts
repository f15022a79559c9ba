/**
 * The Discord door as a process of its own, on the fake Discord: how soon it is ready, how soon commands that come all at
 * once get their first answer, and how much memory it takes with many servers.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type FakeDiscord, startFakeDiscord } from '../test/fakes/discord/index.ts';
import { heading, milliseconds, quantile, row } from './table.ts';

const AT_ONCE = 50;
const ROUNDS = 10;
const SERVERS = [1, 2_000];
const CHANNELS = 10;
/** One command after the other, before they come all at once. */
const QUIET = 100;
const ASKED: readonly [string, Record<string, string>][] = [
  ['hint', {}],
  ['today', {}],
  ['solve', { sides: 'ozu nri lfa mbt' }],
  ['check', { words: 'forum,mozart' }],
  ['words', {}],
  ['help', {}],
  ['hint', { step: 'count' }],
];
const DOOR = fileURLToPath(new URL('discord-door.ts', import.meta.url));

export async function run(): Promise<void> {
  heading(
    'servers',
    'ready after its start, ms',
    'first command, ms',
    `first answer of ${AT_ONCE} at once: median`,
    'p99',
    'most',
    'memory after a quiet while, MB',
    'after all',
  );
  for (const servers of SERVERS) await measure(servers);
}

async function measure(servers: number): Promise<void> {
  // The platform's own limits are not what is measured here.
  const discord = await startFakeDiscord({ limits: false, memory: 100, clock: Date });
  for (let at = 0; at < servers; at++) {
    const guild = discord.world.addGuild(`Club ${at}`);
    for (let channel = 0; channel < CHANNELS; channel++) discord.world.addChannel(guild);
  }
  const { child, said, stop } = startDoor({ apiUrl: discord.url, token: discord.token });
  const { ready } = await said();
  const [cold] = await burst(discord, 1);
  for (let quiet = 0; quiet < QUIET; quiet++) await burst(discord, 1);
  const steady = await memoryOf(child, said);
  const first: number[] = [];
  for (let round = 0; round < ROUNDS; round++) first.push(...(await burst(discord, AT_ONCE)));
  const after = await memoryOf(child, said);
  await stop();
  await discord.close();
  first.sort((a, b) => a - b);
  const shown = [quantile(first, 0.5), quantile(first, 0.99), first.at(-1)!].map(milliseconds);
  row(String(servers), milliseconds(ready!), milliseconds(cold!), ...shown, steady, after);
}

async function memoryOf(child: ChildProcess, said: () => Promise<Said>): Promise<number> {
  child.send('vitals');
  const { memory = 0 } = await said();
  return Math.round(memory / 1e6);
}

/** Milliseconds until each got its first answer; somebody new for each, in a channel of their own. */
async function burst(discord: FakeDiscord, count: number): Promise<number[]> {
  const [guild] = discord.world.guilds.values();
  const asked = Array.from({ length: count }, (_, at) => {
    const [subcommand, options] = ASKED[at % ASKED.length]!;
    const user = discord.world.addUser('somebody new');
    const channel = discord.world.addChannel(guild!);
    return { user, channel, name: 'letterboxed', subcommand, options };
  });
  const seen = await Promise.all(asked.map((command) => discord.command(command)));
  return seen.map(({ interaction, failed, interaction: { at, answeredAt } }) => {
    if (failed || answeredAt === undefined) throw new Error(`no answer to ${interaction.id}`);
    return answeredAt - at;
  });
}

interface Said {
  readonly ready?: number;
  readonly memory?: number;
  /** Milliseconds of processor time since the start, of all threads. */
  readonly processor?: number;
}

export function startDoor(job: object): {
  child: ChildProcess;
  said: () => Promise<Said>;
  stop: () => Promise<void>;
} {
  const child = spawn(process.execPath, [DOOR, JSON.stringify(job)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return {
    child,
    said: async () => JSON.parse(String((await lines.next()).value)) as Said,
    async stop() {
      child.send('stop');
      await once(child, 'exit');
    },
  };
}
