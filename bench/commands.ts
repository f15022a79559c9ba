import { COMMANDS } from '../commands/index.ts';
import { makeDispatcher } from '../src/dispatch/dispatcher.ts';
import type { Picture, Reply } from '../src/reply/model/types.ts';
import { makePictures } from '../src/reply/picture/pictures.ts';
import { generate } from '../src/solver/generate.ts';
import { makeTestApp, someone } from '../test/fakes/app.ts';
import { heading, milliseconds, quantile, row } from './table.ts';

const BOARDS = 60;
/** More than a person may ask in half a minute. */
const PAUSE = 30_000;

/**
 * Commands through the dispatcher, over a real store: on the day's board, asked again and again, and on boards
 * never seen before. The process is warm. With a picture: also drawn again as a PNG.
 */
export async function run(): Promise<void> {
  const { app, clock, close } = await makeTestApp();
  const dispatcher = makeDispatcher(app, { commands: COMMANDS });
  const fresh = Array.from({ length: BOARDS }, (_, number) =>
    generate(app.lexicon, { seed: `bench ${number}` }),
  );

  async function ask(line: string): Promise<Reply> {
    clock.time += PAUSE;
    // The clock moves on, but not to another day.
    if (clock.time % 86_400_000 > 80_000_000) clock.time -= 40_000_000;
    const prepared = dispatcher.prepareLine(line, someone());
    if (prepared.kind !== 'answer') throw new Error(`${line} is not answered: ${prepared.kind}`);
    const reply = await prepared.run();
    if (/^(That did|Sorry|One moment)/.test(reply.title))
      throw new Error(`${line}: ${JSON.stringify(reply)}`);
    return reply;
  }

  async function time(lines: readonly string[], withPicture: boolean, print = true): Promise<void> {
    const times: number[] = [];
    for (const line of lines) {
      // Drawn again each time, since a cached picture costs nothing.
      const pictures = makePictures();
      const began = performance.now();
      const reply = await ask(line);
      if (withPicture) for (const picture of picturesOf(reply)) await pictures.png(picture);
      times.push(performance.now() - began);
    }
    if (!print) return;
    times.sort((a, b) => a - b);
    const name = lines[0]!.replace(/sides:\S+/, '').trim();
    const board = /sides:|generate/.test(lines[0]!)
      ? 'new each time'
      : name === 'help'
        ? 'none'
        : "the day's";
    row(
      name,
      board,
      withPicture ? 'with' : 'without',
      milliseconds(quantile(times, 0.5)),
      milliseconds(quantile(times, 0.99)),
    );
  }

  const again = (line: string) => Array.from({ length: BOARDS }, () => line);
  const onFreshBoards = (line: (first: string) => string) =>
    fresh.map(({ board, solution }) => `${line(solution.words[0]!)} sides:${board.sides.join('-')}`);
  const chosen = ['hint start', 'hint count', 'hint first', 'reveal', 'solve', 'words'];
  for (const line of ['today', 'reveal', 'generate']) await time(again(line), true, false);
  for (const line of chosen)
    for (let warm = 0; warm < 2; warm++) for (const asked of onFreshBoards(() => line)) await ask(asked);
  heading('command', 'board', 'picture', 'median ms', 'p99 ms');
  for (const line of chosen.filter((one) => one !== 'solve')) await time(again(line), false);
  for (const line of chosen)
    await time(
      onFreshBoards(() => line),
      false,
    );
  await time(
    onFreshBoards((first) => `check ${first}`),
    false,
  );
  await time(
    onFreshBoards((first) => `next ${first}`),
    false,
  );
  await time(again('generate'), false);
  await time(again('help'), false);
  await time(again('today'), true);
  await time(again('reveal'), true);
  await time(again('generate'), true);
  await time(
    onFreshBoards((first) => `check ${first}`),
    true,
  );
  await close();
}

function picturesOf({ blocks }: Reply): Picture[] {
  return blocks.flatMap((block) => (block.kind === 'picture' ? [block.picture] : []));
}
