/** Pixels as a canvas and a PNG decoder give them: four bytes each, red first, row by row. */
export interface Pixels {
  readonly data: Uint8Array | Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/** Brightness from 0 to 255, a byte for each pixel. */
export interface Grey {
  readonly values: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A connected area of pixels that are all darker, or all brighter, than what is around them. */
export interface Component {
  readonly left: number;
  readonly top: number;
  /** The first column and row behind it. */
  readonly right: number;
  readonly bottom: number;
  readonly isDark: boolean;
}

/** Pictures are made about this large: letters of a phone's screenshot are 40 to 60 pixels high then. */
const WORKING_PIXELS = 1_200_000;
/** Small pictures are enlarged, at most this much: edges of letters can then lie at fractions of the original pixels. */
const MAX_ENLARGED = 3;
/** Levels that separate dark from bright, one after another, so that one lies between a tinted letter and its background. */
const LEVELS = Array.from({ length: 15 }, (_, index) => 16 * (index + 1));
/** Rows of pixels that a letter has at least. */
const MIN_HEIGHT = 10;
/** A letter's height, as a share of the picture's longer edge. */
const MAX_HEIGHT = 0.2;
/** The width of a letter, as a share of its height: from a thin I to a wide W. */
const MIN_WIDTH = 0.06;
const MAX_WIDTH = 1.8;
/** The pixels of a letter, as a share of its box. */
const MIN_FILL = 0.12;
/** Boxes whose edges differ at most this much, as a share of their height, are one letter at several levels. */
const SAME = 0.12;

/** The brightness of pixels, in the size in which boards are looked for. Transparent pixels are white. */
export function greyOf({ data, width, height }: Pixels): Grey {
  const scale = Math.min(MAX_ENLARGED, Math.sqrt(WORKING_PIXELS / (width * height)));
  const values = new Uint8Array(width * height);
  for (let at = 0, byte = 0; at < values.length; at++, byte += 4) {
    const bright = 0.299 * data[byte]! + 0.587 * data[byte + 1]! + 0.114 * data[byte + 2]!;
    const opaque = data[byte + 3]! / 255;
    values[at] = bright * opaque + 255 * (1 - opaque) + 0.5;
  }
  const grey = { values, width, height };
  return scale < 1 ? shrink(grey, scale) : enlarge(grey, scale);
}

/** Averages the pixels that become one. */
function shrink({ values, width, height }: Grey, scale: number): Grey {
  const [wide, high] = [Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale))];
  const sums = new Float64Array(wide * high);
  const counts = new Uint32Array(wide * high);
  const columns = Uint32Array.from({ length: width }, (_, x) =>
    Math.min(wide - 1, Math.floor((x * wide) / width)),
  );
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.min(high - 1, Math.floor((y * high) / height)) * wide;
    for (let x = 0; x < width; x++, at++) {
      const to = row + columns[x]!;
      sums[to] = sums[to]! + values[at]!;
      counts[to] = counts[to]! + 1;
    }
  }
  return { values: Uint8Array.from(sums, (sum, at) => sum / counts[at]!), width: wide, height: high };
}

function enlarge(grey: Grey, scale: number): Grey {
  // Too little to be worth its time.
  if (scale < 1.2) return grey;
  const [wide, high] = [Math.floor(grey.width * scale), Math.floor(grey.height * scale)];
  const values = new Uint8Array(wide * high);
  for (let y = 0, at = 0; y < high; y++)
    for (let x = 0; x < wide; x++, at++)
      values[at] = brightnessAt(grey, (x + 0.5) / scale - 0.5, (y + 0.5) / scale - 0.5);
  return { values, width: wide, height: high };
}

/** The brightness between pixels, whose middles have whole numbers. */
export function brightnessAt({ values, width, height }: Grey, x: number, y: number): number {
  const left = Math.min(width - 1, Math.max(0, Math.floor(x)));
  const top = Math.min(height - 1, Math.max(0, Math.floor(y)));
  const right = Math.min(width - 1, left + 1);
  const bottom = Math.min(height - 1, top + 1);
  const across = Math.min(1, Math.max(0, x - left));
  const down = Math.min(1, Math.max(0, y - top));
  const upper = values[top * width + left]! * (1 - across) + values[top * width + right]! * across;
  const lower = values[bottom * width + left]! * (1 - across) + values[bottom * width + right]! * across;
  return upper * (1 - down) + lower * down;
}

/**
 * Everything in a picture that has the size of a letter, each once. Takes time linear in the pixels.
 *
 * @param most the largest number of components to return
 */
export function findComponents(grey: Grey, most: number): Component[] {
  const found = new Found(grey, most);
  const areas = new Areas(grey);
  for (const level of LEVELS) if (!found.isFull) areas.find(level, found);
  return found.list;
}

/** Components by place, so that one that is found at several levels is kept once. */
class Found {
  readonly list: Component[] = [];
  readonly #most: number;
  readonly #height: number;
  readonly #places = new Map<number, Component[]>();

  constructor({ width, height }: Grey, most: number) {
    this.#most = most;
    this.#height = MAX_HEIGHT * Math.max(width, height);
  }

  get isFull(): boolean {
    return this.list.length >= this.#most;
  }

