import { walkWord } from '../solver/playable.ts';
import type { Board, PlayableWord } from '../solver/types.ts';

/** Whether the game accepted a word, according to the dictionaries of past days. */
export type Verdicts = ReadonlyMap<string, boolean>;

/**
 * A word that the game accepted once is almost certainly accepted again. Accepted words are rated above this,
 * in the order of our estimates.
 */
const ACCEPTED = 0.99;

/**
 * The verdicts of one day's dictionary: each of its words is accepted, and each other word of ours that can be
 * played on that board is rejected. Words that can't be played on it get no verdict.
 *
 * @example verdictsOf(findPlayable(board, lexicon), dictionary).get('cat') // true
 */
export function verdictsOf(
  playable: readonly Pick<PlayableWord, 'word'>[],
  dictionary: Iterable<string>,
): Map<string, boolean> {
  const verdicts = new Map<string, boolean>();
  for (const { word } of playable) verdicts.set(word, false);
  for (const word of dictionary) verdicts.set(word, true);
  return verdicts;
}

/**
 * Our playable words of a board, corrected: a verdict outweighs the estimate. Rejected words are
 * removed, accepted ones become almost certain, and accepted words missing from our lists are added. In
 * alphabetical order.
 */
export function applyVerdicts(
  board: Board,
  playable: readonly PlayableWord[],
  verdicts: Verdicts,
): readonly PlayableWord[] {
  if (verdicts.size === 0) return playable;
  const words: PlayableWord[] = [];
  const ours = new Set<string>();
  for (const known of playable) {
    const { word, length, likelihood, tier, walks } = known;
    const verdict = verdicts.get(word);
    ours.add(word);
    if (verdict === undefined) words.push(known);
    else if (verdict) words.push({ word, length, likelihood: accepted(likelihood), tier, walks });
  }
  for (const [word, verdict] of verdicts) {
    const walks = verdict && !ours.has(word) ? walkWord(board, word) : [];
    if (walks.length === 0) continue;
    words.push({ word, length: word.length, likelihood: accepted(0), tier: 'wide', walks });
  }
  return words.sort((a, b) => (a.word < b.word ? -1 : 1));
}

function accepted(likelihood: number): number {
  return ACCEPTED + (1 - ACCEPTED) * likelihood;
}
