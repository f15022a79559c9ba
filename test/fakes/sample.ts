import { needs } from './needs.ts';

/** `npm test` checks a sample of what `npm run test:long`, which runs the files that import this module, checks whole. */
export const IS_LONG = process.env.LONG === '1';

/** @example const BOARDS = sample(10_000, 1_000); */
export function sample<Value>(whole: Value, part: Value): Value {
  return IS_LONG ? whole : part;
}

/** Options of a test that `npm test` leaves to `npm run test:long`. */
export const onlyLong = needs('npm run test:long', IS_LONG);
