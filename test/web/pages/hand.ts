import type { Point } from '../../../src/reply/picture/layout.ts';

/** A hand that draws words over a board. Lengths are in pixels, times in milliseconds. */
export interface Hand {
  /** Pixels in a second, in the middle of a long leg. */
  readonly speed: number;
  /** Standard deviation of where it arrives, from what it aims at. */
  readonly aim: number;
  /** How far the hand goes beside the straight line, as a share of the leg, to either side. */
  readonly bow: number;
  /** How far it shoots beyond a letter before it goes on, as a share of the leg; only now and then. */
  readonly overshoot: number;
  /** The share of letters on which it waits, and for how long at most. */
  readonly pauses: number;
  readonly pause: number;
  /** The tremble's amplitude. */
  readonly tremble: number;
  /** How much of a leg's end is cut off as a curve into the next one; 0 for corners. */
  readonly rounding: number;
  /** The share of a movement at whose end the next one begins already: its corners are blunt. */
  readonly overlap: number;
  /** Whether it gets slower before each letter, as people do; else it moves evenly. */
  readonly isEven: boolean;
  /** Samples in a second. */
  readonly rate: number;
}

export interface Sample extends Point {
  readonly time: number;
}

type Random = () => number;

const gauss = (random: Random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const mix = (from: Point, to: Point, share: number): Point => ({
  x: from.x + (to.x - from.x) * share,
  y: from.y + (to.y - from.y) * share,
});

/** The samples of one stroke over these places, as a browser hears of them. */
export function drawOver(places: readonly Point[], hand: Hand, random: Random): Sample[] {
  const aims = places.map(({ x, y }) => ({
    x: x + gauss(random) * hand.aim,
    y: y + gauss(random) * hand.aim,
  }));
  const at = movement(aims, hand, random);
  const step = 1000 / hand.rate;
  const samples: Sample[] = [];
  let shake = { x: 0, y: 0 };
  for (let time = random() * step; time < at.length - 1; time += step * (0.9 + 0.2 * random())) {
    // A tremble has a rhythm: it comes back, and does not jump.
    const follow = Math.exp(-step / 40);
    const push = Math.sqrt(1 - follow * follow) * hand.tremble * 0.6;
    shake = { x: shake.x * follow + gauss(random) * push, y: shake.y * follow + gauss(random) * push };
    const { x, y } = at[Math.floor(time)]!;
    // Browsers report tenths of a pixel at best, and many whole ones.
    samples.push({ x: Math.round(x + shake.x), y: Math.round(y + shake.y), time });
  }
  const last = at.at(-1)!;
  return [...samples, { x: Math.round(last.x), y: Math.round(last.y), time: at.length - 1 }];
}

/** Where the hand is at each millisecond. */
function movement(aims: readonly Point[], hand: Hand, random: Random): Point[] {
  const way: Point[] = [];
  const wait = (place: Point, time: number) => {
    for (let past = 0; past < time; past++) way.push(place);
  };
  wait(aims[0]!, 20 + 60 * random());
  /** How long the movement took that may overlap with the next one. */
  let before = 0;
  for (let leg = 1; leg < aims.length; leg++) {
    let [from, to] = [aims[leg - 1]!, aims[leg]!];
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    if (random() < 0.3) to = mix(from, to, 1 + hand.overshoot * random());
    const aside = length * hand.bow * (2 * random() - 1);
    const normal = { x: -(to.y - from.y) / length, y: (to.x - from.x) / length };
    const time = Math.max(60, (1000 * length) / hand.speed);
    // What is left of the movement before goes on beside this one.
    const early = Math.round(Math.min(before, time) * hand.overlap);
    const tail = early === 0 ? [] : way.splice(-early).map(({ x, y }) => ({ x: x - from.x, y: y - from.y }));
    before = time;
    for (let past = 1; past <= time; past++) {
      const linear = past / time;
      const share = hand.isEven ? linear : linear ** 3 * (10 - 15 * linear + 6 * linear ** 2);
      const beside = 4 * share * (1 - share) * aside;
      const { x, y } = mix(from, to, share);
      const rest = tail[past - 1] ?? { x: 0, y: 0 };
      way.push({ x: x + normal.x * beside + rest.x, y: y + normal.y * beside + rest.y });
    }
    if (to !== aims[leg]) {
      before = 0;
      const back = 40 + 60 * random();
      for (let past = 1; past <= back; past++) way.push(mix(to, aims[leg]!, past / back));
    }
    if (random() < hand.pauses) {
      before = 0;
      wait(aims[leg]!, hand.pause * random());
    }
  }
  wait(aims.at(-1)!, 10 + 60 * random());
  return hand.rounding === 0 ? way : rounded(way, hand.rounding);
}

/** A hand that does not stop at its letters is at each moment where it would be on average around then. */
function rounded(way: readonly Point[], milliseconds: number): Point[] {
  const half = Math.round(milliseconds / 2);
  return way.map((_, index) => {
    // As much before as after, so that the stroke begins and ends where it would.
    const reach = Math.min(half, index, way.length - 1 - index);
    const around = way.slice(index - reach, index + reach + 1);
    const sum = around.reduce((all, { x, y }) => ({ x: all.x + x, y: all.y + y }), { x: 0, y: 0 });
    return { x: sum.x / around.length, y: sum.y / around.length };
  });
}

const between = (random: Random, least: number, most: number) => least + (most - least) * random();
const oneOf = <T>(random: Random, all: readonly T[]) => all[Math.floor(random() * all.length)]!;

/** Somebody: no two draw alike. */
export function someHand(device: 'finger' | 'mouse', random: Random): Hand {
  const isFinger = device === 'finger';
  const style = random();
  return {
    speed: isFinger ? between(random, 250, 1100) : between(random, 350, 1600),
    aim: isFinger ? between(random, 1, 5) : between(random, 0.5, 4),
    bow: between(random, 0, 0.09),
    overshoot: between(random, 0, isFinger ? 0.06 : 0.09),
    pauses: between(random, 0, 0.3),
    pause: 350,
    tremble: isFinger ? between(random, 0.5, 3) : between(random, 0, 2),
    rounding: style < 0.35 ? between(random, 10, 70) : 0,
    overlap: style > 0.35 && style < 0.75 ? between(random, 0, 0.2) : 0,
    isEven: style > 0.75,
    rate: isFinger ? oneOf(random, [60, 90, 120]) : oneOf(random, [60, 125, 250, 1000]),
  };
}
