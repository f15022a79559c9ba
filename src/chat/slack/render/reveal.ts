import type { Block, Reply } from '../../../reply/model/types.ts';

/** What a Reveal button asks for: the reply, and which of its hidden blocks to show. */
export interface Reveal {
  readonly open: ReadonlySet<number>;
  /** The reply as an action packed by the dispatcher, or the key of a stored reply. */
  readonly source: { readonly packed: string } | { readonly kept: string };
}

/** Marks a value that holds the key of a stored reply. */
const KEPT = '!';

/**
 * The value of a Reveal button: which hidden blocks to show, and where the reply comes from. Other people can
 * read it, so it holds no text of the reply.
 *
 * @example makeReveal({ open: new Set([0]), source: { packed: '1|hint|step=count' } }) // '0;1|hint|step=count'
 */
export function makeReveal({ open, source }: Reveal): string {
  const text = 'packed' in source ? source.packed : KEPT + source.kept;
  return `${[...open].sort((a, b) => a - b).join(',')};${text}`;
}

export function parseReveal(value: string): Reveal | undefined {
  const [, numbers = '', text = ''] = /^(\d{1,3}(?:,\d{1,3})*);(.+)$/su.exec(value) ?? [];
  if (text === '') return undefined;
  const source = text.startsWith(KEPT) ? { kept: text.slice(KEPT.length) } : { packed: text };
  return { open: new Set(numbers.split(',').map(Number)), source };
}

/** Spoilers and hidden pictures are numbered together, from 0, in the order of the blocks. */
export function isHidden(block: Block): boolean {
  return block.kind === 'spoiler' || (block.kind === 'picture' && block.spoiler === true);
}

/** Only the title and the hidden blocks asked for; the whole reply when it has none of them. */
export function onlyRevealed(
  reply: Reply,
  open: ReadonlySet<number>,
): { reply: Reply; open: ReadonlySet<number> } {
  const hidden = reply.blocks.filter(isHidden);
  const revealed = hidden.filter((_, index) => open.has(index));
  if (revealed.length === 0) return { reply: { ...reply, audience: 'asker' }, open: new Set() };
  return {
    reply: { ...reply, blocks: revealed, audience: 'asker' },
    open: new Set(revealed.keys()),
  };
}
