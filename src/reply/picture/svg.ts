import type { DrawnPath, Picture, PictureEnding } from '../model/types.ts';
import { along, BADGE_RADIUS, distance, layoutOf, type Point, type Route, routesOf } from './layout.ts';

/** The family of the font that `pictures.ts` loads. */
export const FONT = 'Nunito';
/** Height of a capital letter, as a share of the font's size: half of it below the middle centres a letter. */
const CAPITAL_HEIGHT = 0.705;

/** Colours of a picture, and of the card under it: on its card, a light picture can be read on dark pages, too. */
interface Theme {
  readonly card: string;
  readonly cardEdge: string;
  readonly box: string;
  readonly ink: string;
  /** Which colour of `WORD_LOOKS` its words have. */
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

/** Indexes of the looks for letters that were not read with certainty, and for what is solved. */
const UNSURE_LOOK = 1;
const SOLVED_LOOK = 2;
const LINE_WIDTH = 8;
/**
 * Steps that are drawn at most, in whole words: nobody could follow the lines of more, and the work grows with their
 * square. A solution of six long words has about sixty.
 */
const MAX_STEPS = 160;
/** Legs shorter than this have no room for an arrowhead. */
const MIN_ARROW_LEG = 60;
const ARROW_SHARE = 0.62;

const CARD_GAP = 24;
/** The width of a wide card, as a share of its height. */
const WIDE_CARD = 1.4;

/**
 * The board as an SVG picture on a light card or, for a dark page, on a dark one. A caption makes it higher, and boards beside it
 * wider.
 *
 * @example makeSvg({ board: parseBoard('ozu nri lfa mbt') }) // '<svg xmlns=…'
 */
export function makeSvg({ beside = [], ...picture }: Picture): string {
  const cards = [picture, ...beside.map((other) => ({ ...picture, ...other }))].map(cardOf);
  const height = Math.max(...cards.map((card) => card.height));
  const step = cards[0]!.width + CARD_GAP;
  // A single path without letters leaves room for another: it says too little to fill a phone's screen.
  const width = step * Math.max(cards.length, picture.letters === false ? 2 : 1) - CARD_GAP;
  const drawn = cards.map(({ parts }, index) =>
    index === 0 ? parts : `<g transform="translate(${index * step} 0)">${parts}</g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}, sans-serif" font-weight="800" text-anchor="middle">${drawn.join('')}</svg>`;
}

function cardOf(picture: Picture) {
  const { board, path, letters = true, unsure = [], dark = false, wide = false, moving = false } = picture;
  const theme = dark ? DARK : LIGHT;
  const layout = layoutOf(board, { letters });
  const { size } = layout;
  const width = wide ? size * WIDE_CARD : size;
  const words = drawableWords(path ?? []);
  const routes = path === undefined ? [] : routesOf(layout, words);
  const caption = captionOf(picture, words.length, size);
  const head = headOf(picture.ending, width, theme);
  const foot = footOf(picture.ending ?? {}, width, theme);
  const height = Math.round(head.height + size + (caption?.height ?? 0) + foot.height);
  const touched = new Set(path?.flat());
  const start = path?.[0]?.[0];
  const times = moving ? timesOf(routes) : [];
  const card = `<rect x="2" y="2" width="${width - 4}" height="${height - 4}" rx="44" fill="${theme.card}" stroke="${theme.cardEdge}" stroke-width="3"/>`;
  const drawn = [
    `<polygon points="${layout.corners.map(pair).join(' ')}" fill="${theme.box}"/>`,
    ...times.map((time, index) => cover(routes[index]!, index, time)),
    ...routes.map((route, index) => line(route, index, theme, moving)),
    `<polygon points="${layout.corners.map(pair).join(' ')}" fill="none" stroke="${theme.ink}" stroke-width="6" stroke-linejoin="round"/>`,
    ...routes.map((route, index) => after(arrows(route, index, theme), times[index])),
    ...(start === undefined ? [] : [ring(layout.spots[start]!, layout.spotRadius, theme)]),
    ...layout.spots.map((spot, index) => dot(spot, layout.spotRadius, touched.has(index), theme)),
    // A word of which only the first letter is typed has no line for a number.
    ...routes.map(({ legs, badge }, index) =>
      legs.length === 0 ? '' : after(number(badge, index, theme), times[index]),
    ),
    ...(letters ? layout.letters : []).map((point, index) => {
      const isUnsure = unsure.includes(index);
      const shown = board.letters[index]!.toUpperCase() + (isUnsure ? '?' : '');
      return text(shown, point, layout.letterSize, isUnsure ? lookOf(UNSURE_LOOK, theme).colour : theme.ink);
    }),
    ...(caption === undefined
      ? []
      : caption.words.map(({ text: word, index, x, y }) =>
          text(word, { x, y: size + y }, caption.fontSize, lookOf(index, theme).colour),
        )),
  ].join('');
  const isMoved = wide || head.height > 0;
  const placed = isMoved
    ? `<g transform="translate(${(width - size) / 2} ${head.height})">${drawn}</g>`
    : drawn;
  const below =
    foot.drawn === '' ? '' : `<g transform="translate(0 ${height - foot.height})">${foot.drawn}</g>`;
  return { parts: card + head.drawn + placed + below, width, height };
}

const TITLE_SIZE = 78;
/** The average width of the title's letters, as a share of their size. */
const TITLE_LETTER_WIDTH = 0.56;
const POINTS_RADIUS = 42;
/** The length of the ring that stands for one of a hundred points. */
const RING_SHARE = (2 * Math.PI * POINTS_RADIUS) / 100;
const HEAD_HEIGHT = 112;
const FOOT_HEIGHT = 84;
const DAY_RADIUS = 24;
const DAY_STEP = 62;

/** A part of the picture above or below the board. */
interface Strip {
  readonly drawn: string;
  readonly height: number;
}

const NO_STRIP: Strip = { drawn: '', height: 0 };

/** What is above a solved board, as on the pages that play boards: the title, with the points in a ring before it. */
function headOf(ending: PictureEnding | undefined, width: number, theme: Theme): Strip {
  if (ending === undefined) return NO_STRIP;
  const { title, points } = ending;
  const radius = points === undefined ? 0 : POINTS_RADIUS;
  const ringWithGap = 2.5 * radius;
  const room = width - 2 * CAPTION_MARGIN - 3 * radius;
  const size = Math.min(TITLE_SIZE, room / (title.length * TITLE_LETTER_WIDTH));
  const titleWidth = title.length * size * TITLE_LETTER_WIDTH;
  const from = (width - titleWidth - ringWithGap) / 2;
  const y = HEAD_HEIGHT / 2 + 18;
  const ring = points === undefined ? '' : pointsRing(points, { x: from + radius, y }, theme);
  const drawn = ring + text(title, { x: from + ringWithGap + titleWidth / 2, y }, size, theme.ink);
  return { drawn, height: HEAD_HEIGHT };
}

function pointsRing(points: number, { x, y }: Point, theme: Theme): string {
  const circle = `<circle cx="${short(x)}" cy="${y}" r="${POINTS_RADIUS}" fill="none" stroke-width="10"`;
  return `${circle} stroke="${theme.cardEdge}"/>${circle} stroke="${lookOf(SOLVED_LOOK, theme).colour}" stroke-linecap="round" stroke-dasharray="${short(points * RING_SHARE)} 999" transform="rotate(-90 ${short(x)} ${y})"/>${text(String(points), { x, y }, 34, theme.ink)}`;
}

/** What is below a solved board: the days of the week, those solved filled. */
function footOf({ week = [] }: Pick<PictureEnding, 'week'>, width: number, theme: Theme): Strip {
  if (week.length === 0) return NO_STRIP;
  const solved = lookOf(SOLVED_LOOK, theme).colour;
  const days = week.map(({ name, is }, nth) => {
    const at = { x: width / 2 + (nth - (week.length - 1) / 2) * DAY_STEP, y: FOOT_HEIGHT / 2 - 12 };
    const fill = is === 'solved' ? solved : theme.box;
    const edge = is === 'none' ? theme.cardEdge : solved;
    const dashes = is === 'begun' ? ' stroke-dasharray="7 6"' : '';
    const dot = `<circle cx="${short(at.x)}" cy="${at.y}" r="${DAY_RADIUS}" fill="${fill}" stroke="${edge}" stroke-width="4"${dashes}/>`;
    return dot + text(name.slice(0, 1), at, 24, is === 'solved' ? theme.box : theme.ink);
  });
  return { drawn: days.join(''), height: FOOT_HEIGHT };
}

/** The first words, as many as have `MAX_STEPS` together. */
function drawableWords(words: DrawnPath): DrawnPath {
  let steps = 0;
  const tooMany = words.findIndex((word) => {
    steps += word.length - 1;
    return steps > MAX_STEPS;
  });
  return tooMany < 0 ? words : words.slice(0, tooMany);
}

function lookOf(index: number, { word }: Theme) {
  const look = WORD_LOOKS[index % WORD_LOOKS.length]!;
  return { colour: look[word], dashes: look.dashes };
}

function line({ legs }: Route, index: number, theme: Theme, isMoving: boolean): string {
  if (legs.length === 0) return '';
  const { colour, dashes } = lookOf(index, theme);
  const dashed = dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`;
  const covered = isMoving ? ` mask="url(#word${index})"` : '';
  return `<path d="${wayOf(legs)}" fill="none" stroke="${colour}" stroke-width="${LINE_WIDTH}" stroke-linecap="round" stroke-linejoin="round"${dashed}${covered}/>`;
}

function wayOf(legs: Route['legs']): string {
  return `M${pair(legs[0]!.from)}${legs.map(({ bend, to }) => `Q${pair(bend)} ${pair(to)}`).join('')}`;
}

/** Seconds in which the line to the next letter is drawn. */
const STEP_SECONDS = 0.35;
/** Seconds for which the whole picture is shown before it begins again. */
const WHOLE_SECONDS = 4.75;

/** When the drawing of a word begins and ends, as shares of the whole time. */
interface Time {
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
}

function timesOf(routes: readonly Route[]): Time[] {
  const steps = routes.map(({ legs }) => legs.length);
  const seconds = STEP_SECONDS * steps.reduce((sum, one) => sum + one, 0) + WHOLE_SECONDS;
  const shareOf = (step: number) => Math.round((1_000 * step * STEP_SECONDS) / seconds) / 1_000;
  let before = 0;
  return steps.map((count) => {
    const from = shareOf(before);
    before += count;
    return { from, to: shareOf(before), seconds };
  });
}

/** Masks the part that is not drawn yet, since the lines themselves may be dashed. */
function cover({ legs }: Route, index: number, { from, to, seconds }: Time): string {
  if (legs.length === 0) return '';
  return `<mask id="word${index}" maskUnits="userSpaceOnUse" x="0" y="0" width="100%" height="100%"><path d="${wayOf(legs)}" fill="none" stroke="#fff" stroke-width="${2 * LINE_WIDTH}" stroke-linecap="round" pathLength="1" stroke-dasharray="1 1"><animate attributeName="stroke-dashoffset" values="1;1;0;0" keyTimes="0;${from};${to};1" dur="${seconds}s" repeatCount="indefinite"/></path></mask>`;
}

/** Shows parts once their word has been drawn. */
function after(parts: string, time: Time | undefined): string {
  if (time === undefined || parts === '') return parts;
  return `<g>${parts}<animate attributeName="opacity" values="0;1;1" keyTimes="0;${time.to};1" calcMode="discrete" dur="${time.seconds}s" repeatCount="indefinite"/></g>`;
}

function arrows({ legs, badge }: Route, index: number, theme: Theme): string {
  return legs
    .filter(({ from, to }) => distance(from, to) >= MIN_ARROW_LEG)
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

/** A ring around the spot where the path begins. */
function ring({ x, y }: Point, radius: number, theme: Theme): string {
  return `<circle cx="${short(x)}" cy="${short(y)}" r="${short(radius + 8)}" fill="${theme.box}" stroke="${lookOf(0, theme).colour}" stroke-width="5"/>`;
}

function number(point: Point, index: number, theme: Theme): string {
  const circle = `<circle cx="${short(point.x)}" cy="${short(point.y)}" r="${BADGE_RADIUS}" fill="${lookOf(index, theme).colour}" stroke="${theme.box}" stroke-width="4"/>`;
  return circle + text(String(index + 1), point, 25, theme.box);
}

function text(shown: string, { x, y }: Point, size: number, colour: string): string {
  return `<text x="${short(x)}" y="${short(y + (size * CAPITAL_HEIGHT) / 2)}" font-size="${short(size)}" fill="${colour}">${shown}</text>`;
}

function pair({ x, y }: Point): string {
  return `${short(x)} ${short(y)}`;
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** A word of a caption, with its number in the path, from 0. */
interface RowWord {
  readonly text: string;
  readonly index: number;
}

const MAX_CAPTION_SIZE = 44;
const MIN_CAPTION_SIZE = 22;
/** The average width of the font's capital letters, rounded up, as a share of its size. */
const CAPTION_LETTER_WIDTH = 0.74;
/** The space between two words, in letters. */
const CAPTION_WORD_GAP = 1.5;
const CAPTION_ROW_HEIGHT = 1.35;
const CAPTION_MARGIN = 44;
/** With more rows than this, the font shrinks. */
const MAX_LARGE_ROWS = 2;

/**
 * The words of a path as text below the board, each with its number and its middle, and the height that they add to the
 * picture. Undefined if the picture has no caption, no path or no letters.
 *
 * @param words how many of them are drawn
 * @param width of the picture
 */
export function captionOf(
  { board, path, letters = true, captioned = false }: Picture,
  words: number,
  width: number,
) {
  if (!captioned || !letters || path === undefined || words === 0) return undefined;
  const texts = path
    .slice(0, words)
    .map((spots, index) =>
      `${index + 1} ${spots.map((spot) => board.letters[spot]!).join('')}`.toUpperCase(),
    );
  const room = width - 2 * CAPTION_MARGIN;
  const longest = Math.max(...texts.map((text) => text.length));
  let fontSize = Math.min(MAX_CAPTION_SIZE, room / (longest * CAPTION_LETTER_WIDTH));
  const rowsAt = (size: number) => rowsOf(texts, room / (size * CAPTION_LETTER_WIDTH));
  while (fontSize > MIN_CAPTION_SIZE && rowsAt(fontSize).length > MAX_LARGE_ROWS) fontSize -= 2;
  const rows = rowsAt(fontSize);
  return {
    fontSize,
    height: rows.length * fontSize * CAPTION_ROW_HEIGHT + fontSize / 2,
    words: rows.flatMap((row, number) => {
      const length = lengthOf(row.map(({ text }) => text));
      let at = width / 2 - (length * fontSize * CAPTION_LETTER_WIDTH) / 2;
      return row.map(({ text, index }) => {
        const own = text.length * fontSize * CAPTION_LETTER_WIDTH;
        const x = at + own / 2;
        at += own + CAPTION_WORD_GAP * fontSize * CAPTION_LETTER_WIDTH;
        return { text, index, x, y: (number + 0.5) * fontSize * CAPTION_ROW_HEIGHT };
      });
    }),
  };
}

/** Fills each row with as many words as fit. */
function rowsOf(texts: readonly string[], letters: number): RowWord[][] {
  const rows: RowWord[][] = [];
  for (const [index, text] of texts.entries()) {
    const row = rows.at(-1);
    if (row !== undefined && lengthOf([...row.map((word) => word.text), text]) <= letters)
      row.push({ text, index });
    else rows.push([{ text, index }]);
  }
  return rows;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0) + CAPTION_WORD_GAP * (texts.length - 1);
}
