import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { DAY } from '../../core/clock.ts';
import type { App } from '../../dispatch/contract.ts';
import { type ActionAsker, ownerOf } from '../../reply/model/action.ts';
import type { Reply, Block as ReplyBlock } from '../../reply/model/types.ts';

/** What a Reveal button asks for: the reply, and which of its hidden blocks to show. */
export interface Reveal {
  readonly open: ReadonlySet<number>;
  /** The reply as an action packed by the dispatcher, or the key of a stored reply. */
  readonly source: { readonly packed: string } | { readonly kept: string };
}

/** Marks a value that holds the key of a stored reply. */
const KEPT_MARK = '!';

/**
 * The value of a Reveal button: which hidden blocks to show, and where the reply comes from. Other people can
 * read it, so it holds no text of the reply.
 *
 * @example makeReveal({ open: new Set([0]), source: { packed: '1|hint|step=count' } }) // '0;1|hint|step=count'
 */
export function makeReveal({ open, source }: Reveal): string {
  const text = 'packed' in source ? source.packed : KEPT_MARK + source.kept;
  return `${[...open].sort((a, b) => a - b).join(',')};${text}`;
}

export function parseReveal(value: string): Reveal | undefined {
  const [, numbers = '', text = ''] = /^(\d{1,3}(?:,\d{1,3})*);(.+)$/su.exec(value) ?? [];
  if (text === '') return undefined;
  const source = text.startsWith(KEPT_MARK) ? { kept: text.slice(KEPT_MARK.length) } : { packed: text };
  return { open: new Set(numbers.split(',').map(Number)), source };
}

/** Spoilers and hidden pictures are numbered together, from 0, in the order of the blocks. */
export function isHidden(block: ReplyBlock): boolean {
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

/** As long as a Reveal button that needs the reply works. */
const KEPT_FOR = 30 * DAY;

const OptionValue = v.union([v.string(), v.number(), v.boolean()]);
const Action = v.object({ command: v.string(), options: v.record(v.string(), OptionValue) });
const Inline = v.union([
  v.string(),
  v.object({ bold: v.string() }),
  v.object({ code: v.string() }),
  v.object({ moment: v.number(), style: v.picklist(['relative', 'date', 'time', 'full']) }),
  v.object({ link: v.string(), label: v.string() }),
  v.object({ command: v.string() }),
  v.object({ person: v.string() }),
]);
const Line = v.union([Inline, v.array(Inline)]);
const Picture = v.object({
  board: v.object({
    sides: v.array(v.string()),
    letters: v.string(),
    sideOf: v.array(v.number()),
    full: v.number(),
  }),
  path: v.optional(v.object({ words: v.array(v.array(v.number())) })),
  letters: v.optional(v.boolean()),
  captioned: v.optional(v.boolean()),
});
const Button = v.object({
  label: v.string(),
  action: Action,
  look: v.optional(v.picklist(['primary', 'plain', 'danger'])),
});
const Block = v.variant('kind', [
  v.object({ kind: v.literal('text'), lines: v.array(Line) }),
  v.object({ kind: v.literal('facts'), facts: v.array(v.object({ label: v.string(), value: Inline })) }),
  v.object({
    kind: v.literal('picture'),
    picture: Picture,
    alt: v.string(),
    spoiler: v.optional(v.boolean()),
  }),
  v.object({
    kind: v.literal('spoiler'),
    label: v.string(),
    hidden: v.array(Line),
    open: v.optional(v.boolean()),
  }),
  v.object({
    kind: v.literal('menu'),
    label: v.string(),
    choices: v.array(v.object({ label: v.string(), description: v.optional(v.string()), action: Action })),
  }),
  v.object({ kind: v.literal('buttons'), buttons: v.array(Button) }),
  v.object({ kind: v.literal('note'), line: Line }),
  v.object({ kind: v.literal('file'), name: v.string(), type: v.string(), content: v.string() }),
]);
const StoredReply = v.object({
  title: v.string(),
  blocks: v.array(Block),
  audience: v.picklist(['asker', 'everyone']),
  again: v.optional(Action),
  replaces: v.optional(v.boolean()),
});

/** Stores a reply that no command can give again, for its Reveal buttons. Returns its key. */
export async function keepReply(
  app: Pick<App, 'store' | 'clock' | 'limits'>,
  reply: Reply,
  asker: ActionAsker | undefined,
): Promise<string> {
  const key = `slack-reply:${randomUUID()}`;
  const expiresAt = app.clock.now() + KEPT_FOR;
  await app.store.actions.put(key, JSON.stringify(reply), expiresAt, await ownerOf(app, asker));
  return key;
}

/** Undefined when the reply has expired, or was stored in a form that this version can't read. */
export async function keptReply(
  { store, clock }: Pick<App, 'store' | 'clock'>,
  key: string,
): Promise<Reply | undefined> {
  const text = await store.actions.get(key, clock.now());
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), StoredReply), text);
  return parsed.success ? parsed.output : undefined;
}