  add(component: Component, pixels: number): void {
    const width = component.right - component.left;
    const height = component.bottom - component.top;
    if (height < MIN_HEIGHT || height > this.#height || this.isFull) return;
    if (width < MIN_WIDTH * height || width > MAX_WIDTH * height || pixels < MIN_FILL * width * height)
      return;
    const place = placeOf((component.left + component.right) / 2, (component.top + component.bottom) / 2);
    const near = [-1, 0, 1].flatMap((down) =>
      [-1, 0, 1].flatMap((across) => this.#places.get(place + down * PLACES + across) ?? []),
    );
    if (near.some((other) => isSame(component, other))) return;
    this.#places.set(place, [...(this.#places.get(place) ?? []), component]);
    this.list.push(component);
  }
}

/** A number for each square of 16 pixels; the next row's is larger by `PLACES`. */
const PLACES = 0x10000;

function placeOf(x: number, y: number): number {
  return Math.floor(y / 16) * PLACES + Math.floor(x / 16);
}

function isSame(one: Component, other: Component): boolean {
  const off = Math.max(1, SAME * (other.bottom - other.top));
  return (
    one.isDark === other.isDark &&
    Math.abs(one.left - other.left) <= off &&
    Math.abs(one.right - other.right) <= off &&
    Math.abs(one.top - other.top) <= off &&
    Math.abs(one.bottom - other.bottom) <= off
  );
}

/**
 * The connected areas of a picture, dark and bright ones in one pass: runs of pixels in a row, each joined with those that it
 * touches in the row above.
 */
class Areas {
  readonly #grey: Grey;
  #count = 0;
  /** By run: its own columns and brightness, and the run that it was joined with. */
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  readonly #isDark: Uint8Array;
  readonly #parent: Int32Array;
  /** By the run that stands for its area: the area's box and pixels. */
  readonly #left: Int32Array;
  readonly #right: Int32Array;
  readonly #top: Int32Array;
  readonly #bottom: Int32Array;
  readonly #pixels: Int32Array;

  constructor(grey: Grey) {
    this.#grey = grey;
    // As many as there can be: memory that is not written to costs nothing.
    const list = () => new Int32Array(grey.values.length);
    [this.#from, this.#to, this.#parent, this.#pixels] = [list(), list(), list(), list()];
    [this.#left, this.#right, this.#top, this.#bottom] = [list(), list(), list(), list()];
    this.#isDark = new Uint8Array(grey.values.length);
  }

  find(level: number, found: Found): void {
    const { values, width, height } = this.#grey;
    this.#count = 0;
    for (let y = 0, above = 0; y < height; y++) {
      const first = this.#count;
      const start = y * width;
      for (let from = 0; from < width; ) {
        const isDark = values[start + from]! < level;
        let to = from + 1;
        while (to < width && values[start + to]! < level === isDark) to++;
        this.#add(from, to, y, isDark);
        from = to;
      }
      this.#join(above, first);
      above = first;
    }
    for (let run = 0; run < this.#count; run++) {
      if (this.#parent[run] !== run) continue;
      const box = {
        left: this.#left[run]!,
        top: this.#top[run]!,
        right: this.#right[run]!,
        bottom: this.#bottom[run]!,
        isDark: this.#isDark[run] === 1,
      };
      found.add(box, this.#pixels[run]!);
    }
  }

  #add(from: number, to: number, y: number, isDark: boolean): void {
    const run = this.#count++;
    this.#from[run] = this.#left[run] = from;
    this.#to[run] = this.#right[run] = to;
    this.#top[run] = y;
    this.#bottom[run] = y + 1;
    this.#pixels[run] = to - from;
    this.#isDark[run] = isDark ? 1 : 0;
    this.#parent[run] = run;
  }

  /** Joins the runs of the last row, from `first`, with the touching ones of the row before, from `above`. */
  #join(above: number, first: number): void {
    for (let upper = above, lower = first; upper < first && lower < this.#count; ) {
      if (this.#isDark[upper] === this.#isDark[lower]) {
        const overlap =
          Math.min(this.#to[upper]!, this.#to[lower]!) - Math.max(this.#from[upper]!, this.#from[lower]!);
        if (overlap > 0) this.#unite(this.#root(upper), this.#root(lower));
      }
      if (this.#to[upper]! < this.#to[lower]!) upper++;
      else lower++;
    }
  }

  /** The run that stands for the area of another one. */
  #root(run: number): number {
    let at = run;
    while (this.#parent[at] !== at) {
      // Skips every second run, so that the next way from here is half as long.
      this.#parent[at] = this.#parent[this.#parent[at]!]!;
      at = this.#parent[at]!;
    }
    return at;
  }

  #unite(one: number, other: number): void {
    if (one === other) return;
    // The earlier run stands for both, which keeps the ways short from row to row.
    const [kept, gone] = one < other ? [one, other] : [other, one];
    this.#parent[gone] = kept;
    this.#left[kept] = Math.min(this.#left[kept]!, this.#left[gone]!);
    this.#right[kept] = Math.max(this.#right[kept]!, this.#right[gone]!);
    this.#top[kept] = Math.min(this.#top[kept]!, this.#top[gone]!);
    this.#bottom[kept] = Math.max(this.#bottom[kept]!, this.#bottom[gone]!);
    this.#pixels[kept] = this.#pixels[kept]! + this.#pixels[gone]!;
  }
}
