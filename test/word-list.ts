import { buildLexicon } from '../src/wordlists/build.ts';

/** Before all tests: compiles the word list again if what it depends on has changed, such as by a pull. */
export function setup(): void {
  buildLexicon();
}
