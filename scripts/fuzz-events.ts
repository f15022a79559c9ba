/**
 * Sends mutated events to the real clients of Discord and Slack, half of them to each, and prints what became of them
 * by the kind of mutation. `node --expose-gc scripts/fuzz-events.ts [count] [seed]`
 */
import { heading, row } from '../bench/table.ts';
import { Random } from '../src/core/random.ts';
import { fuzzDiscord, type Tallies } from '../test/abuse/event-fuzz.ts';
import { MUTATIONS } from '../test/abuse/mutate.ts';
import { fuzzSlackOverHttp, fuzzSlackSocket } from '../test/abuse/slack-fuzz.ts';
import { startDiscord } from '../test/chat/discord/start.ts';
import { openSlack } from '../test/chat/slack/open-slack.ts';
import { house, WORDS } from '../test/fakes/small-board.ts';

const [given = '100000', seed = 'events'] = process.argv.slice(2);
const count = Number(given);
const faults: unknown[] = [];
process.on('unhandledRejection', (error) => faults.push(error));
process.on('uncaughtException', (error) => faults.push(error));

interface Fuzzed {
  readonly name: string;
  readonly tallies: readonly Tallies[];
  /** Megabytes of objects after the first tenth, which fills caches and lists with limits, and at the end. */
  readonly heaps: readonly number[];
  readonly seconds: number;
}

async function fuzz<Opened extends { close(): Promise<void> }>(
  name: string,
  share: number,
  open: () => Promise<Opened>,
  send: (opened: Opened, count: number, random: Random) => Promise<Tallies>,
): Promise<Fuzzed> {
  const opened = await open();
  const random = new Random(`${seed}: ${name}`);
  const began = performance.now();
  const tallies: Tallies[] = [];
  const heaps: number[] = [];
  for (const part of [0.1, 0.9]) {
    tallies.push(await send(opened, Math.round(count * share * part), random));
    globalThis.gc?.();
    heaps.push(process.memoryUsage().heapUsed / 1e6);
  }
  const seconds = (performance.now() - began) / 1000;
  await opened.close();
  return { name, tallies, heaps, seconds };
}

const all = [
  await fuzz(
    'Discord',
    0.5,
    () => startDiscord({ app: { words: WORDS, house }, fake: { limits: false } }),
    fuzzDiscord,
  ),
  await fuzz('Slack over HTTP', 0.25, () => openSlack({ mode: 'http' }), fuzzSlackOverHttp),
  await fuzz('Slack by socket', 0.25, () => openSlack({ mode: 'socket' }), fuzzSlackSocket),
];
heading('mutation', ...all.flatMap(({ name }) => [`${name}: sent`, 'dropped']));
for (const kind of MUTATIONS) {
  const sum = ({ tallies }: Fuzzed, of: 'sent' | 'dropped') =>
    tallies.reduce((total, one) => total + (one.get(kind)?.[of] ?? 0), 0);
  row(kind, ...all.flatMap((one) => [sum(one, 'sent'), sum(one, 'dropped')]));
}
for (const { name, heaps, seconds } of all) {
  const [before, after] = heaps.map((size) => size.toFixed(1));
  console.log(`${name}: ${seconds.toFixed(0)} s; heap ${before} MB after a tenth, ${after} MB at the end`);
}
console.log(`Uncaught errors and unhandled rejections: ${faults.length}`);
for (const fault of faults.slice(0, 5)) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
