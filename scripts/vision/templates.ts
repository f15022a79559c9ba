/**
 * Makes src/vision/templates.ts, the shapes of letters that pictures of boards are compared with, from fonts with a free licence:
 *
 *   apt-get install fonts-liberation fonts-dejavu-core fonts-open-sans fonts-roboto-unhinted fonts-roboto-slab fonts-lato \
 *     fonts-inter fonts-cabin fonts-cantarell fonts-clear-sans fonts-crosextra-carlito fonts-karla fonts-paratype \
 *     fonts-league-spartan fonts-manrope fonts-sil-charis fonts-vollkorn fonts-linuxlibertine
 *   npm install --prefix FOLDER @expo-google-fonts/libre-franklin
 *   node scripts/vision/templates.ts /usr/share/fonts FOLDER node_modules/@expo-google-fonts/nunito
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadResvg } from '../../src/reply/picture/decode.ts';
import { findComponents, greyOf } from '../../src/vision/components.ts';
import {
  differenceOf,
  HIGH,
  LETTERS,
  packShape,
  type Shape,
  shapeOf,
  TEMPLATES_EACH,
  WIDE,
} from '../../src/vision/letters.ts';

/** Files of fonts, without slanted, thin and narrow ones: the newspaper's font is like Libre Franklin, ours is Nunito. */
const FONTS =
  /\/(?:(?:LiberationSans|LiberationSerif|LiberationSansNarrow|DejaVuSans|DejaVuSerif|RobotoSlab|Cabin|Cantarell|ClearSans|Carlito|CharisSIL|Vollkorn|LeagueSpartan|Manrope)(?:-(?:Regular|Bold))?|(?:Roboto|Lato|Inter|OpenSans|Karla)-(?:Regular|Medium|Semi[Bb]old|Bold|Extra[Bb]old|Black|Heavy)|PT[SF][57]5F|LinLibertine_RB?|(?:Nunito|LibreFranklin)_[4-9]00\w+)\.(?:ttf|otf)$/;
/** The heights of the rendered fonts: small letters are blurred, and look different. */
const SIZES = [64, 24, 15];
/** A small letter that is less like its large one has lost a part. */
const MAX_LOSS = 0.06;
const ROUNDS = 20;

const { Resvg } = await loadResvg();
const fonts = process.argv
  .slice(2)
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => FONTS.test(file) && !/Italic/.test(file))
  .toSorted();
const shapes = Map.groupBy(fonts.flatMap(shapesOfFont), ({ letter }) => letter);
const packed = Buffer.concat(
  [...LETTERS].flatMap((letter) =>
    centresOf(
      shapes.get(letter)!.map(({ shape }) => shape),
      TEMPLATES_EACH,
    ).map(packShape),
  ),
);
writeFileSync(
  'src/vision/templates.ts',
  `/** Shapes of letters as \`packShape\` packs them, in base64. Made by scripts/vision/templates.ts; NOTICE names the fonts. */\nexport const PACKED_TEMPLATES =\n  '${packed.toString('base64')}';\n`,
);
console.log(`${fonts.length} fonts, ${TEMPLATES_EACH * LETTERS.length} templates, ${packed.length} bytes`);

interface LetterShape {
  readonly letter: string;
  readonly shape: Shape;
}

function shapesOfFont(file: string): LetterShape[] {
  const [large, ...small] = SIZES.map((size) => shapesAt(file, size));
  return [...LETTERS].flatMap((letter, index) => {
    const whole = large![index];
    if (whole === undefined) throw new Error(`${file} has no ${letter}`);
    const others = small.map((list) => list[index]);
    const kept = others.filter((shape) => shape !== undefined && differenceOf(shape, whole) <= MAX_LOSS);
    return [whole, ...kept].map((shape) => ({ letter, shape: shape! }));
  });
}

/** The shapes of a font's letters, each found as in a picture of a board. */
function shapesAt(file: string, size: number): (Shape | undefined)[] {
  const step = 2 * size;
  const texts = [...LETTERS].map(
    (letter, index) =>
      `<text x="${(index + 0.5) * step}" y="${1.5 * size}" font-size="${size}" text-anchor="middle">${letter}</text>`,
  );
  const width = step * LETTERS.length;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${step}"><rect width="${width}" height="${step}" fill="#fff"/>${texts.join('')}</svg>`;
  const {
    pixels,
    width: rendered,
    height,
  } = new Resvg(svg, { font: { fontBuffers: [readFileSync(file)] } }).render();
  const grey = greyOf({ data: pixels, width: rendered, height });
  const wide = grey.width / LETTERS.length;
  const components = findComponents(grey, 10_000).filter(({ isDark }) => isDark);
  const area = ({ left, right, top, bottom }: (typeof components)[number]) => (right - left) * (bottom - top);
  return [...LETTERS].map((_, index) => {
    const own = components.filter(({ left, right }) => Math.floor((left + right) / 2 / wide) === index);
    const [largest] = own.toSorted((one, other) => area(other) - area(one));
    return largest && shapeOf(grey, largest);
  });
}

/** The centres of groups of like shapes: each round moves a centre to the middle of the shapes that are nearest to it. */
function centresOf(all: readonly Shape[], count: number): Shape[] {
  const centres = [all[0]!];
  const nearest = (shape: Shape) => Math.min(...centres.map((centre) => differenceOf(shape, centre)));
  while (centres.length < count)
    centres.push(all.reduce((best, shape) => (nearest(shape) > nearest(best) ? shape : best)));
  for (let round = 0; round < ROUNDS; round++) {
    const groups = Map.groupBy(all, (shape) => {
      const differences = centres.map((centre) => differenceOf(shape, centre));
      return differences.indexOf(Math.min(...differences));
    });
    for (const [index, group] of groups) centres[index] = meanOf(group);
  }
  return centres;
}

function meanOf(group: readonly Shape[]): Shape {
  const mean = (of: (shape: Shape) => number) =>
    group.reduce((sum, shape) => sum + of(shape), 0) / group.length;
  return {
    cells: Float32Array.from({ length: WIDE * HIGH }, (_, cell) => mean(({ cells }) => cells[cell]!)),
    aspect: Math.exp(mean(({ aspect }) => Math.log(aspect))),
  };
}
