/** The name of a result, by the least points of its review. */
const TITLES = [
  [100, 'Legend'],
  [90, 'Virtuoso'],
  [80, 'Architect'],
  [70, 'Wordsmith'],
  [55, 'Navigator'],
  [40, 'Pathfinder'],
  [0, 'Explorer'],
] as const;

/**
 * The title of a result, from the 0 to 100 points of its review. It says how close the result is to the fewest words, so it
 * is shown only where those may be revealed.
 *
 * @example titleOf(93) // 'Virtuoso'
 */
export function titleOf(points: number): string {
  return TITLES.find(([from]) => points >= from)![1];
}
