/** developers/resources/message.mdx: what a message may be made of. */
import { legacyComponents, messageComponents } from './components.ts';
import { FLAG, type Message, type Upload } from './message.ts';
import { Refusal } from './refusal.ts';
import {
  all,
  asList,
  asWire,
  bits,
  type Field,
  flag,
  hold,
  list,
  may,
  must,
  nullable,
  oneOf,
  type Rule,
  shape,
  snowflake,
  text,
  whole,
} from './rules.ts';

const MAX_REQUEST = 25 * 2 ** 20;
const MAX_FILE = 10 * 2 ** 20;

const allowedMentions = all(
  shape({
    parse: may(list(oneOf('roles', 'users', 'everyone'), 0, 3)),
    roles: may(list(snowflake, 0, 100)),
    users: may(list(snowflake, 0, 100)),
    replied_user: may(flag),
  }),
  (value, at) => {
    const { parse, users, roles } = asWire(value);
    for (const [kind, ids] of Object.entries({ users, roles })) {
      if (asList(parse).includes(kind) && asList(ids).length > 0) {
        at.wrong('MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE', `${kind} stands in parse and as a list.`);
      }
    }
  },
);

const attachmentId: Rule = (value, at) => {
  if (typeof value !== 'number') snowflakeOrIndex(value, at);
};
const snowflakeOrIndex = text(1, 20, /^\d+$/);
const attachment = shape({
  id: must(attachmentId),
  filename: may(text(1, 1024)),
  title: may(text(0, 1024)),
  description: may(nullable(text(0, 1024))),
  is_spoiler: may(flag),
  duration_secs: may(whole(0, 2 ** 31 - 1)),
  waveform: may(text(0, 400)),
});

const nonce: Rule = (value, at) => {
  if (!Number.isInteger(value)) text(0, 25)(value, at);
};

const common: Readonly<Record<string, Field>> = {
  content: may(nullable(text(0, 2000))),
  embeds: may(nullable(list(shapeOfEmbed, 0, 10))),
  allowed_mentions: may(nullable(allowedMentions)),
  components: may(nullable(list(() => undefined, 0, 40))),
  attachments: may(nullable(list(attachment, 0, 10))),
};

/** The bot sends no embeds; the fake checks their sizes only. */
function shapeOfEmbed(value: unknown, at: Parameters<Rule>[1]): void {
  const { title, description } = asWire(value);
  if (title !== undefined) text(0, 256)(title, at.in('title'));
  if (description !== undefined) text(0, 4096)(description, at.in('description'));
}

export type Purpose = 'create' | 'forum' | 'edit' | 'answer' | 'follow-up' | 'edit-answer';

const { suppressEmbeds, suppressNotifications, voice, componentsV2, ephemeral } = FLAG;
/**
 * The documentation's text allows a forum post only the two suppressing flags, but the same page lists
 * components for it and the OpenAPI description takes containers there, which need IS_COMPONENTS_V2.
 */
const FLAGS: Readonly<Record<Purpose, number>> = {
  create: suppressEmbeds | suppressNotifications | voice | componentsV2,
  forum: suppressEmbeds | suppressNotifications | componentsV2,
  edit: suppressEmbeds | componentsV2,
  answer: suppressEmbeds | ephemeral | componentsV2 | voice | suppressNotifications,
  'follow-up': suppressEmbeds | ephemeral | componentsV2 | voice | suppressNotifications,
  'edit-answer': suppressEmbeds | componentsV2,
};
const sending = { tts: may(flag), poll: may(nullable(() => undefined)) };
const MORE: Readonly<Record<Purpose, Readonly<Record<string, Field>>>> = {
  create: {
    ...sending,
    nonce: may(nullable(nonce)),
    enforce_nonce: may(flag),
    message_reference: may(
      shape({
        type: may(whole(0, 1)),
        message_id: must(snowflake),
        channel_id: may(snowflake),
        guild_id: may(snowflake),
        fail_if_not_exists: may(flag),
      }),
    ),
    sticker_ids: may(nullable(list(snowflake, 0, 3))),
  },
  forum: { sticker_ids: may(nullable(list(snowflake, 0, 3))) },
  edit: {},
  answer: sending,
  'follow-up': sending,
  'edit-answer': { poll: sending.poll },
};

/** Checks a message's body with its files; `before` is the message being edited. */
export function checkMessage(
  body: unknown,
  uploads: readonly Upload[],
  purpose: Purpose,
  before?: Message,
): void {
  const editing = purpose === 'edit' || purpose === 'edit-answer';
  hold(body, shape({ ...common, ...MORE[purpose], flags: may(nullable(bits(FLAGS[purpose]))) }));
  checkSizes(body, uploads);
  const wire = asWire(body);
  const flags = ((wire.flags as number | null | undefined) ?? 0) | (before?.flags ?? 0);
  const v2 = (flags & componentsV2) !== 0;
  const kept = asList(wire.attachments).map((one) => String(asWire(one).id));
  const filenames = new Set(uploads.map((one) => one.filename));
  for (const old of before?.attachments ?? []) {
    if (wire.attachments === undefined || kept.includes(old.id)) filenames.add(old.filename);
  }
  const uploaded = new Set(uploads.map((one) => String(one.index)));
  hold(body, (_, at) => {
    for (const [index, id] of kept.entries()) {
      const known = uploaded.has(id) || before?.attachments.some((old) => old.id === id);
      if (!known) at.in('attachments').in(index).wrong('ATTACHMENT_NOT_FOUND', `There is no files[${id}].`);
    }
    const { components } = wire;
    const at2 = at.in('components');
    if (v2) {
      for (const key of ['content', 'embeds', 'sticker_ids', 'poll']) {
        const value = wire[key];
        const empty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
        if (!empty) {
          at.in(key).wrong(
            'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
            'Not with IS_COMPONENTS_V2.',
          );
        }
      }
      if (components !== undefined && components !== null) messageComponents(filenames)(components, at2);
    } else if (components !== undefined && components !== null) legacyComponents(components, at2);
  });
  const something = [wire.content, wire.embeds, wire.sticker_ids, wire.components, wire.poll];
  const empty = something.every((one) => !one || (Array.isArray(one) && one.length === 0));
  if (!editing && empty && (uploads.length === 0 || v2)) throw new Refusal(50006);
}

function checkSizes(body: unknown, uploads: readonly Upload[]): void {
  let sum = Buffer.byteLength(JSON.stringify(body));
  for (const upload of uploads) {
    if (upload.content.length > MAX_FILE) throw new Refusal(50045, undefined, 413);
    sum += upload.content.length;
  }
  if (sum > MAX_REQUEST) throw new Refusal(40005);
  if (uploads.length > 10)
    hold(
      uploads,
      list(() => undefined, 0, 10),
    );
}
