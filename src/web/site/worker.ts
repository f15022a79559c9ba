/** Answers the pages of the site, in a worker of the browser. */
import { UserError } from '../../core/errors.ts';
import { housePuzzle } from '../../puzzle/house.ts';
import { makeLexicon } from '../../solver/lexicon.ts';
import { unpackEveryday, unpackLexicon } from '../../wordlists/packed.ts';
import { DownloadFailed, lazyDownload, whenThere } from './download.ts';
import { Site } from './site.ts';

/** What iterators lack before Safari 18.4, Firefox 131 and Chrome 122, as far as the worker uses it. */
const HELPERS = {
  *map<Value, Made>(this: Iterable<Value>, change: (value: Value, at: number) => Made) {
    let at = 0;
    for (const value of this) yield change(value, at++);
  },
  *filter<Value>(this: Iterable<Value>, fits: (value: Value, at: number) => unknown) {
    let at = 0;
    for (const value of this) if (fits(value, at++)) yield value;
  },
  *take<Value>(this: Iterable<Value>, most: number) {
    let left = most;
    if (left > 0)
      for (const value of this) {
        yield value;
        if (--left <= 0) return;
      }
  },
  *drop<Value>(this: Iterable<Value>, first: number) {
    let at = 0;
    for (const value of this) if (at++ >= first) yield value;
  },
  toArray<Value>(this: Iterable<Value>) {
    return [...this];
  },
  find<Value>(this: Iterable<Value>, fits: (value: Value, at: number) => unknown) {
    return [...this].find(fits);
  },
  some<Value>(this: Iterable<Value>, fits: (value: Value, at: number) => unknown) {
    return [...this].some(fits);
  },
  reduce<Value>(this: Iterable<Value>, join: (all: Value, value: Value) => Value, first: Value) {
    return [...this].reduce(join, first);
  },
};
// Adds them where they are missing: to `Iterator.prototype`, which older browsers have, too, without the name.
const iterators: object = Object.getPrototypeOf(Object.getPrototypeOf([].values()));
for (const [name, value] of Object.entries(HELPERS))
  if (!(name in iterators)) Object.defineProperty(iterators, name, { value });
const from = (list: readonly unknown[]) => list.values();
if (!('Iterator' in globalThis)) Object.defineProperty(globalThis, 'Iterator', { value: { from } });

interface Question {
  readonly what: keyof Site;
  /** The parameters of that method: only the page's script knows which go with it. */
  readonly asked: never;
  readonly fields: never;
}

const everyday = lazyDownload('everyday.bin', (bytes) => makeLexicon(unpackEveryday(bytes)));
const words = lazyDownload('words.bin', (bytes) => makeLexicon(unpackLexicon(bytes, everyday())));
/** Downloads one file after the other, which helps on a slow line: a player's first words are nearly always everyday words. */
const lexicon = () => {
  everyday();
  return words();
};
// Starts the downloads early: every page asks for the words soon after its first question.
void whenThere(lexicon).catch(() => undefined);
const site = new Site({
  lexicon,
  everyday,
  house: (date) => housePuzzle(date),
  now: Date.now,
  address: new URL('.', location.href).href,
});

addEventListener('message', async ({ data, ports: [port] }: MessageEvent<Question>) => {
  try {
    port?.postMessage({ answer: await whenThere<unknown>(() => site[data.what](data.asked, data.fields)) });
  } catch (error) {
    const isKnown = error instanceof UserError || error instanceof DownloadFailed;
    if (!isKnown) console.error(error);
    const trouble = isKnown ? error.message : 'Something broke on this page. Reload it and try again.';
    port?.postMessage({ trouble, mayAskAgain: error instanceof DownloadFailed });
  }
});
