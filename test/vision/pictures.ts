import type { Random } from '../../src/core/random.ts';
import type { Form } from '../../src/vision/arrangement.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Sides with letters that are all different. */
export function randomSides(random: Random, { sides, letters }: Form = { sides: 4, letters: 3 }): string[] {
  const all = random.shuffle([...LETTERS]).join('');
  return Array.from({ length: sides }, (_, side) => all.slice(side * letters, (side + 1) * letters));
}

interface Look {
  readonly ground: string;
  readonly box: string;
  readonly ink: string;
  readonly used: string;
  readonly line: string;
}

/** Like the newspaper's page, like ours, and like other people's. */
const LOOKS: readonly Look[] = [
  { ground: '#f9a59b', box: '#fff', ink: '#000', used: '#fff', line: '#f9a59b' },
  { ground: '#faa6a4', box: '#fff', ink: '#fff', used: '#000', line: '#c4706c' },
  { ground: '#fff', box: '#fff', ink: '#121212', used: '#999', line: '#f8aa9e' },
  { ground: '#121213', box: '#1f1f22', ink: '#f2f2f2', used: '#8a8a90', line: '#e07a6f' },
  { ground: '#000', box: '#222', ink: '#ffd24a', used: '#6db3f8', line: '#3aa0ff' },
  { ground: '#e8eef6', box: '#fdfdfd', ink: '#0b3d91', used: '#c2410c', line: '#86329a' },
  { ground: '#2d3e50', box: '#ecf0f1', ink: '#ecf0f1', used: '#f39c12', line: '#e74c3c' },
  { ground: '#f6f3ec', box: '#fff', ink: '#23262d', used: '#6da2d4', line: '#0b62b8' },
];

/**
 * A board as others might draw it, perhaps a half-played one with lines across.
 *
 * @param family the font of its letters
 */
export function boardSvg(random: Random, sides: readonly string[], family: string): string {
  const look = LOOKS[random.below(LOOKS.length)]!;
  const weight = [400, 500, 600, 700, 800][random.below(5)]!;
  const half = 85 + random.below(35);
  const form = { sides: sides.length, letters: sides[0]!.length || 3 };
  const room = (3 * half * Math.tan(Math.PI / form.sides)) / form.letters;
  const size = Math.min(half * (0.2 + random.below(10) / 100), room * 0.35);
  const step = room * (0.5 + random.below(20) / 100);
  const far = half + size * (0.85 + random.below(50) / 100);
  /** From the centre to a corner, which is further away than a side. */
  const reach = form.sides === 4 ? far : far / Math.cos(Math.PI / form.sides);
  const centre = { x: 195, y: reach + 130 };
  const height = 2 * reach + 280;
  const spots = spotsOf(centre, half, step, form);
  const places = spotsOf(centre, far, step, form);
  const corners = Array.from({ length: form.sides }, (_, corner) => {
    const angle = (2 * Math.PI * (corner + 0.5)) / form.sides;
    const away = half / Math.cos(Math.PI / form.sides);
    return `${centre.x + away * Math.sin(angle)},${centre.y - away * Math.cos(angle)}`;
  });
  const played = random.below(2) === 0 ? [] : path(random, 3 + random.below(7), form);
  const points = played.map((spot) => `${spots[spot]!.x},${spots[spot]!.y}`).join(' ');
  const letters = [...sides.join('')].map((letter, index) => {
    const { x, y } = places[index]!;
    const colour = played.includes(index) ? look.used : look.ink;
    return `<text x="${x}" y="${y + size * 0.36}" fill="${colour}">${letter.toUpperCase()}</text>`;
  });
  const dots = spots.map(
    ({ x, y }, index) =>
      `<circle cx="${x}" cy="${y}" r="${half * 0.05}" fill="${played.includes(index) ? look.line : look.box}" stroke="#000" stroke-width="2"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" id="board" width="390" height="${height}" viewBox="0 0 390 ${height}" style="display:block;margin:auto" font-family="'${family}'" font-weight="${weight}" font-size="${size}" text-anchor="middle">
    <rect width="390" height="${height}" fill="${look.ground}"/>
    <polygon points="${corners.join(' ')}" fill="${look.box}" stroke="#000" stroke-width="3"/>
    <polyline points="${points}" fill="none" stroke="${look.line}" stroke-width="${3 + random.below(4)}"/>${dots.join('')}${letters.join('')}</svg>`;
}

/** Clockwise from the upper side, each from left to right, or from top to bottom. */
function spotsOf({ x, y }: { x: number; y: number }, far: number, step: number, { sides, letters }: Form) {
  return Array.from({ length: sides }, (_, side) => {
    const angle = (2 * Math.PI * side) / sides;
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    const isBackwards = cos < -1e-9 || (cos < 1e-9 && sin < 0);
    return Array.from({ length: letters }, (__, at) => {
      const along = (isBackwards ? -1 : 1) * (at - (letters - 1) / 2) * step;
      return { x: x + far * sin + along * cos, y: y - far * cos + along * sin };
    });
  }).flat();
}

/** Spots, two in a row never of one side. */
function path(random: Random, length: number, { sides, letters }: Form): number[] {
  const spots = [random.below(sides * letters)];
  while (spots.length < length) {
    const next = random.below(sides * letters);
    if (Math.floor(next / letters) !== Math.floor(spots.at(-1)! / letters)) spots.push(next);
  }
  return spots;
}
