/** Sides with the same letters. */
interface Twins {
  readonly sides: readonly number[];
  readonly length: number;
}

/**
 * The identical sides of a board, whose letters have their bits in alphabetical order: what has happened on one of them
 * may as well have happened on another, so that of all states that only swap such sides one is kept.
 */
export class TwinSides {
  readonly #twins: Twins[] = [];
  /** By side, where its bits begin. */
  readonly #shifts: number[] = [];
  /** By side, the first of those like it. */
  readonly #firsts: number[] = [];

  constructor(sides: readonly string[]) {
    const alike = new Map<string, number[]>();
    let shift = 0;
    sides.forEach((side, index) => {
      const sorted = Array.from(side).sort().join('');
      const own = [...(alike.get(sorted) ?? []), index];
      alike.set(sorted, own);
      this.#firsts.push(own[0]!);
      this.#shifts.push(shift);
      shift += side.length;
    });
    for (const [{ length }, own] of alike) if (own.length > 1) this.#twins.push({ sides: own, length });
  }

  get isEmpty(): boolean {
    return this.#twins.length === 0;
  }

  first(side: number): number {
    return this.#firsts[side]!;
  }

  /** The state that is kept: the side stood on first, the others by what is covered. */
  canonical(mask: number, standing: number): number {
    let canonical = mask;
    for (const { sides, length } of this.#twins) {
      const room = 2 ** length - 1;
      const codes: number[] = [];
      let own = -1;
      for (const side of sides) {
        const code = (mask >>> this.#shifts[side]!) & room;
        if (side === standing) own = code;
        else codes.push(code);
        canonical &= ~(room << this.#shifts[side]!);
      }
      codes.sort((a, b) => a - b);
      if (own >= 0) codes.unshift(own);
      for (let at = 0; at < sides.length; at++) canonical |= codes[at]! << this.#shifts[sides[at]!]!;
    }
    return canonical;
  }
}
