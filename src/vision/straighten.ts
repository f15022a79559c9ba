import { brightnessAt, type Grey } from './components.ts';

/** Where the level or the upright lines of a photo run, such as the edges of a screen. */
interface Lines {
  /** How far they go aside, as a share of their length: the photo is turned. */
  readonly slope: number;
  /** How much further apart they are at the end of the picture than in its middle, as a share: the photo is from one side. */
  readonly spread: number;
}

const STRAIGHT: Lines = { slope: 0, spread: 0 };
/**
 * What is tried in steps around the best lines, coarse and then fine: up to 8 degrees, and a side that is a third longer. So many
 * pixels count as one place: about what a step moves.
 */
const TRIES = [
  { pixels: 6, slope: 0.01, slopes: 14, spread: 0.03, spreads: 5 },
  { pixels: 1, slope: 0.002, slopes: 5, spread: 0.01, spreads: 3 },
] as const;
/** By how much the brightness changes at an edge. */
const MIN_EDGE = 40;
/** Edges that are tried: of more, as many are left out between each two. */
const MAX_EDGES = 6_000;
/** How much better than straight lines others must fit: 1.2 to 6 in photos, up to 1.12 in screenshots. */
const MIN_GAIN = 1.15;

/** The photo of a screen with its lines level and upright; undefined if they are, as in a screenshot. */
export function straighten(grey: Grey): Grey | undefined {
  const { values, width, height } = grey;
  const [level, upright] = [linesOf(grey, 'level'), linesOf(grey, 'upright')];
  if (level === STRAIGHT && upright === STRAIGHT) return undefined;
  const straight = new Uint8Array(values.length);
  const [middle, centre] = [width / 2, height / 2];
  for (let row = 0, at = 0; row < height; row++)
    for (let column = 0; column < width; column++, at++) {
      const [x, y] = [column - middle, row - centre];
      straight[at] = brightnessAt(
        grey,
        middle + x * (1 + (upright.spread * y) / centre) + upright.slope * y,
        centre + y * (1 + (level.spread * x) / middle) + level.slope * x,
      );
    }
  return { values: straight, width, height };
}

/** The lines that most edges lie on: made straight, edges are on the fewest rows, or columns. */
function linesOf(grey: Grey, kind: 'level' | 'upright'): Lines {
  const { width, height } = grey;
  const [length, breadth] = kind === 'level' ? [width, height] : [height, width];
  const edges = edgesOf(grey, kind);
  const fitOf = ({ slope, spread }: Lines, pixels: number) => {
    const counts = new Uint32Array((2 * breadth) / pixels + 1);
    for (const { along, across } of edges) {
      const place = (across - slope * along) / (1 + (2 * spread * along) / length);
      counts[Math.round((place + breadth) / pixels)]!++;
    }
    return counts.reduce((sum, count) => sum + count * count, 0);
  };
  let best = STRAIGHT;
  let gain = 1;
  for (const { pixels, slope, slopes, spread, spreads } of TRIES) {
    const middle = best;
    const straight = fitOf(STRAIGHT, pixels);
    gain = fitOf(middle, pixels) / straight;
    for (let sloping = -slopes; sloping <= slopes; sloping++)
      for (let spreading = -spreads; spreading <= spreads; spreading++) {
        const lines = { slope: middle.slope + sloping * slope, spread: middle.spread + spreading * spread };
        const gained = fitOf(lines, pixels) / straight;
        if (gained > gain) [best, gain] = [lines, gained];
      }
  }
  return gain > MIN_GAIN ? best : STRAIGHT;
}

/** Places at which the brightness changes across level or upright lines, counted from the middle of the picture. */
function edgesOf({ values, width, height }: Grey, kind: 'level' | 'upright') {
  const next = kind === 'level' ? width : 1;
  const found: number[] = [];
  for (let y = 1; y < height - 1; y++)
    for (let at = y * width + 1; at < (y + 1) * width - 1; at++)
      if (Math.abs(values[at + next]! - values[at - next]!) >= MIN_EDGE) found.push(at);
  const every = Math.ceil(found.length / MAX_EDGES);
  return found
    .filter((_, nth) => nth % every === 0)
    .map((at) => {
      const [right, down] = [(at % width) - width / 2, Math.floor(at / width) - height / 2];
      return kind === 'level' ? { along: right, across: down } : { along: down, across: right };
    });
}
