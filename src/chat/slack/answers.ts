import type { Reply } from '../../reply/model/types.ts';
import { isSpent, respond, retrying } from './api.ts';
import { isInvalidContent, readFailure, refusalOf } from './errors.ts';
import { answerModal } from './modals.ts';
import { escapeText, namesPeople } from './mrkdwn.ts';
import { actionAskerIn, type Origin } from './origin.ts';
import type { Rendered } from './render.ts';
import { filesIn, type SendOptions, type SendTools, sendWithFallback } from './send.ts';

export interface ShowOptions {
  /** Hidden blocks to show, only in a reply for the asker alone. */
  readonly open?: ReadonlySet<number>;
  /** Change the message whose button was pressed. */
  readonly inPlace?: boolean;
}

/** Brings an answer to where it was asked for. */
export async function showAnswer(
  tools: SendTools,
  origin: Origin,
  reply: Reply,
  { open, inPlace = false }: ShowOptions = {},
): Promise<void> {
  const { team, answerBy, thread, direct } = origin;
  const asker = actionAskerIn(origin);
  const surface = answerBy.kind === 'modal' || answerBy.kind === 'trigger' ? 'view' : 'message';
  const isPublic = reply.audience === 'everyone';
  const hasFiles = reply.blocks.some(({ kind }) => kind === 'file');
  const options: SendOptions = {
    surface,
    inThread: thread !== undefined || (answerBy.kind === 'post' && isPublic),
    files: hasFiles ? await sendFiles(tools, origin, reply) : 'sent',
    open,
  };
  const isNew = surface === 'message' && !inPlace && !reply.replaces;
  if (isPublic && isNew && !direct && namesPeople(reply)) return showWithNames(tools, origin, reply, options);
  const outgoing = { team, reply, options, asker, byUrl: answerBy.kind === 'url' };
  await sendWithFallback(tools, outgoing, (rendered) =>
    retrying(() => send(tools, origin, reply, rendered, inPlace), tools.sleep),
  );
}

/** Posts without names and then adds them; where the bot may not post, they are left out. */
async function showWithNames(
  tools: SendTools,
  origin: Origin,
  reply: Reply,
  options: SendOptions,
): Promise<void> {
  const { team, channel } = origin;
  const asker = actionAskerIn(origin);
  const unnamed = { team, reply, asker, options: { ...options, people: false } };
  const ts = await sendWithFallback(tools, unnamed, async (rendered) => {
    try {
      return await retrying(() => postAsBot(tools, origin, rendered, false), tools.sleep);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      await send(tools, origin, reply, rendered);
      return undefined;
    }
  });
  if (ts === undefined) return;
  await sendWithFallback(tools, { team, reply, options, asker }, (rendered) =>
    tools.api.call(team, 'chat.update', { channel, ts, ...rendered }),
  );
}

async function send(
  tools: SendTools,
  origin: Origin,
  reply: Reply,
  rendered: Rendered,
  inPlace = false,
): Promise<void> {
  const { answerBy, team, thread, direct } = origin;
  const { api } = tools;
  const isPrivate = reply.audience === 'asker';
  switch (answerBy.kind) {
    case 'modal':
      await api.call(team, 'views.update', { view_id: answerBy.view, view: answerModal(origin, rendered) });
      return;
    case 'trigger':
      await api.openView(team, answerBy.trigger, answerModal(origin, rendered));
      return;
    case 'post':
      return post(tools, origin, rendered, isPrivate);
    case 'url': {
      // A private answer must never replace a message that everybody can see.
      const replaces =
        (inPlace || reply.replaces === true) &&
        (answerBy.on === 'private' || (answerBy.on === 'public' && !isPrivate));
      try {
        await respond(answerBy.url, {
          ...rendered,
          response_type: isPrivate && !direct ? 'ephemeral' : 'in_channel',
          replace_original: replaces,
          thread_ts: thread,
        });
      } catch (error) {
        if (isSpent(error)) return post(tools, origin, rendered, isPrivate);
        if (!isInvalidContent(error) || replaces || filesIn(rendered).length === 0) throw error;
        // As the bot, which owns the files, where it can post; otherwise the refusal stands.
        await postAsBot(tools, origin, rendered, isPrivate).catch((again: unknown) => {
          throw isUnreachable(again) ? error : again;
        });
      }
    }
  }
}

/** A private answer that the channel does not take goes to the person alone. */
async function post(tools: SendTools, origin: Origin, rendered: Rendered, isPrivate: boolean): Promise<void> {
  const { team, user, direct } = origin;
  try {
    await postAsBot(tools, origin, rendered, isPrivate);
  } catch (error) {
    if (direct || !isPrivate || !isUnreachable(error)) throw error;
    await tools.api.call(team, 'chat.postMessage', { ...rendered, channel: user });
  }
}

/** Returns the message's timestamp. */
async function postAsBot(
  { api }: SendTools,
  { team, channel, user, thread, direct, answerBy }: Origin,
  rendered: Rendered,
  isPrivate: boolean,
): Promise<string> {
  const message = { channel, ...rendered, thread_ts: thread };
  if (isPrivate && !direct)
    return String((await api.call(team, 'chat.postEphemeral', { ...message, user })).ts);
  const under = direct || answerBy.kind !== 'post' ? undefined : answerBy.under;
  const { ts } = await api.call(team, 'chat.postMessage', {
    ...message,
    thread_ts: thread ?? under,
    unfurl_links: false,
    unfurl_media: false,
  });
  return String(ts);
}

/** Into the bot's own conversation with the asker. A first message there opens it. */
async function sendFiles(
  { api, app }: SendTools,
  { team, user }: Origin,
  reply: Reply,
): Promise<'sent' | 'inline'> {
  try {
    const text = escapeText(reply.title);
    const { channel } = await api.call(team, 'chat.postMessage', { channel: user, text });
    for (const block of reply.blocks) {
      if (block.kind !== 'file') continue;
      const content = Buffer.from(block.content);
      await api.upload(team, { name: block.name, content, channel: String(channel) });
    }
    return 'sent';
  } catch (error) {
    app.log.warn({ door: 'slack', team, failure: readFailure(error) }, 'a file could not be sent');
    return 'inline';
  }
}

/** Codes of channels in which the bot can't post, or the person can't read. */
const UNREACHABLE = new Set(['user_not_in_channel', 'not_in_channel', 'channel_not_found', 'is_archived']);

function isUnreachable(error: unknown): boolean {
  return UNREACHABLE.has(refusalOf(error) ?? '');
}
