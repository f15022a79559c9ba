import { lineText } from '../reply/model/text.ts';
import type { Block, Reply } from '../reply/model/types.ts';
import { HINT_STEPS } from '../reply/replies/hint.ts';

/** A question about the board of a page. */
export interface HelpRequest {
  readonly ask: 'hint' | 'hunt' | 'review' | 'reveal' | 'share';
  /** The words so far: a hint goes on from them. */
  readonly words: readonly string[];
  /** The hints that the page shows already, with commas between. */
  readonly shown?: string;
}

/** An answer as a page shows it. */
export interface HelpView {
  readonly title: string;
  readonly parts: readonly { readonly label?: string; readonly lines: readonly string[] }[];
  /** Sent along when the next hint is asked for. */
  readonly shown?: string;
  /** Whether these are all hints. */
  readonly isAll?: boolean;
}

export function viewOf({ title, blocks, again }: Reply): HelpView {
  const { step, shown } = again?.options ?? {};
  const asked = [...String(shown).split(','), step];
  const steps = HINT_STEPS.filter((one) => asked.includes(one));
  return {
    title,
    parts: blocks.flatMap(partsOf),
    ...(step !== undefined && { shown: steps.join(',') }),
    ...(steps.length === HINT_STEPS.length && { isAll: true }),
  };
}

function partsOf(block: Block): HelpView['parts'] {
  switch (block.kind) {
    case 'text':
      return [{ lines: block.lines.map((line) => lineText(line, { person: () => 'You' })) }];
    case 'spoiler':
      return [{ label: block.label, lines: block.hidden.map((line) => lineText(line)) }];
    case 'note':
      return [{ lines: [lineText(block.line)] }];
    default:
      return [];
  }
}
