/**
 * `npm test` checks a sample of what `npm run test:long` checks whole, in CI too. The latter runs the files that import
 * this module, without their tests that have the tag `whole`: those depend on nothing here.
 */
export const IS_LONG = process.env.LONG === '1';

/** @example const BOARDS = sample(10_000, 1_000); */
export function sample<Value>(whole: Value, part: Value): Value {
  return IS_LONG ? whole : part;
}
