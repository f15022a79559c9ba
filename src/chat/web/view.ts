import type { AskerRef } from '../../reply/model/action.ts';
import { isOpen, lineText } from '../../reply/model/text.ts';
import type { Action, Block } from '../../reply/model/types.ts';
import { boardView } from '../../web/board/view.ts';
import type { BlockView, MessageView } from '../../web/chat/views.ts';
import { CHANNEL, type ChatMessage } from './chat-room.ts';

/** @param person who sees it; part of the addresses of pictures and files. */
export async function viewOf(
  message: ChatMessage,
  person: string,
  packFor: (action: Action, asker?: AskerRef) => Promise<string>,
): Promise<MessageView> {
  const { id, at, thread, reply, asker, only, changes = 0 } = message;
  const pack = (action: Action) => packFor(action, asker && { who: asker, where: CHANNEL });
  const blocks = await Promise.all(
    shownBlocks(reply.blocks).map(([index, block]) =>
      isOpen(block, reply) && block.kind === 'spoiler'
        ? { kind: 'opened' as const, label: block.label, lines: block.hidden }
        : viewOfBlock(block, `${id}/${index}?person=${person}&change=${changes}`, index, pack),
    ),
  );
  return {
    id,
    at,
    thread,
    ...arrangedAtBoard(reply.title, blocks),
    private: only !== undefined,
    ...(asker && { asker: { name: asker.name, asked: asker.asked } }),
  };
}

/** Moves par into the title, as on the board's page, and the first buttons into the board's row of controls, for phones. */
function arrangedAtBoard(title: string, blocks: readonly BlockView[]): Pick<MessageView, 'title' | 'blocks'> {
  if (!blocks.some(({ kind }) => kind === 'board')) return { title, blocks };
  const facts = blocks.flatMap((block) => (block.kind === 'facts' ? block.facts : []));
  const par = facts.find(({ label }) => label === 'Par');
  // Buttons further below are about something else, such as what else a line may mean.
  const own = blocks.find((block) => block.kind === 'buttons');
  const arranged = blocks.flatMap((block): BlockView[] => {
    if (block === own) return [];
    if (block.kind === 'board') return [{ ...block, controls: own?.buttons ?? [] }];
    if (block.kind !== 'facts') return [block];
    const rest = block.facts.filter((fact) => fact !== par);
    return rest.length > 0 ? [{ ...block, facts: rest }] : [];
  });
  return { title: par === undefined ? title : `${title} · par ${lineText([par.value])}`, blocks: arranged };
}

/** The board that can be played in a block, as the options that select it in a command. */
export function boardIn(block: Block | undefined): Action['options'] | undefined {
  if (block?.kind === 'game') return block.options;
  return block?.kind === 'picture' ? block.play : undefined;
}

/** The commands of buttons that a board in a message does without: it is open already, and has a Hint button of its own. */
const OWN_BUTTONS = ['play', 'hint'];

/**
 * The blocks to show, with their indexes in the reply. A game is shown by its board alone. Other messages with a board to
 * play on are shown without `OWN_BUTTONS`.
 */
function shownBlocks(blocks: readonly Block[]): readonly (readonly [index: number, block: Block])[] {
  const indexed = [...blocks.entries()];
  const game = indexed.find(([, { kind }]) => kind === 'game');
  if (game !== undefined) return [game];
  if (!blocks.some((block) => boardIn(block) !== undefined)) return indexed;
  return indexed.map(([index, block]) => [
    index,
    block.kind === 'buttons'
      ? { ...block, buttons: block.buttons.filter(({ action }) => !OWN_BUTTONS.includes(action.command)) }
      : block,
  ]);
}

async function viewOfBlock(
  block: Block,
  address: string,
  index: number,
  pack: (action: Action) => Promise<string>,
): Promise<BlockView> {
  switch (block.kind) {
    case 'picture':
      if (block.play !== undefined)
        return { kind: 'board', block: index, board: boardView(block.picture.board), controls: [] };
      return {
        kind: 'picture',
        source: `/picture/${address}`,
        alt: block.alt,
        spoiler: block.spoiler === true,
        isEnding: block.picture.ending !== undefined,
      };
    case 'game':
      return { kind: 'board', block: index, board: boardView(block.board), controls: [] };
    case 'spoiler':
      return { kind: 'spoiler', label: block.label, block: index };
    case 'buttons': {
      const buttons = block.buttons.map(async ({ label, action, look = 'plain' }) => ({
        label,
        value: await pack(action),
        look,
      }));
      return { kind: 'buttons', buttons: await Promise.all(buttons) };
    }
    case 'menu': {
      const choices = block.choices.map(async ({ label, description, action }) => ({
        label,
        description,
        value: await pack(action),
      }));
      return { kind: 'menu', label: block.label, choices: await Promise.all(choices) };
    }
    case 'file':
      return { kind: 'file', name: block.name, source: `/file/${address}` };
    default:
      return block;
  }
}
