/** Letters that the server does not have yet, kept in the tab for a reload or a restarted bot. */

const KEY = 'letterboxed-unsent';

/** @typedef {{ game: string, version: number, moves: string }} Unsent Moves that go on from a version of a game. */

/** Moves that were given back already, which two boards of one game must not both send. @type {Set<string>} */
const given = new Set();

/** @returns {Partial<Unsent>} */
function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
  } catch {
    return {};
  }
}

/** Keeps these moves in place of another game's, or forgets them once there are none. @param {Unsent} unsent */
export function keepUnsent({ game, version, moves }) {
  try {
    if (moves !== '') sessionStorage.setItem(KEY, JSON.stringify({ game, version, moves }));
    else if (kept().game === game) sessionStorage.removeItem(KEY);
  } catch {
    // Where browsers keep nothing, they last as long as the page.
  }
}

/** Returns the moves that go on from this version of a game, once. @param {Pick<Unsent, 'game' | 'version'>} at */
export function takeUnsent({ game, version }) {
  const { moves, ...known } = kept();
  const name = `${version} ${game}`;
  if (known.game !== game || known.version !== version || given.has(name)) return '';
  given.add(name);
  return moves ?? '';
}
