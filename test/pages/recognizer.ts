import type { SpotView } from '../../src/pages/game-view.ts';
import type { Sample } from './hand.ts';

interface Field {
  readonly targets: readonly SpotView[];
  readonly gap: number;
  readonly open: number;
  readonly joined?: number;
}

// A script of the browser, which the compiler checks with the page's types.
const SCRIPT: string = '../../src/pages/browser/stroke.js';
export const { readStroke } = (await import(SCRIPT)) as {
  readStroke(samples: readonly Sample[], field: Field, isOver: boolean): { letters: number[]; near: number };
};
