import type { Lexicon } from '../../solver/lexicon.ts';
import { readLexicon } from '../../wordlists/load.ts';
import { readOwnWords } from '../../wordlists/own.ts';
import type { Arguments } from './arguments.ts';
import { settingOf } from './environment.ts';

/** The word list asked for: ours, theirs, or both together. */
export function lexiconFor(typed: Arguments): Lexicon {
  const own = typed.text('words') ?? settingOf('WORDS_FILE');
  return own === undefined || own === '' ? readLexicon() : readOwnWords(own, readLexicon);
}
