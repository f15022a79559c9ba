/**
 * How well boards are read from 1,000 pictures, of which none is drawn with a font of the templates:
 *
 *   npm install --prefix FOLDER @expo-google-fonts/{poppins,work-sans,barlow,…}
 *   node scripts/vision/accuracy.ts FOLDER [PICTURES] [WHERE TO WRITE THOSE THAT ARE WRONG] [SEED]
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { Random } from '../../src/core/random.ts';
import { addDays } from '../../src/puzzle/calendar.ts';
import { decodePicture } from '../../src/reply/picture/decode.ts';
import { renderPng } from '../../src/reply/picture/pictures.ts';
import { makeSvg } from '../../src/reply/picture/svg.ts';
import { parseBoard } from '../../src/solver/board.ts';
import { generate } from '../../src/solver/generate.ts';
import { FORMS } from '../../src/vision/arrangement.ts';
import { boardFromPixels, SURE } from '../../src/vision/board-from-pixels.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { launch } from '../../test/chat/web/browser.ts';
import { TODAY } from '../../test/fakes/app.ts';
import { houseOf } from '../../test/fakes/log-spoilers.ts';
import { originOf } from '../../test/fakes/loopback.ts';
import { type BoardPicture, boardPage, randomSides, shoot, withPage } from '../../test/vision/pictures.ts';
import { serveFiles } from '../../test/web/site/serve-files.ts';
import { writeSite } from '../site.ts';

const [folder = '', count = '1000', out, seed = 'pictures of boards'] = process.argv.slice(2);
const fonts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /_[4-8]00\w+\.ttf$/.test(file) && !/Italic|LibreFranklin|Nunito/.test(file))
  .toSorted();
const SERIFS = /Playfair|Lora|Merriweather|Bitter/;
const lexicon = readLexicon();
const SCALES = [0.5, 0.75, 1, 1.5, 2, 3];
const random = new Random(seed);
const site = mkdtempSync(join(tmpdir(), 'letterboxed-vision-'));
const browser = await launch();
const counts = new Map<string, Record<string, number>>();
const times: number[] = [];
let letters = 0;
let marked = 0;
if (out !== undefined) mkdirSync(out, { recursive: true });
try {
  for await (const [index, picture] of enumerate(pictures(browser, Number(count))))
    await judge(picture, index);
} finally {
  await browser.close();
  rmSync(site, { recursive: true, force: true });
}
console.table(Object.fromEntries([...counts].toSorted()));
times.sort((one, other) => one - other);
const at = (share: number) => Math.round(times[Math.floor(share * (times.length - 1))]!);
console.log(`${marked} of ${letters} letters are marked`);
console.log(`milliseconds: ${at(0.5)} median, ${at(0.95)} of the slowest 5 %, ${at(1)} at most`);
console.log(`${Math.round(process.resourceUsage().maxRSS / 1024)} MB at most, with the browser's client`);
process.exit();

async function* enumerate<Item>(items: AsyncIterable<Item>): AsyncIterable<[number, Item]> {
  let index = 0;
  for await (const item of items) yield [index++, item];
}

async function judge({ kind, sides, bytes }: BoardPicture, index: number): Promise<void> {
  const start = performance.now();
  const seen = boardFromPixels(await decodePicture(bytes));
  times.push(performance.now() - start);
  const read = seen?.sides.flat() ?? [];
  const wrong = [...sides.join('')].filter((letter, spot) => read[spot]?.letter !== letter);
  const unmarked = [...sides.join('')].some(
    (letter, spot) =>
      read[spot] !== undefined && read[spot].letter !== letter && read[spot].certainty >= SURE,
  );
  const uncertain = read.filter(({ certainty }) => certainty < SURE).length;
  const isOtherForm = sides.length > 0 && seen !== undefined && seen.sides.length !== sides.length;
  const isWrong = unmarked || isOtherForm || (sides.length === 0 && seen !== undefined && uncertain === 0);
  const outcome = isWrong ? 'wrong' : seen === undefined ? 'none' : uncertain > 0 ? 'uncertain' : 'right';
  letters += read.length;
  marked += uncertain;
  const row = counts.get(kind) ?? { right: 0, uncertain: 0, none: 0, wrong: 0 };
  row[outcome] = row[outcome]! + 1;
  counts.set(kind, row);
  if (outcome === 'right' || (outcome === 'none' && sides.length === 0)) return;
  const shown = read.map(({ letter, certainty }) => (certainty < SURE ? `${letter}?` : letter)).join('');
  console.log(
    `${index} ${kind}: ${outcome}, ${sides.join('')} read as ${shown || 'nothing'}; ${wrong.length} wrong`,
  );
  if (out !== undefined && outcome !== 'uncertain')
    writeFileSync(
      join(out, `${index}-${outcome}-${sides.join('') || 'none'}.${bytes[0] === 0xff ? 'jpg' : 'png'}`),
      bytes,
    );
}

/**
 * Of ten pictures four are other people's boards, three are the site's, two are our pictures, and one shows no board. Of the
 * boards, every fourth has another form than the newspaper's.
 */
