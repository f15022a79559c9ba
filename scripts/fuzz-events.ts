/**
 * Sends mutated events to the real client of Discord, and prints what became of them by the kind of mutation.
 * `node --expose-gc scripts/fuzz-events.ts [count] [seed]`
 */
import { heading, row } from '../bench/table.ts';
import { Random } from '../src/solver/random.ts';
import { fuzzDiscord } from '../test/abuse/event-fuzz.ts';
import { MUTATIONS } from '../test/abuse/mutate.ts';
import { startDiscord } from '../test/chat/discord/start.ts';
import { house, WORDS } from '../test/fakes/small-board.ts';

const [count = '50000', seed = 'events'] = process.argv.slice(2);
const faults: unknown[] = [];
process.on('unhandledRejection', (error) => faults.push(error));
process.on('uncaughtException', (error) => faults.push(error));

function heapInMegabytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}

const started = await startDiscord({ app: { words: WORDS, house }, fake: { limits: false } });
const random = new Random(seed);
// The first tenth fills caches and lists with limits.
const first = await fuzzDiscord(started, Number(count) / 10, random);
const before = heapInMegabytes();
const rest = await fuzzDiscord(started, (Number(count) / 10) * 9, random);
const after = heapInMegabytes();
await started.close();

heading('mutation', 'sent', 'dropped');
for (const kind of MUTATIONS) {
  const sum = (of: 'sent' | 'dropped') => (first.get(kind)?.[of] ?? 0) + (rest.get(kind)?.[of] ?? 0);
  row(kind, sum('sent'), sum('dropped'));
}
console.log(`Heap: ${before.toFixed(1)} MB after a tenth, ${after.toFixed(1)} MB at the end`);
console.log(`Uncaught errors and unhandled rejections: ${faults.length}`);
for (const fault of faults.slice(0, 5)) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
