import type { DrawnPath, Picture } from '../model/types.ts';
import { captionOf } from './caption.ts';
import { distance, type Layout, layoutOf, type Point } from './layout.ts';
import { along, BADGE_RADIUS, type Route, routesOf } from './route.ts';

/** The family of the font that `png.ts` loads. */
export const FONT = 'Nunito';
/** Height of a capital letter, as a share of the font's size: half of it below the middle centres a letter. */
const CAPITAL = 0.705;

/** Colours of a picture. The light one is on a card of its own, so that it is readable on dark pages, too. */
interface Theme {
  readonly card: string;
  readonly cardEdge: string;
  readonly box: string;
  readonly ink: string;
  readonly word: 'colour' | 'onDark';
}

const LIGHT: Theme = { card: '#f6f3ec', cardEdge: '#ddd6c8', box: '#ffffff', ink: '#23262d', word: 'colour' };
const DARK: Theme = { card: '#1b1c20', cardEdge: '#3a3c43', box: '#25262b', ink: '#eceae6', word: 'onDark' };

/** Enough contrast on the box for everyone; dashes and numbers tell the words apart as well. */
export const WORD_LOOKS = [
  { colour: '#0b62b8', onDark: '#6db3f8', dashes: undefined },
  { colour: '#c2410c', onDark: '#ff9d66', dashes: '24 17' },
  { colour: '#00785a', onDark: '#4fd0a6', dashes: '1 16' },
  { colour: '#86329a', onDark: '#d99be9', dashes: '32 16 1 16' },
  { colour: '#8a5a00', onDark: '#e2b44f', dashes: '12 14' },
  { colour: '#00728f', onDark: '#5ccbe4', dashes: '32 15 1 15 1 15' },
  { colour: '#b3246c', onDark: '#ff8fc2', dashes: '44 15' },
  { colour: '#4b5058', onDark: '#b8bfca', dashes: '20 15 1 15' },
] as const;

const LINE = 8;
/**
 * Steps that are drawn, in whole words: of more nobody could follow the lines, and the work grows with their square.
 * A solution of six long words has about sixty.
 */
const MOST_STEPS = 160;
/** Legs shorter than this have no room for an arrowhead. */
const SHORTEST_WITH_ARROW = 60;
const ARROW_SHARE = 0.62;

/**
 * The board as an SVG picture: on a card of its own, or for a dark page. With a caption it is higher than it is wide.
 *
 * @example makeSvg({ board: parseBoard('ozu nri lfa mbt') }) // '<svg xmlns=…'
 */
