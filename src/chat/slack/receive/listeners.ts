import type {
  BlockAction,
  App as BoltApp,
  ButtonAction,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewSubmitAction,
} from '@slack/bolt';
import { modal, type Tools } from '../answer/answers.ts';
import { FORM, filledIn } from '../answer/forms.ts';
import { publishHome } from '../answer/home.ts';
import { type RequestHandlers, WORKING } from '../answer/request-handlers.ts';
import { parseReveal } from '../answer/reveal.ts';
import type { Workspaces } from '../install/workspaces.ts';
import { REPEAT, type UnconfirmedPosts } from '../post/unconfirmed-posts.ts';
import { type Conversation, parseMemo, type Reach, readMention, readTyped } from './conversation.ts';

export const COMMAND = '/letterboxed';

export interface ListenerParts extends Tools {
  readonly asking: RequestHandlers;
  readonly workspaces: Workspaces;
  readonly unsure: UnconfirmedPosts;
  /** For what goes on after the acknowledgement. */
  readonly later: (work: () => Promise<void>) => void;
}

interface Context {
  readonly teamId?: string;
  readonly botUserId?: string;
}

/** Translates what Slack sends: acknowledged first, answered after. */
export function listen(bolt: BoltApp, parts: ListenerParts): void {
  const { api, asking, workspaces, later } = parts;
  /** The bot's own conversations: a `D` channel alone may as well be one between two people. */
  const directs = new Set<string>();

  const heard = (
    context: Context,
    user: string,
    channel: string,
    thread: string | undefined,
    reach: Reach,
  ): Conversation => ({
    team: context.teamId ?? '',
    user,
    channel,
    ...(thread !== undefined && { thread }),
    direct: directs.has(channel),
    reach,
  });

  /** Slack may tell it again hours later, when the app is long back: then its token is good. */
  const gone = async (team: string) => {
    const token = await workspaces.token(team).catch(() => undefined);
    const isBack = await api.call(team, 'auth.test', {}).then(
      () => true,
      () => false,
    );
    if (!isBack) await workspaces.lost(team, token);
  };

  const knowDirect = (channel: string) => {
    directs.add(channel);
    if (directs.size > MOST_DIRECTS) directs.delete(directs.keys().next().value!);
  };

  bolt.command(
    COMMAND,
    async ({ command, ack, context }: SlackCommandMiddlewareArgs & { context: Context }) => {
      await ack();
      const reach: Reach = { kind: 'url', url: command.response_url, on: 'nothing' };
      const conversation = heard(context, command.user_id, command.channel_id, undefined, reach);
      later(() => asking.line(conversation, readTyped(command.text ?? ''), command.trigger_id));
    },
  );

  bolt.action<BlockAction>(/^(do|reveal):/, async ({ action, body, ack, context }) => {
    await ack();
    const conversation = pressedIn(body, (channel, thread, reach) =>
      heard(context, body.user.id, channel, thread, reach),
    );
    const { value = '', action_id: id } = action as ButtonAction;
    const reveal = id.startsWith('reveal:') ? parseReveal(value) : undefined;
    if (reveal !== undefined) later(() => asking.reveal(conversation, reveal));
    else later(() => asking.press(conversation, value, body.trigger_id));
  });

  bolt.action<BlockAction>(REPEAT, async ({ action, ack, context, respond }) => {
    await ack();
    const { value = '' } = action as ButtonAction;
    later(async () => {
      const text = await parts.unsure.repeat(context.teamId ?? '', value);
      await respond({ text, replace_original: true });
    });
  });

  bolt.view(
    FORM,
    async ({
      view,
      body,
      ack,
      context,
    }: SlackViewMiddlewareArgs<ViewSubmitAction> & { context: Context }) => {
      const memo = parseMemo(view.private_metadata);
      const reach: Reach =
        memo.url === undefined
          ? { kind: 'modal', view: view.id }
          : { kind: 'url', url: memo.url, on: memo.on ?? 'nothing' };
      const conversation = {
        ...heard(context, body.user.id, memo.channel, memo.thread, reach),
        direct: memo.direct,
      };
      if (reach.kind === 'url') await ack();
      else await ack({ response_action: 'update', view: modal(conversation, WORKING) as never });
      later(() => asking.submit(conversation, memo.packed ?? '', (action) => filledIn(action, view)));
    },
  );

  bolt.event(
    'app_mention',
    async ({ event, context }: SlackEventMiddlewareArgs<'app_mention'> & { context: Context }) => {
      const conversation = heard(context, event.user ?? '', event.channel, event.thread_ts, {
        kind: 'post',
        under: event.thread_ts ?? event.ts,
      });
      later(() => asking.line(conversation, readMention(event.text, context.botUserId ?? '')));
    },
  );

  bolt.event(
    'message',
    async ({ event, context }: SlackEventMiddlewareArgs<'message'> & { context: Context }) => {
      if (event.channel_type !== 'im' || event.subtype !== undefined || event.bot_id !== undefined) return;
      knowDirect(event.channel);
      const conversation = heard(context, event.user, event.channel, event.thread_ts, { kind: 'post' });
      later(() => asking.line(conversation, readMention(event.text ?? '', context.botUserId ?? '')));
    },
  );

  bolt.event(
    'app_home_opened',
    async ({ event, context }: SlackEventMiddlewareArgs<'app_home_opened'> & { context: Context }) => {
      knowDirect(event.channel);
      if (event.tab !== 'home') return;
      later(() => publishHome(parts, heard(context, event.user, event.channel, undefined, { kind: 'post' })));
    },
  );

  bolt.event('app_uninstalled', async ({ context }) => later(() => gone(context.teamId ?? '')));

  bolt.event(
    'tokens_revoked',
    async ({ event, context }: SlackEventMiddlewareArgs<'tokens_revoked'> & { context: Context }) => {
      if ((event.tokens.bot ?? []).length > 0) later(() => gone(context.teamId ?? ''));
    },
  );
}

const MOST_DIRECTS = 5000;

/** Where a button was pressed: on a message that all or only one can see, in a modal, on a home page. */
function pressedIn(
  body: BlockAction,
  heard: (channel: string, thread: string | undefined, reach: Reach) => Conversation,
): Conversation {
  const { container, view } = body;
  if (view !== undefined) {
    const memo = parseMemo(view.private_metadata);
    const isHome = view.type === 'home';
    const reach: Reach = isHome
      ? { kind: 'trigger', trigger: body.trigger_id }
      : { kind: 'modal', view: view.id };
    return { ...heard(memo.channel, memo.thread, reach), direct: memo.direct };
  }
  const channel = body.channel?.id ?? String(container.channel_id ?? '');
  // The first message of a thread stands in the channel, and so does what is said about it.
  const thread = container.thread_ts === container.message_ts ? undefined : container.thread_ts;
  const heardIn = (on: 'public' | 'private') =>
    heard(channel, thread, { kind: 'url', url: body.response_url, on });
  const conversation = heardIn(container.is_ephemeral ? 'private' : 'public');
  return conversation.direct ? heardIn('private') : conversation;
}
