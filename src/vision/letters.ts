import { brightnessAt, type Component, type Grey } from './components.ts';
import { PACKED_TEMPLATES } from './templates.ts';

export const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** How many templates each letter has. */
export const TEMPLATES_EACH = 7;
/** Cells of a template, across and down. */
export const WIDE = 12;
export const HIGH = 16;

/** A cell that is all ink; one that is all ground is 0. */
const FULL = 15;

/** A letter's shape, stretched to cells of 0 to `FULL`, with its width as a share of its height. */
export interface Shape {
  readonly cells: Float32Array | Uint8Array;
  readonly aspect: number;
  /** In pixels; a template has none. */
  readonly height?: number;
  /** Between the brightness of the letter and that of the ground; a template has none. */
  readonly contrast?: number;
  /** Whether a part of the letter was lost. */
  readonly isBroken?: boolean;
}

/** What blurred edges take from a letter's width or height, as a share of its height; a lost line is more. */
const MAX_LOST = 0.3;
/** The samples of a cell across and down. */
const SAMPLES = 3;

/** The shape of a component: how much of each cell has the letter's brightness rather than that of its surroundings. */
export function shapeOf(grey: Grey, component: Component): Shape {
  const { ink, ground } = brightnessesOf(grey, component);
  const middle = (ink + ground) / 2;
  const whole = wholeOf(grey, component, middle);
  const box = edgesOf(grey, whole, middle);
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const cells = new Float32Array(WIDE * HIGH);
  for (let row = 0, cell = 0; row < HIGH; row++)
    for (let column = 0; column < WIDE; column++, cell++) {
      let sum = 0;
      for (let down = 0; down < SAMPLES; down++)
        for (let across = 0; across < SAMPLES; across++) {
          const x = box.left + ((column + (across + 0.5) / SAMPLES) / WIDE) * width;
          const y = box.top + ((row + (down + 0.5) / SAMPLES) / HIGH) * height;
          const share = (brightnessAt(grey, x - 0.5, y - 0.5) - ground) / (ink - ground);
          sum += Math.min(1, Math.max(0, share));
        }
      cells[cell] = (FULL * sum) / SAMPLES ** 2;
    }
  return {
    cells,
    aspect: width / height,
    height,
    contrast: Math.abs(ink - ground),
    isBroken: isSmaller(whole, component),
  };
}

/** Whether thin lines of a letter are too faint to be part of it, such as the bar of a T, which leaves an I. */
function isSmaller(whole: Component, component: Component): boolean {
  const high = component.bottom - component.top;
  const lost = [
    component.right - component.left - (whole.right - whole.left),
    high - (whole.bottom - whole.top),
  ];
  return Math.max(...lost) > MAX_LOST * high;
}

/** How far the ground reaches around a component, as a share of its height; the inner half may still be blurred ink. */
const AROUND = 0.16;
/** The share of a component's pixels that are pure ink, in thin letters. */
const PURE = 0.05;

/** The brightness of a letter and that of the ground around it. */
function brightnessesOf({ values, width, height }: Grey, box: Component): { ink: number; ground: number } {
  const inside: number[] = [];
  const around: number[] = [];
  const reach = Math.max(3, Math.round(AROUND * (box.bottom - box.top)));
  for (let y = Math.max(0, box.top - reach); y < Math.min(height, box.bottom + reach); y++)
    for (let x = Math.max(0, box.left - reach); x < Math.min(width, box.right + reach); x++) {
      const away = Math.max(box.left - x, x - box.right + 1, box.top - y, y - box.bottom + 1);
      if (away <= 0) inside.push(values[y * width + x]!);
      else if (away > reach / 2) around.push(values[y * width + x]!);
    }
  const sorted = inside.toSorted((one, other) => (box.isDark ? one - other : other - one));
  const ground = around.toSorted((one, other) => one - other)[around.length >> 1] ?? (box.isDark ? 255 : 0);
  return { ink: sorted[Math.floor(sorted.length * PURE)]!, ground };
}

/** How far a component may reach beyond its box, as a share of its height, once its thin parts are added. */
const GROWTH = 0.6;

/**
 * A component with the thin parts that were too faint at its level of brightness: all pixels that are joined with it and nearer
 * to ink than to ground. If these reach too far for a letter, it is the component alone.
 */
function wholeOf({ values, width, height }: Grey, component: Component, middle: number): Component {
  const reach = Math.ceil(GROWTH * (component.bottom - component.top));
  const [left, top] = [Math.max(0, component.left - reach), Math.max(0, component.top - reach)];
  const [right, bottom] = [
    Math.min(width, component.right + reach),
    Math.min(height, component.bottom + reach),
  ];
  const isInk = (at: number) => (component.isDark ? values[at]! < middle : values[at]! > middle);
  const seen = new Uint8Array((right - left) * (bottom - top));
  const open: number[] = [];
  const visit = (x: number, y: number) => {
    const place = (y - top) * (right - left) + x - left;
    if (seen[place] === 1 || !isInk(y * width + x)) return;
    seen[place] = 1;
    open.push(x, y);
  };
  // Begins with the ink in the middle row, which has pixels of the component, although all may be too faint.
  const row = (component.top + component.bottom) >> 1;
  for (let x = component.left; x < component.right; x++) visit(x, row);
  const box = { left: right, top: bottom, right: left, bottom: top };
  while (open.length > 0) {
    const y = open.pop()!;
    const x = open.pop()!;
    if (x === left || y === top || x === right - 1 || y === bottom - 1) return component;
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x + 1);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y + 1);
    for (const down of [-1, 0, 1]) for (const across of [-1, 0, 1]) visit(x + across, y + down);
  }
  return box.right > box.left ? { ...component, ...box } : component;
}

