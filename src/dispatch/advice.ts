import { capitalized, spokenTime } from '../core/text.ts';
import { buttonsBlock, piecesOf, typeAction } from '../reply/model/text.ts';
import type { Action, Button, Reply } from '../reply/model/types.ts';

/**
 * A private answer with a button for each command that its text advises and that has none yet. What an answer to everyone advises
 * is not for each of its readers.
 *
 * @param read the action of a typed line; undefined for what a button can't do
 */
export function withAdvice(reply: Reply, read: (line: string) => Action | undefined): Reply {
  if (reply.audience !== 'asker') return reply;
  let offered: Set<string> | undefined;
  const buttons: Button[] = [];
  for (const block of reply.blocks) {
    if (block.kind !== 'text') continue;
    for (const piece of block.lines.flatMap(piecesOf)) {
      // Its label is false where the text wants no button for it.
      if (typeof piece === 'string' || !('command' in piece) || piece.label === false) continue;
      const action = read(piece.command);
      offered ??= new Set(actionsIn(reply).map(typeAction));
      if (action === undefined || offered.has(typeAction(action))) continue;
      offered.add(typeAction(action));
      buttons.push({ label: piece.label ?? labelOf(piece.command), action });
    }
  }
  if (buttons.length === 0) return reply;
  return { ...reply, blocks: withButtons(reply.blocks, buttons) };
}

/** A command as a label, with its time of day and zone as spoken. */
function labelOf(command: string): string {
  return capitalized(command)
    .replace(/(?<= at )\d\d:\d\d/, spokenTime)
    .replace(' zone:', ', ');
}

function actionsIn({ blocks }: Reply): Action[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'buttons') return block.buttons.map(({ action }) => action);
    return block.kind === 'menu' ? block.choices.map(({ action }) => action) : [];
  });
}

/** Behind the buttons that are there, or before the notes at the end. */
function withButtons(blocks: Reply['blocks'], buttons: readonly Button[]): Reply['blocks'] {
  const at = blocks.findLastIndex(({ kind }) => kind === 'buttons');
  if (at >= 0) return blocks.with(at, { kind: 'buttons', buttons: [...buttonsOf(blocks[at]!), ...buttons] });
  const end = blocks.findLastIndex(({ kind }) => kind !== 'note') + 1;
  return blocks.toSpliced(end, 0, ...buttonsBlock(buttons));
}

function buttonsOf(block: Reply['blocks'][number]): readonly Button[] {
  return block.kind === 'buttons' ? block.buttons : [];
}
