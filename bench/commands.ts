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
    row(
      lines[0]!.replace(/sides:\S+/, 'on a new board'),
      withPicture ? 'with' : 'without',
      milliseconds(quantile(times, 0.5)),
      milliseconds(quantile(times, 0.99)),
    );
  }

  const again = (line: string) => Array.from({ length: BOARDS }, () => line);
  const onFreshBoards = (line: string) => fresh.map(({ board }) => `${line} sides:${board.sides.join('-')}`);
  const measured = ['hint start', 'solve'].map(onFreshBoards);
  for (const lines of measured) for (let warm = 0; warm < 2; warm++) await time(lines, false, false);
  for (const line of ['reveal open', 'generate']) await time(again(line), true, false);
  heading('command', 'picture', 'median ms', 'p99 ms');
  for (const lines of measured) await time(lines, false);
  for (const line of ['reveal open', 'generate']) await time(again(line), true);
  await close();
}

function picturesOf({ blocks }: Reply): Picture[] {
  return blocks.flatMap((block) => (block.kind === 'picture' ? [block.picture] : []));
}
