import { popcount } from './bits.ts';

/** Where one way covers all that any other on the same spot does, only that one is kept; returns how many are left. */
export function keepBest(masks: number[][], origins: number[][]): number {
  let total = 0;
  for (let at = 0; at < masks.length; at++) {
    let all = 0;
    for (const mask of masks[at]!) all |= mask;
    const best = masks[at]!.indexOf(all);
    if (best >= 0) {
      masks[at] = [all];
      origins[at] = [origins[at]![best]!];
    }
    total += masks[at]!.length;
  }
  return total;
}

/** Takes out what covers no more than another way that stands on the same spot. */
export function prune(masks: number[][], origins: number[][]): void {
  for (let at = 0; at < masks.length; at++) {
    const list = masks[at]!;
    if (list.length < 2) continue;
    const isKept = list.map((mask) => !list.some((other) => other !== mask && (other | mask) === other));
    masks[at] = list.filter((_, index) => isKept[index]);
    origins[at] = origins[at]!.filter((_, index) => isKept[index]);
  }
}

/** Keeps about as many as are wanted, those that cover most. */
export function keepFullest(masks: number[][], origins: number[][], most: number): void {
  const covering = new Uint32Array(33);
  for (const list of masks) for (const mask of list) covering[popcount(mask)]!++;
  let least = 32;
  let room = most;
  while (least > 0 && room >= covering[least]!) room -= covering[least--]!;
  for (let at = 0; at < masks.length; at++) {
    const list = masks[at]!;
    const isKept = list.map((mask) => {
      const covered = popcount(mask);
      return covered > least || (covered === least && room-- > 0);
    });
    masks[at] = list.filter((_, index) => isKept[index]);
    origins[at] = origins[at]!.filter((_, index) => isKept[index]);
  }
}
