/** Answers the pages of the site, in a worker of the browser. */
import { UserError } from '../../core/errors.ts';
import { makeLexicon } from '../../solver/lexicon.ts';
import { unpackLexicon } from '../../wordlists/packed.ts';
import { download, NotDownloaded, Waiting } from './download.ts';
import { readDays, Site } from './site.ts';

/** The part of a worker's global scope that is used here. */
interface WorkerScope {
  readonly location: { readonly href: string };
  onmessage: (event: { readonly data: Question }) => void;
  postMessage(answer: object): void;
}
interface Question {
  readonly id: number;
  readonly what: 'board' | 'play' | 'help' | 'archive' | 'answer' | 'draw' | 'isSolvable' | 'ready';
  readonly asked: never;
  readonly fields: never;
}

const scope = globalThis as unknown as WorkerScope;
const lexicon = download('words.bin', (bytes) => makeLexicon(unpackLexicon(bytes)));
// Starts the download early: every page asks for the words soon after its first question.
try {
  lexicon();
} catch {
  // Throws `Waiting` until the download ends.
}
const site = new Site({
  lexicon,
  days: download('days.bin', (bytes) => readDays(new TextDecoder().decode(bytes))),
  now: Date.now,
  address: new URL('.', scope.location.href).href,
});

scope.onmessage = async ({ data }) => {
  const { id } = data;
  try {
    scope.postMessage({ id, answer: await answer(data) });
  } catch (error) {
    const isKnown = error instanceof UserError || error instanceof NotDownloaded;
    if (!isKnown) console.error(error);
    const trouble = isKnown ? error.message : 'Something broke on this page. Reload it and try again.';
    scope.postMessage({ id, trouble, mayAskAgain: error instanceof NotDownloaded });
  }
};

async function answer(question: Question): Promise<unknown> {
  try {
    return await site[question.what](question.asked, question.fields);
  } catch (error) {
    if (!(error instanceof Waiting)) throw error;
    await error.until;
    return answer(question);
  }
}
