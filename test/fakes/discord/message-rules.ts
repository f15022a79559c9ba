/** developers/resources/message.mdx: what a message may be made of. */
import * as v from 'valibot';
import { messageComponents } from './components.ts';
import { FLAG, type Message, type Upload } from './message.ts';
import { Refusal } from './refusal.ts';
import { asList, asWire, bits, flag, hold, invalid, list, snowflake, text, whole } from './rules.ts';

const MAX_REQUEST = 25 * 2 ** 20;
const MAX_FILE = 10 * 2 ** 20;

const mentions = v.pipe(
  v.strictObject({
    parse: v.optional(list(v.picklist(['roles', 'users', 'everyone']), 0, 3)),
    roles: v.optional(list(snowflake, 0, 100)),
    users: v.optional(list(snowflake, 0, 100)),
  }),
  v.check(
    ({ parse = [], users = [], roles = [] }) =>
      !(parse.includes('users') && users.length > 0) && !(parse.includes('roles') && roles.length > 0),
    'A kind of mention is in parse and as a list.',
  ),
);
const attachment = v.strictObject({
  id: v.union([v.number(), text(1, 20, /^\d+$/)]),
  filename: v.optional(text(1, 1024)),
  description: v.nullish(text(0, 1024)),
  is_spoiler: flag,
});

export type Purpose = 'create' | 'forum' | 'edit' | 'answer' | 'follow-up' | 'edit-answer';

const { suppressNotifications, componentsV2, ephemeral } = FLAG;
/**
 * The documentation's text allows a forum post only the two suppressing flags, but the same page lists
 * components for it and the OpenAPI description takes containers there, which need IS_COMPONENTS_V2.
 */
const FLAGS: Readonly<Record<Purpose, number>> = {
  create: suppressNotifications | componentsV2,
  forum: suppressNotifications | componentsV2,
  edit: componentsV2,
  answer: ephemeral | componentsV2 | suppressNotifications,
  'follow-up': ephemeral | componentsV2 | suppressNotifications,
  'edit-answer': componentsV2,
};

/** Every field of a message that the bot sends. */
const message = (purpose: Purpose) =>
  v.strictObject({
    content: v.nullish(text(0, 2000)),
    allowed_mentions: v.nullish(mentions),
    components: v.nullish(list(v.unknown(), 0, 40)),
    attachments: v.nullish(list(attachment, 0, 10)),
    flags: v.nullish(bits(FLAGS[purpose])),
    ...((purpose === 'create' && {
      nonce: v.nullish(v.union([v.pipe(v.number(), v.integer()), text(0, 25)])),
      enforce_nonce: flag,
    }) as v.ObjectEntries),
  });

/** Checks a message's body with its files; `before` is the message being edited. */
export function checkMessage(
  body: unknown,
  uploads: readonly Upload[],
  purpose: Purpose,
  before?: Message,
): void {
  hold(body, message(purpose));
  checkSizes(body, uploads);
  const { flags, attachments, content, components } = asWire(body);
  const v2 = ((Number(flags ?? 0) | (before?.flags ?? 0)) & componentsV2) !== 0;
  const old = before?.attachments ?? [];
  const kept = asList(attachments).map((one) => String(asWire(one).id));
  const known = new Set([...uploads.map(({ index }) => String(index)), ...old.map(({ id }) => id)]);
  const stray = kept.findIndex((id) => !known.has(id));
  if (stray >= 0) throw invalid([`There is no files[${kept[stray]}].`, ['attachments', stray]]);
  if (v2 && content) throw invalid(['Not with IS_COMPONENTS_V2.', ['content']]);
  if (!v2 && asList(components).length > 0)
    throw invalid(['The bot sends no components without IS_COMPONENTS_V2.', ['components']]);
  if (v2 && components != null) {
    const shown = old.filter(({ id }) => attachments === undefined || kept.includes(id));
    const names = new Set([...uploads, ...shown].map(({ filename }) => filename));
    hold(body, v.looseObject({ components: messageComponents(names) }));
  }
  const isEmpty = !content && asList(components).length === 0;
  const isEdit = purpose === 'edit' || purpose === 'edit-answer';
  if (!isEdit && isEmpty && (uploads.length === 0 || v2)) throw new Refusal(50006);
}

function checkSizes(body: unknown, uploads: readonly Upload[]): void {
  let sum = Buffer.byteLength(JSON.stringify(body));
  for (const { content } of uploads) {
    if (content.length > MAX_FILE) throw new Refusal(50045, undefined, 413);
    sum += content.length;
  }
  if (sum > MAX_REQUEST) throw new Refusal(40005);
  hold(uploads.length, whole(0, 10));
}