type Edges = Omit<Component, 'isDark'>;

/** Where the brightness passes the middle between ink and ground, which is between two pixels. */
function edgesOf({ values, width, height }: Grey, box: Component, middle: number): Edges {
  const better = box.isDark ? Math.min : Math.max;
  const column = (x: number) => {
    let best = box.isDark ? 255 : 0;
    for (let y = box.top; y < box.bottom; y++) best = better(best, values[y * width + x]!);
    return best;
  };
  const row = (y: number) => {
    let best = box.isDark ? 255 : 0;
    for (let x = box.left; x < box.right; x++) best = better(best, values[y * width + x]!);
    return best;
  };
  /**
   * Pixels from the outer edge of the letter's last line (`inner`) to where the brightness passes `middle`, which it does
   * somewhere between the centres of this line and of the next (`outer`).
   */
  const beyond = (inner: number, outer: number) => {
    if (inner === outer) return 0;
    return Math.min(0.5, Math.max(-0.5, (middle - inner) / (outer - inner) - 0.5));
  };
  return {
    left: box.left === 0 ? 0 : box.left - beyond(column(box.left), column(box.left - 1)),
    top: box.top === 0 ? 0 : box.top - beyond(row(box.top), row(box.top - 1)),
    right: box.right === width ? width : box.right + beyond(column(box.right - 1), column(box.right)),
    bottom: box.bottom === height ? height : box.bottom + beyond(row(box.bottom - 1), row(box.bottom)),
  };
}

/** How much the width of a letter counts beside its cells. */
const ASPECT_WEIGHT = 0.06;

/** How different two shapes are: 0 if they are the same, about 0.3 for unlike letters; above `atMost`, a lower bound of it. */
export function differenceOf(one: Shape, other: Shape, atMost = Infinity): number {
  let sum = 0;
  const aspect = Math.log(one.aspect / other.aspect);
  const extra = ASPECT_WEIGHT * aspect * aspect;
  const whole = WIDE * HIGH * FULL ** 2;
  const most = (atMost - extra) * whole;
  for (let cell = 0; cell < WIDE * HIGH && sum < most; cell++) {
    const off = one.cells[cell]! - other.cells[cell]!;
    sum += off * off;
  }
  return sum / whole + extra;
}

/** What a shape may be. */
export interface Reading {
  readonly letter: string;
  /** How unlike the letter's nearest template is. */
  readonly difference: number;
  /** From 0 to 1: how much more unlike the nearest template of another letter is. */
  readonly margin: number;
  /** The height of the shape, in pixels. */
  readonly height: number;
  /** The contrast of the shape. */
  readonly contrast: number;
}

/** The letter whose template is nearest. */
export function readShape(shape: Shape): Reading {
  const differences = templates().map((own) =>
    own.reduce((least, template) => Math.min(least, differenceOf(shape, template, least)), Infinity),
  );
  const [best, next] = [...LETTERS]
    .map((letter, index) => ({ letter, difference: differences[index]! }))
    .toSorted((one, other) => one.difference - other.difference);
  const margin = shape.isBroken ? 0 : 1 - best!.difference / next!.difference;
  return { ...best!, margin, height: shape.height ?? 0, contrast: shape.contrast ?? 0 };
}

const PACKED_BYTES = (WIDE * HIGH) / 2 + 1;
/** The steps of a packed width for each power of ten: its byte holds a tenth to ten times the height. */
const ASPECT_STEPS = 127;

/** A shape in half a byte for each cell, the first one in the upper half, and a byte for its width. */
export function packShape({ cells, aspect }: Shape): Uint8Array {
  const packed = new Uint8Array(PACKED_BYTES);
  for (let byte = 0; byte < PACKED_BYTES - 1; byte++)
    packed[byte] = Math.round(cells[2 * byte]!) * 16 + Math.round(cells[2 * byte + 1]!);
  packed[PACKED_BYTES - 1] = Math.round((1 + Math.log10(aspect)) * ASPECT_STEPS);
  return packed;
}

let unpacked: readonly (readonly Shape[])[] | undefined;

function templates(): readonly (readonly Shape[])[] {
  unpacked ??= unpack(Uint8Array.from(atob(PACKED_TEMPLATES), (character) => character.charCodeAt(0)));
  return unpacked;
}

function unpack(bytes: Uint8Array): Shape[][] {
  const shapeAt = (index: number): Shape => {
    const packed = bytes.subarray(index * PACKED_BYTES, (index + 1) * PACKED_BYTES);
    const cells = Uint8Array.from({ length: WIDE * HIGH }, (_, cell) =>
      cell % 2 === 0 ? packed[cell >> 1]! >> 4 : packed[cell >> 1]! & 15,
    );
    return { cells, aspect: 10 ** (packed[PACKED_BYTES - 1]! / ASPECT_STEPS - 1) };
  };
  return [...LETTERS].map((_, letter) =>
    Array.from({ length: TEMPLATES_EACH }, (__, index) => shapeAt(letter * TEMPLATES_EACH + index)),
  );
}
