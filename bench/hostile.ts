/**
 * Commands that are made to take long, through both chat doors of the whole bot on the fake platforms, by four people
 * at a time, while others use the bot as usual. Prints whether each was answered, how long everybody else waited, and
 * for how long the event loop was blocked. `npx node bench/hostile.ts [commands] [milliseconds]`
 */
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { typeAction } from '../src/reply/model/text.ts';
import { WORK_SETTINGS } from '../src/work/job.ts';
import { type HostileCommand, hostileCommands, NAMED } from '../test/whole-bot/hostile.ts';
import {
  type Answered,
  askOnDiscord,
  askOnSlack,
  type Platforms,
  type WholeBot,
} from '../test/whole-bot/platforms.ts';
import type { BotMessage } from '../test/whole-bot/process.ts';
import { endBot, onPlatforms } from './on-platforms.ts';
import { heading, milliseconds, quantile, row } from './table.ts';

const AT_ONCE = 4;
/** Within what the rate limit allows one person in half a minute. */
const BY_ONE_PERSON = 9;
/** Milliseconds between the commands of everybody else: longer on a busy machine, which would never catch up. */
const EVERY = 200;
const OTHERS = 240;
const USUAL: readonly HostileCommand[] = [
  { name: 'today', options: {} },
  { name: 'hint', options: {} },
  { name: 'check', options: { words: 'forum' } },
  { name: 'words', options: {} },
  { name: 'help', options: {} },
  { name: 'solve', options: { sides: 'ozu nri lfa mbt' } },
  { name: 'stats', options: {} },
];
/** One in this many commands of everybody else is about a large board, which needs a worker. */
const LARGE_EVERY = 15;
const LARGE: HostileCommand = { name: 'solve', options: { sides: 'abcde fghij klmno prstu' } };
/** Milliseconds after which no more hostile commands are typed: on a busy machine all of them take longer. */
const LONGEST = 240_000;
/** Milliseconds of ordinary commands, after which most code has been compiled and kept for the next start. */
const COMPILING = 15_000;
/** Milliseconds of ordinary commands before the first figure. */
const WARM_UP = 30_000;
/** Milliseconds of rest after which memory is measured: workers have been ended by then. */
const REST = WORK_SETTINGS.idle! + 5_000;

type Ask = (command: HostileCommand) => Promise<Answered>;

class Tally {
  readonly first: number[] = [];
  readonly whole: number[] = [];
  unanswered = 0;
  faults = 0;

  async add(ask: Ask, command: HostileCommand): Promise<void> {
    try {
      const { first, whole, text } = await ask(command);
      this.first.push(first);
      this.whole.push(whole);
      if (text.includes('Sorry, that went wrong')) this.faults++;
    } catch (error) {
      this.unanswered++;
      const line = typeAction({ command: command.name, options: command.options });
      console.error(line.slice(0, 100), (error as Error).message.slice(0, 100));
    }
  }

  print(name: string): void {
    const [first, whole] = [this.first, this.whole].map((times) => times.toSorted((a, b) => a - b));
    const shown = [first!, whole!].flatMap((times) => [quantile(times, 0.5), quantile(times, 0.99)]);
    row(name, first!.length, this.unanswered, this.faults, ...shown.map(milliseconds));
  }
}

