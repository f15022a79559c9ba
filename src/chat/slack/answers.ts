import { randomUUID } from 'node:crypto';
import { webApi } from '@slack/bolt';
import type { App, Dispatcher } from '../../../commands/types.ts';
import { plainText as readAloud } from '../../reply/markup.ts';
import type { Reply } from '../../reply/types.ts';
import type { SlackApi } from './api.ts';
import { type Conversation, makeMemo } from './conversation.ts';
import { readFailure, refusalOf } from './failure.ts';
import { type Fitting, sendFitting } from './fitting.ts';
import { LIMITS, plainText, shorten } from './limits.ts';
import { escapeText } from './mrkdwn.ts';
import { type Painter, type Rendered, type RenderOptions, renderReply, section } from './render.ts';
import type { Uploads } from './uploads.ts';

export interface Tools {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  readonly api: SlackApi;
  readonly uploads: Uploads;
}

export interface Shown {
  /** Spoilers to show open, which makes the answer one for the asker alone. */
  readonly open?: ReadonlySet<number>;
  /** Change the message that was pressed. */
  readonly inPlace?: boolean;
}

export const MENTION = '@letterboxed';
const TITLE = 'Letter Boxed';
const KEPT = 30 * 24 * 60 * 60_000;

/** A reply in all the forms `sendFitting` may ask for. */
export function fittingOf(
  { app, dispatcher, uploads }: Tools,
  team: string,
  reply: Reply,
  options: Omit<RenderOptions, 'mention' | 'pictures'>,
): Fitting {
  const painter: Painter = {
    pack: (action) => dispatcher.packAction(action),
    picture: (picture, alt) => uploads.fileOf(team, picture, alt),
    async keep(kept) {
      const key = `slack-reply:${randomUUID()}`;
      await app.store.actions.put(key, JSON.stringify(kept), app.clock.now() + KEPT);
      return key;
    },
  };
  return {
    render: (pictures) => renderReply(reply, { ...options, mention: MENTION, pictures }, painter),
    bare: () => bareText(reply),
    async forget(files) {
      for (const file of files) await uploads.forget(team, file);
    },
  };
}

function bareText(reply: Reply): Rendered {
  const blocks = reply.blocks.filter(({ kind }) => kind !== 'buttons' && kind !== 'file');
  const text = readAloud({ title: reply.title, blocks }, { pictures: 'alt' });
  const shown = escapeText(shorten(text, LIMITS.sectionText / 5));
  return { text: shown, blocks: [section(shown)] };
}

/** Brings answers to where they were asked for. */
export interface Answers {
  show(conversation: Conversation, reply: Reply, shown?: Shown): Promise<void>;
}

export function makeAnswers(tools: Tools): Answers {
  const { api, app } = tools;

  async function show(conversation: Conversation, reply: Reply, shown: Shown = {}): Promise<void> {
    const { team, reach, thread } = conversation;
    const files = reply.blocks.some(({ kind }) => kind === 'file')
      ? await sendFiles(conversation, reply)
      : 'sent';
    const surface = reach.kind === 'modal' || reach.kind === 'trigger' ? 'view' : 'message';
    const inThread = thread !== undefined || (reach.kind === 'post' && !conversation.direct);
    const fitting = fittingOf(tools, team, reply, {
      surface,
      inThread,
      files,
      ...(shown.open !== undefined && { open: shown.open }),
    });
    await sendFitting(fitting, (rendered) => send(conversation, reply, rendered, shown));
  }

  async function send(
    conversation: Conversation,
    reply: Reply,
    rendered: Rendered,
    { open, inPlace = false }: Shown,
  ): Promise<void> {
    const { reach, team } = conversation;
    const isPrivate = reply.audience === 'asker' || (open?.size ?? 0) > 0;
    switch (reach.kind) {
      case 'modal':
        await api.call(team, 'views.update', { view_id: reach.view, view: modal(conversation, rendered) });
        return;
      case 'trigger':
        await api.call(team, 'views.open', {
          trigger_id: reach.trigger,
          view: modal(conversation, rendered),
        });
        return;
      case 'post':
        return post(conversation, rendered, isPrivate);
      case 'url': {
        // A message that all can see never takes in what only one may.
        const replaces =
          (inPlace || reply.replaces === true) &&
          (reach.on === 'private' || (reach.on === 'public' && !isPrivate));
        try {
          await respond(reach.url, {
            ...rendered,
            response_type: isPrivate && !conversation.direct ? 'ephemeral' : 'in_channel',
            replace_original: replaces,
            ...(conversation.thread !== undefined && { thread_ts: conversation.thread }),
          });
        } catch (error) {
          if (!SPENT.has(refusalOf(error) ?? '')) throw error;
          await post(conversation, rendered, isPrivate);
        }
      }
    }
  }

  async function post(conversation: Conversation, rendered: Rendered, isPrivate: boolean): Promise<void> {
    const { team, channel, user, direct, thread } = conversation;
    const message = { channel, ...rendered, ...(thread !== undefined && { thread_ts: thread }) };
    if (direct || !isPrivate) {
      await api.call(team, 'chat.postMessage', { ...message, unfurl_links: false, unfurl_media: false });
      return;
    }
    try {
      await api.call(team, 'chat.postEphemeral', { ...message, user });
    } catch (error) {
      if (!UNREACHABLE.has(refusalOf(error) ?? '')) throw error;
      await api.call(team, 'chat.postMessage', { ...rendered, channel: user });
    }
  }

  /** Into the bot's own conversation with the asker, which a first message there opens. */
  async function sendFiles({ team, user }: Conversation, reply: Reply): Promise<'sent' | 'inline'> {
    try {
      const { channel } = await api.call(team, 'chat.postMessage', {
        channel: user,
        text: escapeText(reply.title),
      });
      for (const block of reply.blocks) {
        if (block.kind !== 'file') continue;
        await api.upload(team, {
          name: block.name,
          content: Buffer.from(block.content),
          channel: String(channel),
        });
      }
      return 'sent';
    } catch (error) {
      app.log.warn({ door: 'slack', team, failure: readFailure(error) }, 'a file could not be sent');
      return 'inline';
    }
  }

  return { show };
}

/** Of response URLs past their five answers or thirty minutes. */
const SPENT = new Set(['used_url', 'expired_url', 'invalid_url']);
const UNREACHABLE = new Set(['user_not_in_channel', 'not_in_channel', 'channel_not_found', 'is_archived']);

export function modal(conversation: Conversation, { blocks }: Pick<Rendered, 'blocks'>) {
  return {
    type: 'modal',
    title: plainText(TITLE, LIMITS.modalTitle),
    close: plainText('Close', LIMITS.modalButton),
    private_metadata: makeMemo(conversation),
    blocks,
  };
}

/** Answers at a response URL. Slack refuses with a status there, or with an answer that says so. */
async function respond(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  if (response.ok && !text.startsWith('{')) return;
  const { ok, error } = readAnswer(text);
  if (response.ok && ok) return;
  if (response.status === 429) {
    throw new webApi.WebAPIRateLimitedError(Number(response.headers.get('retry-after') ?? 1));
  }
  if (response.status >= 500) throw new webApi.WebAPIHTTPError(response.status, response.statusText, {});
  throw new webApi.WebAPIPlatformError({ ok: false, error: error ?? 'expired_url' });
}

function readAnswer(text: string): { ok?: boolean; error?: string } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
