/** Looks at a reply as everyone can before anything in it is opened. */
import { makeAction } from '../../src/reply/model/action.ts';
import { plainText, typeAction } from '../../src/reply/model/text.ts';
import type { Block, Form, Reply } from '../../src/reply/model/types.ts';
import { makeSvg } from '../../src/reply/picture/svg.ts';

/** All that can be read, heard or looked up: texts, labels, alt texts, actions, pictures. */
export function openTexts(reply: Reply): string[] {
  const actions = reply.blocks.flatMap((block) =>
    block.kind === 'buttons'
      ? block.buttons.map(({ action }) => action)
      : block.kind === 'menu'
        ? block.choices.map(({ action }) => action)
        : [],
  );
  if (reply.rerun !== undefined) actions.push(reply.rerun);
  return [
    // What the asker asked for is shown to them at once; here it is looked at as others would see it.
    plainText({ ...reply, audience: 'everyone' }),
    ...reply.blocks.map(labelOf),
    ...actions.flatMap((action) => [makeAction(action), typeAction(action)]),
    ...reply.blocks.flatMap((block) =>
      block.kind === 'picture' && !block.spoiler ? [makeSvg(block.picture)] : [],
    ),
  ];
}

export function formTexts({ title, fields, action }: Form): string[] {
  return [title, makeAction(action), ...fields.flatMap((field) => Object.values(field).map(String))];
}

/** Words drawn over a picture that is not hidden, spelled. */
export function drawnWords(reply: Reply): string[] {
  return reply.blocks.flatMap((block) => {
    if (block.kind !== 'picture' || block.spoiler) return [];
    const { board, path } = block.picture;
    return (path ?? []).map((word) => word.map((spot) => board.letters[spot]).join(''));
  });
}

export function tokens(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => text.toLowerCase().split(/[^a-z]+/)));
}

function labelOf(block: Block): string {
  if (block.kind === 'menu') {
    return [
      block.label,
      ...block.choices.flatMap(({ label, description = '' }) => [label, description]),
    ].join(' ');
  }
  return block.kind === 'spoiler' ? block.label : block.kind === 'picture' ? block.alt : '';
}