async function* pictures(browser: Browser, count: number): AsyncIterable<BoardPicture> {
  await writeSite(site, [TODAY]);
  const server = await serveFiles(site);
  server.unref();
  for (let index = 0; index < count; index++) {
    const draws = index % 10;
    const form = index % 4 === 3 ? FORMS[1 + random.below(FORMS.length - 1)]! : undefined;
    const size = form === undefined ? '' : `, ${form.sides === 4 ? 'box' : 'polygon'}`;
    // Boards on the site must be solvable.
    const sides =
      draws < 4 || draws > 6
        ? randomSides(random, form)
        : form === undefined
          ? houseOf(lexicon, addDays(TODAY, -index)).board.sides
          : generate(lexicon, { ...form, seed: `${seed} ${index}` }).board.sides;
    const scale = SCALES[random.below(SCALES.length)]!;
    const shot = { jpeg: random.below(2) === 0, ...(random.below(3) === 0 && { crop: 8 }) };
    const isDesktop = random.below(3) === 0;
    const options = {
      viewport: isDesktop ? { width: 1280, height: 860 } : { width: 390, height: 844 },
      deviceScaleFactor: scale,
      colorScheme: random.below(2) === 0 ? ('dark' as const) : ('light' as const),
    };
    if (draws < 4) {
      const file = fonts[random.below(fonts.length)]!;
      const font = { family: basename(file, '.ttf'), file: join(folder, file) };
      const html = boardPage(random, sides, font);
      const bytes = await withPage(browser, options, async (page) => {
        await page.setContent(html);
        await page.evaluate('document.fonts.ready');
        return shoot(page, shot);
      });
      yield {
        kind: `others, ${SERIFS.test(file) ? 'serif' : 'sans'}${scale === 0.5 ? ' at 0.5' : ''}${size}`,
        sides,
        bytes,
      };
    } else if (draws < 7) {
      const bytes = await withPage(browser, options, async (page) => {
        await page.goto(`${originOf(server)}/boards/?board=${sides.join('-')}`);
        await page.locator('.letter[aria-disabled="false"]').first().waitFor();
        await page.locator('.board').focus();
        for (
          let step = random.below(7), side = random.below(sides.length);
          step > 0;
          step--, side = (side + 1 + random.below(sides.length - 1)) % sides.length
        )
          await page.keyboard.type(sides[side]![random.below(sides[side]!.length)]!);
        return shoot(page, shot, '.board');
      });
      yield { kind: `site${scale === 0.5 ? ' at 0.5' : ''}${size}`, sides, bytes };
    } else if (draws < 9) {
      yield {
        kind: `our pictures${size}`,
        sides,
        bytes: await ownPicture(sides, shot.jpeg, scale, options),
      };
    } else {
      yield { kind: 'no board', sides: [], bytes: await withPage(browser, options, boardless) };
    }
  }
}

/** A picture as the bot sends it, perhaps as a chat shows it: in another size, as a JPEG. */
async function ownPicture(
  sides: readonly string[],
  jpeg: boolean,
  scale: number,
  options: { colorScheme: string },
): Promise<Buffer> {
  const board = parseBoard(sides.join(' '));
  const path =
    random.below(2) === 0
      ? undefined
      : [
          Array.from(
            { length: 5 },
            (_, step) => (step % 2) * sides[0]!.length + random.below(sides[0]!.length),
          ),
        ];
  const svg = makeSvg({
    board,
    dark: options.colorScheme === 'dark',
    ...(path && { path, captioned: random.below(2) === 0 }),
  });
  const png = await renderPng(svg);
  const width = Math.round(300 * scale + 60);
  return withPage(browser, { viewport: { width: width + 40, height: width + 400 } }, async (page) => {
    await page.setContent(
      `<p>Here is the board: OZU NRI LFA</p><img width="${width}" src="data:image/png;base64,${png.toString('base64')}"><p>Solve it with <b>/letterboxed solve</b></p>`,
    );
    await page.waitForFunction('document.images[0].complete');
    return shoot(page, { jpeg });
  });
}

/** Text, a keyboard, a grid of letters, or spots in all colours. */
async function boardless(page: Parameters<typeof shoot>[0]): Promise<Buffer> {
  const letter = () => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[random.below(26)]!;
  const line = (length: number, gap: string) => Array.from({ length }, letter).join(gap);
  const kinds = [
    () =>
      `<p style="font:18px sans-serif">${Array.from({ length: 400 }, () => line(2 + random.below(8), '')).join(' ')}</p>`,
    () =>
      ['QWERTYUIOP', 'ASDFGHJKL', 'ZXCVBNM']
        .map((row) => `<p style="text-align:center;letter-spacing:26px;font:bold 20px sans-serif">${row}</p>`)
        .join(''),
    () =>
      `<table cellpadding="14" style="font:bold 24px sans-serif">${Array.from({ length: 6 }, () => `<tr><td>${line(5, '<td>')}</tr>`).join('')}</table>`,
    () =>
      `<svg width="390" height="800">${Array.from({ length: 200 }, () => `<circle cx="${random.below(390)}" cy="${random.below(800)}" r="${random.below(60)}" fill="#${random.below(0x1000000).toString(16).padStart(6, '0')}"/>`).join('')}</svg>`,
  ];
  await page.setContent(kinds[random.below(kinds.length)]!());
  return page.screenshot();
}
