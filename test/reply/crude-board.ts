/** A made-up board whose likeliest solutions contain an offensive word. All its other words are invented. */
import { makeBoard } from '../../src/solver/board.ts';

export const CRUDE_SIDES = 'wbc adf ngh kjl';
export const CRUDE_BOARD = makeBoard(CRUDE_SIDES.split(' '));
export const CRUDE_LIKELIHOODS: Readonly<Record<string, number>> = {
  wankbdgj: 0.9,
  jcfhl: 0.9,
  hlcfjbdgw: 0.9,
  wank: 0.9,
  wakn: 0.5,
  wanbdgk: 0.4,
  kcfjhl: 0.5,
};
