import type { DrawnPath, Picture } from '../model/types.ts';
import { along, BADGE_RADIUS, type Route, routesOf } from './route.ts';
import { distance, type Point, type Shape, shapeOf } from './shape.ts';

/** The family of the font that `png.ts` loads. */
export const FONT = 'Nunito';
/** Height of a capital letter, as a share of the font's size: half of it below the middle centres a letter. */
const CAPITAL = 0.705;

const CARD = '#f6f3ec';
const CARD_EDGE = '#ddd6c8';
const BOX = '#ffffff';
const INK = '#23262d';

/** Enough contrast on white for everyone; dashes and numbers tell the words apart as well. */
export const WORD_LOOKS = [
  { colour: '#0b62b8', dashes: undefined },
  { colour: '#c2410c', dashes: '24 17' },
  { colour: '#00785a', dashes: '1 16' },
  { colour: '#86329a', dashes: '32 16 1 16' },
  { colour: '#8a5a00', dashes: '12 14' },
  { colour: '#00728f', dashes: '32 15 1 15 1 15' },
  { colour: '#b3246c', dashes: '44 15' },
  { colour: '#4b5058', dashes: '20 15 1 15' },
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
 * The board as an SVG picture on a card of its own, so that it is readable on light and dark backgrounds.
 *
 * @example makeSvg({ board: parseBoard('ozu nri lfa mbt') }) // '<svg xmlns=…'
 */
export function makeSvg({ board, path, letters = true }: Picture): string {
  const shape = shapeOf(board, letters);
  const { size } = shape;
  const routes = path === undefined ? [] : routesOf(shape, { words: drawable(path.words) });
  const touched = new Set(path?.words.flat());
  const start = path?.words[0]?.[0];
  const parts = [
    `<rect x="2" y="2" width="${size - 4}" height="${size - 4}" rx="44" fill="${CARD}" stroke="${CARD_EDGE}" stroke-width="3"/>`,
    `<polygon points="${shape.corners.map(pair).join(' ')}" fill="${BOX}"/>`,
    ...routes.map(line),
    `<polygon points="${shape.corners.map(pair).join(' ')}" fill="none" stroke="${INK}" stroke-width="6" stroke-linejoin="round"/>`,
    ...routes.map(arrows),
    ...(start === undefined ? [] : [ring(shape.spots[start]!, shape.spotRadius)]),
    ...shape.spots.map((spot, index) => dot(spot, shape.spotRadius, touched.has(index))),
    // A word of one letter so far has no line.
    ...routes.map(({ legs, badge }, index) => (legs.length === 0 ? '' : number(badge, index))),
    ...(letters ? shape.letters.map((point, index) => letter(board.letters[index]!, point, shape)) : []),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}" font-family="${FONT}" font-weight="800" text-anchor="middle">${parts.join('')}</svg>`;
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

function lookOf(index: number) {
  return WORD_LOOKS[index % WORD_LOOKS.length]!;
}

function line({ legs }: Route, index: number): string {
  const [first] = legs;
  if (first === undefined) return '';
  const { colour, dashes } = lookOf(index);
  const way = `M${pair(first.from)}${legs.map(({ bend, to }) => `Q${pair(bend)} ${pair(to)}`).join('')}`;
  const dashed = dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`;
  return `<path d="${way}" fill="none" stroke="${colour}" stroke-width="${LINE}" stroke-linecap="round" stroke-linejoin="round"${dashed}/>`;
}

function arrows({ legs, badge }: Route, index: number): string {
  return legs
    .filter(({ from, to }) => distance(from, to) >= SHORTEST_WITH_ARROW)
    .map((leg) => {
      const { x, y, angle } = along(leg, ARROW_SHARE);
      if (distance(badge, { x, y }) < BADGE_RADIUS + 14) return '';
      const turned = (angle * 180) / Math.PI;
      return `<path d="M-13-14L15 0L-13 14L-7 0Z" transform="translate(${pair({ x, y })}) rotate(${short(turned)})" fill="${lookOf(index).colour}" stroke="${BOX}" stroke-width="3" stroke-linejoin="round"/>`;
    })
    .join('');
}

function dot({ x, y }: Point, radius: number, isTouched: boolean): string {
  return `<circle cx="${short(x)}" cy="${short(y)}" r="${short(radius)}" fill="${isTouched ? INK : BOX}" stroke="${INK}" stroke-width="5"/>`;
}

/** Around the spot where the path begins. */
function ring({ x, y }: Point, radius: number): string {
  return `<circle cx="${short(x)}" cy="${short(y)}" r="${short(radius + 8)}" fill="${BOX}" stroke="${lookOf(0).colour}" stroke-width="5"/>`;
}

function number(point: Point, index: number): string {
  const circle = `<circle cx="${short(point.x)}" cy="${short(point.y)}" r="${BADGE_RADIUS}" fill="${lookOf(index).colour}" stroke="${BOX}" stroke-width="4"/>`;
  return circle + text(String(index + 1), point, 25, BOX);
}

function letter(letter: string, point: Point, { letterSize }: Shape): string {
  return text(letter.toUpperCase(), point, letterSize, INK);
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
