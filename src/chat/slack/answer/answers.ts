import { randomUUID } from 'node:crypto';
import type { App, Dispatcher } from '../../../dispatch/contract.ts';
import { plainText as readAloud } from '../../../reply/model/text.ts';
import type { Reply } from '../../../reply/model/types.ts';
import type { SlackApi } from '../post/api.ts';
import { readFailure, refusalOf } from '../post/errors.ts';
import type { Uploads } from '../post/uploads.ts';
import { type Conversation, makeMemo } from '../receive/conversation.ts';
import { LIMITS, plainText, shorten } from '../render/limits.ts';
import { escapeText } from '../render/mrkdwn.ts';
import { namesPeople, SOMEBODY } from '../render/names.ts';
import {
  type PictureSource,
  type Rendered,
  type RenderOptions,
  renderReply,
  section,
} from '../render/render.ts';
import { isSpent, respond } from './response-url.ts';
import { type Fitting, sendWithFallback } from './send-with-fallback.ts';

export interface Tools {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  readonly api: SlackApi;
  readonly uploads: Uploads;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

export interface Shown {
  /** Spoilers to show open, which makes the answer one for the asker alone. */
  readonly open?: ReadonlySet<number>;
  /** Change the message that was pressed. */
  readonly inPlace?: boolean;
}

export const MENTION = '@letterboxed';
const TITLE = 'Letter Boxed';
const MOST_TRIES = 4;
const UNSENT_PAUSE = 500;
/** Whoever asked has given up by then. */
const LONGEST_PAUSE = 20_000;
const KEPT = 30 * 24 * 60 * 60_000;

type Options = Omit<RenderOptions, 'mention' | 'pictures'>;

/** A reply in all the forms `sendFitting` may ask for. */
export function fittingOf(
  { app, dispatcher, uploads, sleep }: Tools,
  team: string,
  reply: Reply,
  options: Options,
): Fitting {
  const painter: PictureSource = {
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
    sleep,
    async forget(files) {
      for (const file of files) await uploads.forget(team, file);
    },
  };
}

function bareText(reply: Reply): Rendered {
  const blocks = reply.blocks.filter(({ kind }) => kind !== 'buttons' && kind !== 'file');
  const text = readAloud({ title: reply.title, blocks }, { pictures: 'alt', person: () => SOMEBODY });
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
    const inThread = thread !== undefined || (reach.kind === 'post' && reply.audience === 'everyone');
    const options = {
      surface,
      inThread,
      files,
      ...(shown.open !== undefined && { open: shown.open }),
    } as const;
    const isPublic =
      surface === 'message' && reply.audience === 'everyone' && !shown.inPlace && !reply.replaces;
    if (isPublic && !conversation.direct && namesPeople(reply))
      return showNaming(conversation, reply, options);
    const fitting = fittingOf(tools, team, reply, options);
    await sendWithFallback(fitting, (rendered) =>
      patiently(() => send(conversation, reply, rendered, shown)),
    );
  }

  /** Posted without names and then changed; where the bot may not post, they are left out. */
  async function showNaming(conversation: Conversation, reply: Reply, options: Options): Promise<void> {
    const { team, channel } = conversation;
    const thread = threadFor(conversation);
    const unnamed = fittingOf(tools, team, reply, { ...options, people: false });
    const ts = await sendWithFallback(unnamed, async (rendered) => {
      try {
        const message = { channel, ...rendered, ...(thread !== undefined && { thread_ts: thread }) };
        return await patiently(() => postToAll(team, message));
      } catch (error) {
        if (!UNREACHABLE.has(refusalOf(error) ?? '')) throw error;
        await send(conversation, reply, rendered, {});
        return undefined;
      }
    });
    if (ts === undefined) return;
    const named = fittingOf(tools, team, reply, options);
    await sendWithFallback(named, (rendered) => api.call(team, 'chat.update', { channel, ts, ...rendered }));
  }

  async function postToAll(team: string, message: object): Promise<string> {
    const args = { ...message, unfurl_links: false, unfurl_media: false };
    return String((await api.call(team, 'chat.postMessage', args)).ts);
  }

  /** Of answers, only what surely was not sent is sent again. */
  async function patiently<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      try {
        return await act();
      } catch (error) {
        const failure = readFailure(error);
        const pause =
          failure.kind === 'limited'
            ? failure.retryAfter
            : failure.kind === 'unsent'
              ? UNSENT_PAUSE
              : LONGEST_PAUSE + 1;
        if (tries >= MOST_TRIES || pause > LONGEST_PAUSE) throw error;
        await tools.sleep(pause);
      }
    }
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
          if (!isSpent(error)) throw error;
          await post(conversation, rendered, isPrivate);
        }
      }
    }
  }

  async function post(conversation: Conversation, rendered: Rendered, isPrivate: boolean): Promise<void> {
    const { team, channel, user, direct, thread } = conversation;
    const at = direct || isPrivate ? thread : threadFor(conversation);
    const message = { channel, ...rendered, ...(at !== undefined && { thread_ts: at }) };
    if (direct || !isPrivate) {
      await postToAll(team, message);
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

/** Where an answer that all can see belongs. */
function threadFor({ thread, reach }: Conversation): string | undefined {
  return thread ?? (reach.kind === 'post' ? reach.under : undefined);
}

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
