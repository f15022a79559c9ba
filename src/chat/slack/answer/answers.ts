import type { Reply } from '../../../reply/model/types.ts';
import { isInvalidContent, readFailure, refusalOf } from '../api/errors.ts';
import { isSpent, respond, retrying } from '../api/slack-api.ts';
import { filesIn, type SendOptions, type SendTools, sendWithFallback } from '../post/send-with-fallback.ts';
import { actionAskerIn, type Conversation } from '../receive/conversation.ts';
import { escapeText, namesPeople } from '../render/mrkdwn.ts';
import type { Rendered } from '../render/render.ts';
import { answerModal } from './modals.ts';

export interface ShowOptions {
  /** Hidden blocks to show, only in a reply for the asker alone. */
  readonly open?: ReadonlySet<number>;
  /** Change the message whose button was pressed. */
  readonly inPlace?: boolean;
}

/** Codes of channels in which the bot can't post, or the person can't read. */
const UNREACHABLE = new Set(['user_not_in_channel', 'not_in_channel', 'channel_not_found', 'is_archived']);

/** Brings answers to where they were asked for. */
export class Answers {
  readonly #tools: SendTools;

  constructor(tools: SendTools) {
    this.#tools = tools;
  }

  async show(conversation: Conversation, reply: Reply, shown: ShowOptions = {}): Promise<void> {
    const { team, answerBy, thread, direct } = conversation;
    const asker = actionAskerIn(conversation);
    const hasFiles = reply.blocks.some(({ kind }) => kind === 'file');
    const surface = answerBy.kind === 'modal' || answerBy.kind === 'trigger' ? 'view' : 'message';
    const options: SendOptions = {
      surface,
      inThread: thread !== undefined || (answerBy.kind === 'post' && reply.audience === 'everyone'),
      files: hasFiles ? await this.#sendFiles(conversation, reply) : 'sent',
      ...(shown.open !== undefined && { open: shown.open }),
    };
    const isPublic =
      surface === 'message' && reply.audience === 'everyone' && !shown.inPlace && !reply.replaces;
    if (isPublic && !direct && namesPeople(reply)) return this.#showWithNames(conversation, reply, options);
    const outgoing = { team, reply, options, asker, byUrl: answerBy.kind === 'url' };
    await sendWithFallback(this.#tools, outgoing, (rendered) =>
      retrying(() => this.#send(conversation, reply, rendered, shown), this.#tools.sleep),
    );
  }

  /** Posts without names and then adds them; where the bot may not post, they are left out. */
  async #showWithNames(conversation: Conversation, reply: Reply, options: SendOptions): Promise<void> {
    const { team, channel } = conversation;
    const asker = actionAskerIn(conversation);
    const thread = publicThread(conversation);
    const unnamed = { team, reply, asker, options: { ...options, people: false } };
    const ts = await sendWithFallback(this.#tools, unnamed, async (rendered) => {
      try {
        const message = { channel, ...rendered, ...(thread !== undefined && { thread_ts: thread }) };
        return await retrying(() => this.#postPublicly(team, message), this.#tools.sleep);
      } catch (error) {
        if (!UNREACHABLE.has(refusalOf(error) ?? '')) throw error;
        await this.#send(conversation, reply, rendered, {});
        return undefined;
      }
    });
    if (ts === undefined) return;
    await sendWithFallback(this.#tools, { team, reply, options, asker }, (rendered) =>
      this.#tools.api.call(team, 'chat.update', { channel, ts, ...rendered }),
    );
  }

  async #send(
    conversation: Conversation,
    reply: Reply,
    rendered: Rendered,
    { inPlace = false }: Pick<ShowOptions, 'inPlace'>,
  ): Promise<void> {
    const { answerBy, team } = conversation;
    const { api } = this.#tools;
    const isPrivate = reply.audience === 'asker';
    switch (answerBy.kind) {
      case 'modal': {
        const view = answerModal(conversation, rendered);
        await api.call(team, 'views.update', { view_id: answerBy.view, view });
        return;
      }
      case 'trigger': {
        const view = answerModal(conversation, rendered);
        await api.openView(team, answerBy.trigger, view);
        return;
      }
      case 'post':
        return this.#post(conversation, rendered, isPrivate);
      case 'url': {
        // A private answer must never replace a message that everybody can see.
        const replaces =
          (inPlace || reply.replaces === true) &&
          (answerBy.on === 'private' || (answerBy.on === 'public' && !isPrivate));
        try {
          await respond(answerBy.url, {
            ...rendered,
            response_type: isPrivate && !conversation.direct ? 'ephemeral' : 'in_channel',
            replace_original: replaces,
            ...(conversation.thread !== undefined && { thread_ts: conversation.thread }),
          });
        } catch (error) {
          if (isSpent(error)) return this.#post(conversation, rendered, isPrivate);
          if (!isInvalidContent(error) || replaces || filesIn(rendered).length === 0) throw error;
          await this.#postFiles(conversation, rendered, isPrivate, error);
        }
      }
    }
  }

  async #post(conversation: Conversation, rendered: Rendered, isPrivate: boolean): Promise<void> {
    const { team, channel, user, direct } = conversation;
    const { api } = this.#tools;
    const thread = direct || isPrivate ? conversation.thread : publicThread(conversation);
    const message = { channel, ...rendered, ...(thread !== undefined && { thread_ts: thread }) };
    if (direct || !isPrivate) {
      await this.#postPublicly(team, message);
      return;
    }
    try {
      await api.call(team, 'chat.postEphemeral', { ...message, user });
    } catch (error) {
      if (!UNREACHABLE.has(refusalOf(error) ?? '')) throw error;
      await api.call(team, 'chat.postMessage', { ...rendered, channel: user });
    }
  }

  /** Posts pictures as the bot, which owns their files, where the bot can; otherwise the refusal stands. */
  async #postFiles(
    { team, channel, user, thread, direct }: Conversation,
    rendered: Rendered,
    isPrivate: boolean,
    refusal: unknown,
  ): Promise<void> {
    const message = { channel, ...rendered, ...(thread !== undefined && { thread_ts: thread }) };
    try {
      if (isPrivate && !direct) await this.#tools.api.call(team, 'chat.postEphemeral', { ...message, user });
      else await this.#postPublicly(team, message);
    } catch (error) {
      throw UNREACHABLE.has(refusalOf(error) ?? '') ? refusal : error;
    }
  }

  /** Returns the message's timestamp. */
  async #postPublicly(team: string, message: object): Promise<string> {
    const args = { ...message, unfurl_links: false, unfurl_media: false };
    return String((await this.#tools.api.call(team, 'chat.postMessage', args)).ts);
  }

  /** Into the bot's own conversation with the asker. A first message there opens it. */
  async #sendFiles({ team, user }: Conversation, reply: Reply): Promise<'sent' | 'inline'> {
    const { api, app } = this.#tools;
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
}

/** The thread for an answer that everybody can see. */
function publicThread({ thread, answerBy }: Conversation): string | undefined {
  return thread ?? (answerBy.kind === 'post' ? answerBy.under : undefined);
}
