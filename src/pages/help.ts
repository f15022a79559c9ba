import { type App, type Asker, type Dispatcher, type Options, replyOf } from '../dispatch/contract.ts';
import { wordsOption } from '../reply/model/subject.ts';
import { lineText } from '../reply/model/text.ts';
import type { Block, Reply } from '../reply/model/types.ts';
import { HINT_STEPS } from '../reply/replies/hint-steps.ts';
import type { PublicBoard } from './visitor-games.ts';

/** What somebody asks about the board of a page. */
export interface HelpRequest {
  readonly ask: 'hint' | 'reveal' | 'share';
  /** The words so far: a hint goes on from them. */
  readonly words: readonly string[];
  /** The hints that the page shows already, with commas between. */
  readonly shown?: string;
}

/** An answer as a page shows it. */
export interface HelpView {
  readonly title: string;
  readonly parts: readonly { readonly label?: string; readonly lines: readonly string[] }[];
  /** To be sent along when the next hint is asked for. */
  readonly shown?: string;
}

const NO_THREAD = 'There is no thread of this day to post it in. Copy it, or type share in the chat.';

/** For a person of a chat, as if they had asked there: it counts as seen. */
export async function helpPerson(
  dispatcher: Dispatcher,
  asker: Asker,
  board: Options,
  { ask, words, shown }: HelpRequest,
): Promise<HelpView> {
  const more = ask === 'hint' ? { ...wordsOption(words), ...(shown !== undefined && { shown }) } : {};
  const reply = await replyOf(dispatcher.prepare({ ...asker, command: ask, options: { ...board, ...more } }));
  if (reply === undefined) throw new Error(`${ask} needs no form`);
  const view = viewOf(reply);
  // What the chat would show to everyone as the answer has nowhere to be shown from here.
  return ask === 'share' && reply.audience === 'everyone'
    ? { ...view, parts: [...view.parts, { lines: [NO_THREAD] }] }
    : view;
}

/** For a visitor without a name. */
export async function helpVisitor(
  { work }: App,
  { subject, source }: PublicBoard,
  { ask, words, shown = '' }: HelpRequest & { readonly ask: 'hint' | 'reveal' },
  address: string,
): Promise<HelpView> {
  const asker = { channel: 'pages', person: `pages:${address}` };
  if (ask === 'reveal') return viewOf(await work.run('reveal', { subject, source }, asker));
  const seen = HINT_STEPS.filter((step) => shown.split(',').includes(step));
  const step = HINT_STEPS.find((one) => !seen.includes(one)) ?? HINT_STEPS.at(-1)!;
  const onwards = words.length > 0 ? { played: [...words] } : {};
  return viewOf(await work.run('hint', { subject, source, onwards, step, shown: seen }, asker));
}

function viewOf({ title, blocks, again }: Reply): HelpView {
  const { step, shown } = again?.options ?? {};
  const steps = [...String(shown).split(','), step];
  return {
    title,
    parts: blocks.flatMap(partsOf),
    ...(step !== undefined && { shown: HINT_STEPS.filter((one) => steps.includes(one)).join(',') }),
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
