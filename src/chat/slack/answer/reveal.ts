import type { Block, Reply } from '../../../reply/model/types.ts';

/** What a Reveal button asks for: the reply, and which of its spoilers to show open. */
export interface Reveal {
  readonly open: ReadonlySet<number>;
  /** The reply as an action packed by the dispatcher, or the key of one that was kept. */
  readonly source: { readonly packed: string } | { readonly kept: string };
}

const KEPT = '!';

/**
 * A button's value: which spoilers, and the way back to the reply. Others may read it, so no text stands in it.
 *
 * @example makeReveal({ open: new Set([0]), source: { packed: '1|hint|step=count' } }) // '0;1|hint|step=count'
 */
export function makeReveal({ open, source }: Reveal): string {
  const way = 'packed' in source ? source.packed : KEPT + source.kept;
  return `${[...open].sort((a, b) => a - b).join(',')};${way}`;
}

export function parseReveal(value: string): Reveal | undefined {
  const [, numbers = '', way = ''] = /^(\d{1,3}(?:,\d{1,3})*);(.+)$/su.exec(value) ?? [];
  if (way === '') return undefined;
  const source = way.startsWith(KEPT) ? { kept: way.slice(KEPT.length) } : { packed: way };
  return { open: new Set(numbers.split(',').map(Number)), source };
}

/** Spoilers and hidden pictures are counted together, from 0, in the order they stand. */
export function isHidden(block: Block): boolean {
  return block.kind === 'spoiler' || (block.kind === 'picture' && block.spoiler === true);
}

/** The reply with nothing but its title and the spoilers asked for, or as it is when it has none of them. */
export function onlyRevealed(
  reply: Reply,
  open: ReadonlySet<number>,
): { reply: Reply; open: ReadonlySet<number> } {
  const hidden = reply.blocks.filter(isHidden);
  const asked = hidden.filter((_, index) => open.has(index));
  if (asked.length === 0) return { reply: { ...reply, audience: 'asker' }, open: new Set() };
  return {
    reply: { ...reply, blocks: asked, audience: 'asker' },
    open: new Set(asked.keys()),
  };
}
