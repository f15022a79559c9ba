/**
 * How many words are read as a hand has drawn them: `node bench/strokes.ts WORDS tuning` for each way and width, `held-out`
 * for hands other than the ones that the recognizer was tuned on, and `node bench/strokes.ts WORDS in-browser` in
 * Chromium's page.
 */

import { Random } from '../src/core/random.ts';
import { makeBoard } from '../src/solver/board.ts';
import { boardView } from '../src/web/pages/game-view.ts';
import { readStroke } from '../test/web/pages/hand.ts';
import { type Device, drawStroke, gone, type Point } from './hands.ts';
import { heading, row } from './table.ts';

const WORDS = 400;
/** The box of a board's page, in CSS pixels; a mouse has a scrollbar beside it. */
const BOXES = {
  finger: { 320: 304, 390: 374, 768: 480, 1280: 480 },
  mouse: { 320: 289, 390: 359, 768: 479, 1280: 480 },
} as const;
const WIDTHS = [320, 390, 768, 1280] as const;
const ERRORS_SHOWN = 12;

interface Way {
  readonly device: Device;
  readonly to: 'letter' | 'dot';
}
const WAYS = (['finger', 'mouse'] as const).flatMap((device) =>
  (['letter', 'dot'] as const).map((to): Way => ({ device, to })),
);
type Kind = Way & { readonly width: (typeof WIDTHS)[number] };

/** A made-up word, in a hand of its own; the same for the same seed. On a board of its own, it may go on from a word. */
export function makeDrawing({ device, to, width }: Kind, seed: string, board?: readonly string[]) {
  const random = new Random(seed);
  const sides = board ?? makeSides(random);
  const spots = makeWord(random);
  const view = boardView(makeBoard(sides));
  const scale = BOXES[device][width] / view.size;
  const targets = view.sides.flatMap((side) => side.spots);
  const places = targets.map(({ dot, at }) => scaled(to === 'dot' ? dot : at, scale));
  const aims = spots.map((spot) => places[spot]!);
  const isJoined = board === undefined && random.below(3) === 0;
  return {
    sides,
    spots,
    isJoined,
    places,
    targets,
    gap: view.gap,
    scale,
    ...drawStroke(aims, device, random),
  };
}

type Drawing = ReturnType<typeof makeDrawing>;

function makeSides(random: Random): string[] {
  const letters = random.shuffle([...'abcdefghijklmnopqrstuvwxyz']).join('');
  return [0, 3, 6, 9].map((from) => letters.slice(from, from + 3));
}

function makeWord(random: Random): number[] {
  const length = 3 + random.below(3) + random.below(4);
  const spots = [random.below(12)];
  while (spots.length < length) {
    const next = random.below(12);
    const [before, last] = spots.slice(-2) as [number, number?];
    if (Math.floor(next / 3) === Math.floor((last ?? before) / 3)) continue;
    // Words like LEVEL are a fifth of the word list, and more of a word that is drawn by lot.
    if (next === before && random.below(2) === 0) continue;
    spots.push(next);
  }
  return spots;
}

function scaled({ x, y }: Point, scale: number): Point {
  return { x: x * scale, y: y * scale };
}

export function read({ spots, sides, isJoined, places, targets, gap, scale, samples, arrivals }: Drawing) {
  const name = (some: readonly number[]) => some.map((spot) => sides.join('')[spot]).join('');
  const from = isJoined ? 1 : 0;
  const joined = isJoined ? 1 << spots[0]! : 0;
  const open = isJoined ? targets[spots[0]!]!.reach : (1 << targets.length) - 1;
  const inUnits = samples.map((one) => ({ ...scaled(one, 1 / scale), time: one.time }));
  const { letters } = readStroke(inUnits, { targets, gap, open, joined }, true);
  // At best: by somebody who knows each moment of an aim, and whether letters or dots are meant.
  const best: number[] = [];
  for (const arrival of arrivals) {
    const reach = targets[best.at(-1) ?? -1]?.reach ?? -1;
    const fitting = places.map((_, spot) => spot).filter((spot) => reach & (1 << spot));
    const far = (spot: number) => gone(places[spot]!, arrival);
    best.push(fitting.reduce((one, other) => (far(other) < far(one) ? other : one)));
  }
  return { wanted: name(spots.slice(from)), read: name(letters), best: name(best.slice(from)) };
}

