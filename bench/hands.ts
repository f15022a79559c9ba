/**
 * Hands that draw words, for measuring the recognizer of `src/web/board/stroke.js`: written without a look at it.
 * Each leg is a minimum-jerk movement (Flash and Hogan, 1985) whose time follows Fitts' law; legs overlap, as in handwriting
 * (Morasso and Mussa-Ivaldi, 1982), so that corners are rounded.
 */
import type { Random } from '../src/core/random.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}
export type Sample = Point & { readonly time: number };
export type Device = 'finger' | 'mouse';

export interface Stroke {
  readonly samples: readonly Sample[];
  /** Where the hand was, without tremble, when it came closest to what it aimed at: one for each aim. */
  readonly arrivals: readonly Point[];
}

/** In CSS pixels and milliseconds. */
const DEVICES = {
  finger: { miss: 5, begin: [110, 120], slide: 4, rate: [60, 120], grain: 0.25 },
  mouse: { miss: 3, begin: [90, 110], slide: 0, rate: [60, 125], grain: 1 },
} as const;
const TREMBLE = 2;
const OVERSHOOTS = 0.15;
const STOPS_SHORT = 0.08;
const THINKS = 0.12;
const HESITATES = 0.05;

/** A part of the movement: along `way` from `begin` on, bowed to one side. */
interface Leg {
  readonly begin: number;
  readonly time: number;
  readonly way: Point;
  readonly bow: number;
}

/** @param aims in CSS pixels, one for each letter */
export function drawStroke(aims: readonly Point[], device: Device, random: Random): Stroke {
  const { miss, begin, slide, rate, grain } = DEVICES[device];
  const share = () => random.next() / 2 ** 32;
  const normal = () => Math.sqrt(-2 * Math.log(1 - share())) * Math.cos(2 * Math.PI * share());
  const between = (low: number, high: number) => low + (high - low) * share();
  const near = ({ x, y }: Point, by: number) => ({ x: x + by * normal(), y: y + by * normal() });
  // Habits of one hand: its haste, the side to which it bows, how much it runs its legs together.
  const haste = between(0.7, 1.4);
  const bend = 0.07 * normal();
  const overlap = between(0, 0.3);

  const start = near(aims[0]!, miss);
  const legs: Leg[] = [];
  const arrivals = [start];
  const ends: number[] = [];
  let [at, now] = [start, between(20, 140)];
  const go = (to: Point, time: number, bow: number) => {
    legs.push({ begin: now, time, way: { x: to.x - at.x, y: to.y - at.y }, bow });
    [at, now] = [to, now + time];
  };
  for (const aim of aims.slice(1)) {
    const to = near(aim, miss);
    const far = Math.hypot(to.x - at.x, to.y - at.y);
    const time = (begin[0] + begin[1] * Math.log2(far / 20 + 1)) * haste * between(0.8, 1.25);
    const along = (part: number) => ({ x: at.x + part * (to.x - at.x), y: at.y + part * (to.y - at.y) });
    const bow = bend + 0.05 * normal();
    const [kind, past] = [share(), Math.min(14, far * between(0.05, 0.15)) / far];
    if (kind < OVERSHOOTS) go(along(1 + past), time, bow);
    else if (kind < OVERSHOOTS + STOPS_SHORT) go(along(1 - past), time, bow);
    else if (kind > 1 - HESITATES) {
      go(along(between(0.3, 0.7)), time * 0.6, bow);
      now += between(60, 350);
    }
    go(to, kind < OVERSHOOTS + STOPS_SHORT ? between(90, 160) : time, kind > 1 - HESITATES ? 0 : bow);
    ends.push(now);
    if (share() < THINKS) now += between(120, 700);
    else now -= overlap * time * share();
  }
  now = ends.at(-1) ?? now;
  if (slide > 0) go(near(at, slide / 2), 40, 0);
  const end = now + between(20, 160);

  const place = (time: number) =>
    legs.reduce(({ x, y }, leg) => {
      const part = Math.min(1, Math.max(0, (time - leg.begin) / leg.time));
      const done = part ** 3 * (10 - 15 * part + 6 * part ** 2);
      const side = leg.bow * Math.sin(Math.PI * done);
      return { x: x + done * leg.way.x - side * leg.way.y, y: y + done * leg.way.y + side * leg.way.x };
    }, start);
  for (const [index, time] of ends.entries()) {
    const goal = aims[index + 1]!;
    const around = Array.from({ length: 31 }, (_, nth) => place(time + (nth - 15) * 8));
    arrivals.push(around.reduce((one, other) => (gone(other, goal) < gone(one, goal) ? other : one)));
  }

  // A tremble of 8 to 12 a second, which never shakes the hand by more than two pixels.
  const waves = Array.from({ length: 4 }, () => ({ turns: between(8, 12), phase: between(0, 1) }));
  const shaken = (time: number, of: number) =>
    (TREMBLE / 2) *
    waves
      .slice(of, of + 2)
      .reduce((sum, { turns, phase }) => sum + Math.sin(2 * Math.PI * (turns * time * 0.001 + phase)), 0);
  const round = (value: number) => Math.round(value / grain) * grain;
  const step = 1000 / between(rate[0], rate[1]);
  const samples: Sample[] = [];
  for (let time = 0; time < end + step; time += step) {
    const { x, y } = place(time);
    const sample = { x: round(x + shaken(time, 0)), y: round(y + shaken(time, 2)), time };
    const last = samples.at(-1);
    // A device says nothing while it stays where it is, but for its end.
    if (last === undefined || last.x !== sample.x || last.y !== sample.y || time + step >= end + step)
      samples.push(sample);
  }
  return { samples, arrivals };
}

export const gone = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);
