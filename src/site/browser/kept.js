/** What a browser keeps for a visitor: games, and the days that they played. */

/** Boards at most; the one played longest ago is forgotten first. */
const MOST_GAMES = 30;
/** Days at most: more than a year. */
const MOST_DAYS = 400;
export const KEPT_GAMES = 'letterboxed-games';
const KEPT_DAYS = 'letterboxed-days';

/**
 * @typedef {{ saved?: unknown, version: number, hints?: number, isRevealed?: boolean }} Game How often it was saved is its version.
 * @typedef {{ words: number, isSolved: boolean, isLate: boolean }} Day
 */

/** Where browsers keep nothing, it lasts as long as the page. @type {Record<string, unknown[]>} */
const lasting = {};

/** @param {string} key @returns {[string, any][]} */
function read(key) {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? '[]');
    if (Array.isArray(kept)) lasting[key] = kept.filter((entry) => Array.isArray(entry));
  } catch {
    // Storage is switched off, or holds something else.
  }
  return /** @type {[string, any][]} */ (lasting[key] ?? []);
}

/** @param {string} key @param {[string, unknown][]} entries */
function write(key, entries) {
  lasting[key] = entries;
  try {
    localStorage.setItem(key, JSON.stringify(entries));
  } catch {
    // It lasts as long as the page.
  }
}

/** @param {string} sides @returns {Game} */
export function readGame(sides) {
  const kept = read(KEPT_GAMES).find(([other]) => other === sides)?.[1];
  return typeof kept?.version === 'number' ? kept : { version: 0 };
}

/** @param {string} sides @param {Partial<Game>} change */
export function keepGame(sides, change) {
  const others = read(KEPT_GAMES).filter(([other]) => other !== sides);
  /** @type {[string, unknown]} */
  const latest = [sides, { ...readGame(sides), ...change }];
  write(KEPT_GAMES, [latest, ...others].slice(0, MOST_GAMES));
}

/** @returns {Map<string, Day>} */
export function readDays() {
  return new Map(read(KEPT_DAYS));
}

/** A day's result; a better one stays, and so does the first that was on time. @param {string} day @param {Day} played */
export function keepDay(day, played) {
  const days = readDays();
  const kept = days.get(day);
  if (kept?.isSolved && (!played.isSolved || (played.isLate && !kept.isLate) || kept.words <= played.words))
    return;
  days.set(day, played);
  const newest = [...days].sort(([one], [other]) => (one < other ? 1 : -1));
  write(KEPT_DAYS, newest.slice(0, MOST_DAYS));
}

/** @param {readonly string[]} known today and the days before it that had a board, newest first */
export function streakLine([today, ...past]) {
  const days = readDays();
  const isOnTime = (/** @type {string | undefined} */ day) => {
    const played = days.get(day ?? '');
    return played?.isSolved === true && !played.isLate;
  };
  const missed = past.findIndex((day) => !isOnTime(day));
  const length = (missed < 0 ? past.length : missed) + (isOnTime(today) ? 1 : 0);
  return `Your streak in this browser is ${length} ${length === 1 ? 'day' : 'days'}.`;
}
