import { loadavg } from 'node:os';
import { COMMANDS } from '../commands/index.ts';
import { UserError } from '../src/core/errors.ts';
import { makeDispatcher } from '../src/dispatch/dispatcher.ts';
import type { Reply } from '../src/reply/model/types.ts';
import { makePictures } from '../src/reply/picture/pictures.ts';
import { SHAPES } from '../src/solver/board.ts';
import { DIFFICULTIES, generate } from '../src/solver/generate.ts';
import { makeTestApp, someone } from '../test/fakes/app.ts';
import { LoopWatch } from '../test/whole-bot/loop-watch.ts';
import { heading, milliseconds, quantile, row } from './table.ts';

const A_SECOND = 100;
const SECONDS = 20;
const PICTURES = 60;
const SEEDS = 3;
/** What people ask: about the board of the day, and about boards of their own. */
const LINES = [
  'today',
  'hint',
  'check forum',
  'words',
  'help',
  'stats',
  'solve',
  'reveal',
  'next forum',
  'generate',
];
const TYPED = ['solve', 'next forum'];
const BOARD = 'ozu-nri-lfa-mbt';

/**
 * The event loop under 100 commands a second, with workers and without a door; then pictures and boards of every
 * shape and difficulty, as long as the person who asks waits for them.
 */
export async function run(): Promise<void> {
  const { app, clock, close } = await makeTestApp({ workers: 2 });
  const dispatcher = makeDispatcher(app, { commands: COMMANDS });
  const watch = new LoopWatch();
  const pictures = makePictures((picture, asker) => app.work.draw(picture, asker));
  let inCharacters = 0;
  const ask = async (line: string, person: number): Promise<Reply> => {
    const asker = someone({ id: `person ${person}` }, { channel: `${person % 100}` });
    const prepared = dispatcher.prepareLine(line, asker);
    if (prepared.kind !== 'answer') throw new Error(`${line} is not answered: ${prepared.kind}`);
    const reply = await prepared.run();
    for (const block of reply.blocks) {
      if (block.kind !== 'picture') continue;
      const shown = { door: asker.door, person: asker.who.id, channel: asker.where };
      await pictures.png(block.picture, shown).catch((error) => {
        // As at the doors: with too many that wait, the board is drawn in characters.
        if (!(error instanceof UserError)) throw error;
        inCharacters++;
      });
    }
    return reply;
  };

  for (const line of LINES) await ask(TYPED.includes(line) ? `${line} sides:${BOARD}` : line, 0);
  watch.take();
  const times = await everySoOften(A_SECOND * SECONDS, (at) => {
    clock.time += 1000 / A_SECOND;
    const line = LINES[at % LINES.length]!;
    return ask(TYPED.includes(line) ? `${line} sides:${BOARD}` : line, at);
  });
  const { p99, worst, busiest } = watch.take();
  heading(
    'load average',
    'commands a second',
    'answer: median, ms',
    'p99',
    'boards in characters',
    'event loop late: p99, ms',
    'most',
    'longest turn, CPU ms',
  );
  row(
    loadavg()[0]!.toFixed(1),
    A_SECOND,
    ...[quantile(times, 0.5), quantile(times, 0.99)].map(milliseconds),
    inCharacters,
    ...[p99, worst, busiest].map(milliseconds),
  );

  console.log();
  heading(
    'made in a worker',
    'of them',
    'median ms',
    'p99 ms',
    'most ms',
    'event loop: longest turn, CPU ms',
  );
  const boards = Array.from({ length: PICTURES }, (_, at) =>
    generate(app.lexicon, { seed: `picture ${at}` }),
  );
  await print(watch, 'picture', boards, ({ board }) => pictures.png({ board }));
  const wishes = SHAPES.flatMap(({ sides, sideLength: letters }) =>
    DIFFICULTIES.flatMap((difficulty) =>
      Array.from({ length: SEEDS }, (_, at) => ({ sides, letters, difficulty, seed: `bench ${at}` })),
    ),
  );
  await print(watch, 'board of any shape and difficulty', wishes, (wish) =>
    app.work.run('generate', wish, { channel: 'bench' }),
  );
  await close();
}

async function print<Input>(
  watch: LoopWatch,
  name: string,
  inputs: readonly Input[],
  make: (input: Input) => Promise<unknown>,
): Promise<void> {
  watch.take();
  const times: number[] = [];
  for (const input of inputs) {
    const began = performance.now();
    await make(input);
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  const shown = [quantile(times, 0.5), quantile(times, 0.99), times.at(-1)!, watch.take().busiest];
  row(name, inputs.length, ...shown.map(milliseconds));
}

/** Milliseconds that each took, in order of size. Sends as many as are due, as a timer alone drifts. */
function everySoOften(count: number, send: (at: number) => Promise<unknown>): Promise<number[]> {
  const began = performance.now();
  const underWay: Promise<number>[] = [];
  const timed = async (at: number) => {
    const sent = performance.now();
    await send(at);
    return performance.now() - sent;
  };
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      const due = Math.min(count, Math.floor(((performance.now() - began) * A_SECOND) / 1000));
      while (underWay.length < due) underWay.push(timed(underWay.length));
      if (due < count) return;
      clearInterval(timer);
      Promise.all(underWay).then((all) => resolve(all.sort((a, b) => a - b)), reject);
    }, 5);
  });
}

if (import.meta.main) await run();
