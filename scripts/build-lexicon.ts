/** Makes build/lexicon.bin from the word-list packages: at `npm ci`, and by `npm run build:lexicon`. */
import { buildLexicon } from '../src/wordlists/build.ts';

const { built, words } = buildLexicon();
console.log(built ? `word list built: ${words} words` : 'word list is up to date');
