import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { DAY } from '../../../core/clock.ts';
import type { App } from '../../../dispatch/contract.ts';
import { type ActionAsker, ownerOf } from '../../../reply/model/action.ts';
import type { Reply } from '../../../reply/model/types.ts';

/** As long as a Reveal button that needs the reply works. */
const KEPT = 30 * DAY;

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
  path: v.exactOptional(v.object({ words: v.array(v.array(v.number())) })),
  letters: v.exactOptional(v.boolean()),
  captioned: v.exactOptional(v.boolean()),
});
const Button = v.object({
  label: v.string(),
  action: Action,
  look: v.exactOptional(v.picklist(['primary', 'plain', 'danger'])),
});
const Block = v.variant('kind', [
  v.object({ kind: v.literal('text'), lines: v.array(Line) }),
  v.object({ kind: v.literal('facts'), facts: v.array(v.object({ label: v.string(), value: Inline })) }),
  v.object({
    kind: v.literal('picture'),
    picture: Picture,
    alt: v.string(),
    spoiler: v.exactOptional(v.boolean()),
  }),
  v.object({
    kind: v.literal('spoiler'),
    label: v.string(),
    hidden: v.array(Line),
    open: v.exactOptional(v.boolean()),
  }),
  v.object({
    kind: v.literal('menu'),
    label: v.string(),
    choices: v.array(
      v.object({ label: v.string(), description: v.exactOptional(v.string()), action: Action }),
    ),
  }),
  v.object({ kind: v.literal('buttons'), buttons: v.array(Button) }),
  v.object({ kind: v.literal('note'), line: Line }),
  v.object({ kind: v.literal('file'), name: v.string(), type: v.string(), content: v.string() }),
]);
const StoredReply = v.object({
  title: v.string(),
  blocks: v.array(Block),
  audience: v.picklist(['asker', 'everyone']),
  again: v.exactOptional(Action),
  replaces: v.exactOptional(v.boolean()),
});

/** Stores a reply that no command can give again, for its Reveal buttons. Returns its key. */
export async function keepReply(
  app: Pick<App, 'store' | 'clock' | 'limits'>,
  reply: Reply,
  asker: ActionAsker | undefined,
): Promise<string> {
  const key = `slack-reply:${randomUUID()}`;
  const expiresAt = app.clock.now() + KEPT;
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
