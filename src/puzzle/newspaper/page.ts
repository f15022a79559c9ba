import { NewspaperError } from './errors.ts';

const SCRIPT_START = /<script\b/gi;
const SCRIPT_END = /<\/script\b/gi;
const ASSIGNMENT = /\bwindow\.gameData\s*=\s*/;

/**
 * The puzzle's data out of the game's page, where a script element sets `window.gameData = {…}` with no
 * semicolon after it. Reads text only; nothing of the page is ever run.
 */
export function readPage(html: string): unknown {
  for (const script of scriptsOf(html)) {
    const assignment = ASSIGNMENT.exec(script);
    if (assignment === null) continue;
    const object = balancedObject(script, assignment.index + assignment[0].length);
    if (object === undefined) throw unreadable('window.gameData is not a whole object');
    try {
      return JSON.parse(object);
    } catch {
      throw unreadable('window.gameData is not JSON');
    }
  }
  throw unreadable('no script sets window.gameData');
}

/** One pass over the page, however it is made up: each search goes on where the last one ended. */
function* scriptsOf(html: string): IterableIterator<string> {
  const starts = new RegExp(SCRIPT_START);
  const ends = new RegExp(SCRIPT_END);
  while (starts.exec(html) !== null) {
    const from = html.indexOf('>', starts.lastIndex) + 1;
    if (from === 0) return;
    ends.lastIndex = from;
    const end = ends.exec(html);
    yield html.slice(from, end?.index ?? html.length);
    if (end === null) return;
    starts.lastIndex = ends.lastIndex;
  }
}

/** From the brace at `from` to the one that closes it; braces inside strings don't count. */
function balancedObject(text: string, from: number): string | undefined {
  if (text[from] !== '{') return undefined;
  let depth = 0;
  let inString = false;
  for (let index = from; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return text.slice(from, index + 1);
  }
  return undefined;
}

function unreadable(what: string): NewspaperError {
  return new NewspaperError('unreadable', `the page can't be read: ${what}`);
}
