/** Answers the pages of the site, in a worker of the browser. */
import { UserError } from '../../core/errors.ts';
import { housePuzzle } from '../../puzzle/house.ts';
import { makeLexicon } from '../../solver/lexicon.ts';
import { unpackEveryday, unpackLexicon } from '../../wordlists/packed.ts';
import { DownloadFailed, lazyDownload, whenThere } from './download.ts';
import { addIteratorHelpers } from './older-browsers.ts';
import { Site } from './site.ts';

addIteratorHelpers();

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