export function makeSvg(picture: Picture): string {
  const { board, path, letters = true, dark = false } = picture;
  const theme = dark ? DARK : LIGHT;
  const layout = layoutOf(board, letters);
  const { size } = layout;
  const words = drawable(path?.words ?? []);
  const routes = path === undefined ? [] : routesOf(layout, { words });
  const caption = captionOf(picture, words.length, size);
  const height = Math.round(size + (caption?.height ?? 0));
  const touched = new Set(path?.words.flat());
  const start = path?.words[0]?.[0];
  const parts = [
    `<rect x="2" y="2" width="${size - 4}" height="${height - 4}" rx="44" fill="${theme.card}" stroke="${theme.cardEdge}" stroke-width="3"/>`,
    `<polygon points="${layout.corners.map(pair).join(' ')}" fill="${theme.box}"/>`,
    ...routes.map((route, index) => line(route, index, theme)),
    `<polygon points="${layout.corners.map(pair).join(' ')}" fill="none" stroke="${theme.ink}" stroke-width="6" stroke-linejoin="round"/>`,
    ...routes.map((route, index) => arrows(route, index, theme)),
    ...(start === undefined ? [] : [ring(layout.spots[start]!, layout.spotRadius, theme)]),
    ...layout.spots.map((spot, index) => dot(spot, layout.spotRadius, touched.has(index), theme)),
    // A word of which only the first letter is there has no line to stand on.
    ...routes.map(({ legs, badge }, index) => (legs.length === 0 ? '' : number(badge, index, theme))),
    ...(letters
      ? layout.letters.map((point, index) => letter(board.letters[index]!, point, layout, theme))
      : []),
    ...(caption?.words ?? []).map(({ text: word, index, x, y }) =>
      text(word, { x, y: size + y }, caption!.fontSize, lookOf(index, theme).colour),
    ),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${height}" viewBox="0 0 ${size} ${height}" font-family="${FONT}" font-weight="800" text-anchor="middle">${parts.join('')}</svg>`;
}

/** The first words, as many as are drawn. */
function drawable(words: DrawnPath['words']): DrawnPath['words'] {
  let steps = 0;
  const tooMany = words.findIndex((word) => {
    steps += word.length - 1;
    return steps > MOST_STEPS;
  });
  return tooMany < 0 ? words : words.slice(0, tooMany);
}

function lookOf(index: number, { word }: Theme) {
  const look = WORD_LOOKS[index % WORD_LOOKS.length]!;
  return { colour: look[word], dashes: look.dashes };
}

function line({ legs }: Route, index: number, theme: Theme): string {
  const [first] = legs;
  if (first === undefined) return '';
  const { colour, dashes } = lookOf(index, theme);
  const way = `M${pair(first.from)}${legs.map(({ bend, to }) => `Q${pair(bend)} ${pair(to)}`).join('')}`;
  const dashed = dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`;
  return `<path d="${way}" fill="none" stroke="${colour}" stroke-width="${LINE}" stroke-linecap="round" stroke-linejoin="round"${dashed}/>`;
}

function arrows({ legs, badge }: Route, index: number, theme: Theme): string {
  return legs
    .filter(({ from, to }) => distance(from, to) >= SHORTEST_WITH_ARROW)
    .map((leg) => {
      const { x, y, angle } = along(leg, ARROW_SHARE);
      if (distance(badge, { x, y }) < BADGE_RADIUS + 14) return '';
      const turned = (angle * 180) / Math.PI;
      return `<path d="M-13-14L15 0L-13 14L-7 0Z" transform="translate(${pair({ x, y })}) rotate(${short(turned)})" fill="${lookOf(index, theme).colour}" stroke="${theme.box}" stroke-width="3" stroke-linejoin="round"/>`;
    })
    .join('');
}

function dot({ x, y }: Point, radius: number, isTouched: boolean, { ink, box }: Theme): string {
  return `<circle cx="${short(x)}" cy="${short(y)}" r="${short(radius)}" fill="${isTouched ? ink : box}" stroke="${ink}" stroke-width="5"/>`;
}

/** Around the spot where the path begins. */
function ring({ x, y }: Point, radius: number, theme: Theme): string {
  return `<circle cx="${short(x)}" cy="${short(y)}" r="${short(radius + 8)}" fill="${theme.box}" stroke="${lookOf(0, theme).colour}" stroke-width="5"/>`;
}

function number(point: Point, index: number, theme: Theme): string {
  const circle = `<circle cx="${short(point.x)}" cy="${short(point.y)}" r="${BADGE_RADIUS}" fill="${lookOf(index, theme).colour}" stroke="${theme.box}" stroke-width="4"/>`;
  return circle + text(String(index + 1), point, 25, theme.box);
}

function letter(letter: string, point: Point, { letterSize }: Layout, { ink }: Theme): string {
  return text(letter.toUpperCase(), point, letterSize, ink);
}

function text(shown: string, { x, y }: Point, size: number, colour: string): string {
  return `<text x="${short(x)}" y="${short(y + (size * CAPITAL) / 2)}" font-size="${short(size)}" fill="${colour}">${shown}</text>`;
}

function pair({ x, y }: Point): string {
  return `${short(x)} ${short(y)}`;
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}
