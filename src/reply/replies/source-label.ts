import type { Puzzle } from '../../puzzle/types.ts';
import { longDate } from '../model/subject.ts';
import type { Inline, Line } from '../model/types.ts';

/** Where a puzzle comes from, said wherever it is shown, so that nobody takes one for another. */
export function sourceLabel({
  source,
  date,
  editor,
  typedAt,
}: Pick<Puzzle, 'source' | 'date' | 'editor' | 'typedAt'>): Line {
  switch (source) {
    case 'newspaper':
      return `The New York Times' Letter Boxed of ${longDate(date)}${editor === undefined ? '' : `, edited by ${editor}`}.`;
    case 'house':
      return `House board of ${longDate(date)} (generated, not the newspaper's).`;
    case 'hand': {
      const when: Inline[] = typedAt === undefined ? [] : [', ', { moment: typedAt, style: 'relative' }];
      return [`Typed by hand for ${longDate(date)}`, ...when, '. Not checked against the newspaper.'];
    }
  }
}