function run(words: number, half: string): void {
  const errors: string[] = [];
  heading('way', ...WIDTHS.map((width) => `${width} px (at best)`), 'all');
  for (const way of WAYS) {
    const title = `${way.device}, ${way.to} to ${way.to}`;
    const counts = WIDTHS.map((width) => {
      const count = { right: 0, best: 0 };
      for (let index = 0; index < words; index++) {
        const seed = [half, way.device, way.to, width, index].join(' ');
        const one = read(makeDrawing({ ...way, width }, seed));
        if (one.read === one.wanted) count.right++;
        else errors.push(`${title}, ${width} px: ${one.wanted} was read as ${one.read}`);
        if (one.best === one.wanted) count.best++;
      }
      return count;
    });
    const percent = (count: number, of = words) => `${((100 * count) / of).toFixed(1)} %`;
    const all = counts.reduce((sum, { right }) => sum + right, 0);
    const cells = counts.map(({ right, best }) => `${percent(right)} (${percent(best)})`);
    row(title, ...cells, percent(all, words * WIDTHS.length));
  }
  const every = Math.ceil(errors.length / ERRORS_SHOWN);
  console.log(`\n${errors.length} errors, such as:`);
  for (const error of errors.filter((_, index) => index % every === 0)) console.log(`- ${error}`);
}

/** The same strokes as a device's events, with their times: what the page takes, and what is read of them without it. */
async function runInBrowser(words: number): Promise<void> {
  const { launch, PHONE, visit } = await import('../test/chat/web/browser.ts');
  const { draw } = await import('../test/web/pages/playing.ts');
  const { servePages } = await import('../test/web/pages/serve.ts');
  const [browser, served] = await Promise.all([launch(), servePages()]);
  heading('way', 'width', 'came out as drawn', 'as without a browser');
  for (const way of WAYS)
    for (const width of WIDTHS) {
      const kind = { ...way, width };
      const sides = makeSides(new Random(JSON.stringify(kind)));
      const options = { ...(way.device === 'finger' ? PHONE : {}), viewport: { width, height: 900 } };
      const ready = { ready: '#board .board', own: served.url };
      const { page } = await visit(browser, served.newLink({ sides: sides.join('-') }), options, ready);
      const box = (await page.locator('.box').boundingBox())!;
      if (box.width !== BOXES[way.device][width])
        throw new Error(`The box has ${box.width} px at ${width} px.`);
      const client = await page.context().newCDPSession(page);
      const shown = page.locator('.board .word');
      const count = { right: 0, same: 0 };
      for (let index = 0; index < words; index++) {
        const drawing = makeDrawing(kind, `browser ${JSON.stringify(kind)} ${index}`, sides);
        const one = read(drawing);
        const samples = drawing.samples.map(({ x, y, time }) => ({ x: x + box.x, y: y + box.y, time }));
        await draw(client, way.device, samples);
        const word = (await shown.textContent())?.toLowerCase();
        if (word === one.wanted) count.right++;
        if (word === one.read) count.same++;
        else console.error(`${JSON.stringify(kind)}: ${one.wanted}, here ${one.read}, in the page ${word}`);
        await page.keyboard.press('Escape');
      }
      row(
        `${way.device}, ${way.to} to ${way.to}`,
        `${width} px`,
        ...[count.right, count.same].map((of) => `${of} of ${words}`),
      );
      await page.context().close();
    }
  await Promise.all([browser.close(), served.close()]);
}

if (import.meta.main) {
  const [words = String(WORDS), half = 'held-out'] = process.argv.slice(2);
  if (half === 'in-browser') await runInBrowser(Number(words));
  else run(Number(words), half);
}