export async function run(count = 200, every = EVERY): Promise<void> {
  await onPlatforms(0, async (platforms, start, dataDir) => {
    // Settings from the systemd unit. Without compiled code, stripping types takes 25 MB in each thread.
    Object.assign(process.env, {
      MALLOC_TRIM_THRESHOLD_: '131072',
      MALLOC_ARENA_MAX: '2',
      NODE_COMPILE_CACHE: join(dataDir, 'compiled'),
    });
    const others = usualPeople(platforms);
    const { bot: first } = await start();
    await during(first, others, every, sleep(COMPILING));
    await first.stop();
    const { bot, port } = await start();
    // The start is that of a bot in use: code is compiled, and caches hold what everybody asks for.
    await during(bot, others, every, sleep(WARM_UP));
    await sleep(REST);
    const before = await bot.ask({ vitals: true });
    const load = loadavg()[0]!;
    const idle = await during(bot, others, every, sleep(5_000));
    const meanwhile = await during(
      bot,
      others,
      every,
      attack(platforms, [...NAMED, ...hostileCommands(count)]),
    );
    await sleep(REST);
    const after = await bot.ask({ vitals: true });

    heading(
      'who',
      'commands',
      'unanswered',
      'faults',
      'first answer: median, ms',
      'p99',
      'whole answer: median, ms',
      'p99',
    );
    meanwhile.result.print(`hostile, ${AT_ONCE} at a time`);
    meanwhile.usual.print('everybody else');
    meanwhile.large.print('everybody else, large boards');
    idle.usual.print('before: everybody else');
    idle.large.print('before: everybody else, large boards');
    console.log();
    heading('event loop', 'late: p99, ms', 'most, ms', 'processor time of the longest turn, ms');
    for (const [name, { loop }] of [
      ['before', idle],
      ['meanwhile', meanwhile],
    ] as const)
      row(name, milliseconds(loop.p99), milliseconds(loop.worst), milliseconds(loop.busiest));
    console.log();
    printMemory(before, after);
    console.log(`\nLoad average ${load.toFixed(1)} before, ${loadavg()[0]!.toFixed(1)} after.`);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const jobs = metrics.split('\n').filter((line) => line.startsWith('letterboxed_jobs_total{'));
    console.log(`\nJobs:\n${jobs.map((line) => line.slice('letterboxed_jobs_total'.length)).join('\n')}`);
    await endBot(bot);
  });
}

/** After a garbage collection. The rest is code, stacks, SQLite, and memory that threads have freed and malloc keeps. */
function printMemory(before: BotMessage, after: BotMessage): void {
  heading('memory, MB', 'all', 'heap in use', 'free in the heap', 'outside the heap', 'rest');
  for (const [name, { rss = 0, heap = 0, heapTotal = 0, external = 0 }] of [
    ['before', before],
    ['after', after],
  ] as const) {
    const kinds = [rss, heap, heapTotal - heap, external, rss - heapTotal - external];
    row(name, ...kinds.map((bytes) => (bytes / 1e6).toFixed(1)));
  }
}

/** What everybody else does until `work` is over, and what the bot measured of itself meanwhile. */
async function during<Result>(bot: WholeBot, others: () => Ask, every: number, work: Promise<Result>) {
  await bot.ask({ vitals: true });
  const [usual, large] = [new Tally(), new Tally()];
  const underWay: Promise<void>[] = [];
  let asked = 0;
  const timer = setInterval(() => {
    const isLarge = asked++ % LARGE_EVERY === 0;
    underWay.push((isLarge ? large : usual).add(others(), isLarge ? LARGE : USUAL[asked % USUAL.length]!));
  }, every);
  const result = await work;
  clearInterval(timer);
  await Promise.all(underWay);
  const { loop } = await bot.ask({ vitals: true });
  return { result, usual, large, loop: loop! };
}

/** All hostile commands, by as many people as their limits require, in channels of both platforms. */
async function attack(platforms: Platforms, commands: readonly HostileCommand[]): Promise<Tally> {
  const tally = new Tally();
  const end = performance.now() + LONGEST;
  let next = 0;
  const line = async (lane: number) => {
    let ask = somebody(platforms, `hostile ${lane}`, lane);
    for (let mine = 1; next < commands.length && performance.now() < end; mine++) {
      if (mine % BY_ONE_PERSON === 0) ask = somebody(platforms, `hostile ${lane} ${mine}`, lane + mine);
      await tally.add(ask, commands[next++]!);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => line(lane)));
  return tally;
}

/** The next of the other people, in turns. */
function usualPeople(platforms: Platforms): () => Ask {
  const people = Array.from({ length: OTHERS }, (_, at) => somebody(platforms, `other ${at}`, at));
  let turn = 0;
  return () => people[turn++ % OTHERS]!;
}

/** Somebody new in a channel of their own: on Discord by an even number, else on Slack. */
function somebody(platforms: Platforms, name: string, at: number): Ask {
  const { discord, slack, workspace } = platforms;
  if (at % 2 === 0) {
    const [guild] = discord.world.guilds.values();
    const [user, channel] = [discord.world.addUser(name), discord.world.addChannel(guild!)];
    return (command) => askOnDiscord(platforms, user, channel, command.name, command.options);
  }
  const [person, channel] = [slack.addPerson(workspace), slack.addChannel(workspace, [])];
  return ({ name: command, options }) => askOnSlack(person, channel, typeAction({ command, options }));
}

if (import.meta.main) await run(Number(process.argv[2] ?? 200), Number(process.argv[3] ?? EVERY));
