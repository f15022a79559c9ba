import type { LRUCache } from 'lru-cache';
import { shorten } from '../../core/text.ts';
import type { App, Dispatcher } from '../../dispatch/contract.ts';
import { type AskerRef, packAction } from '../../reply/model/action.ts';
import { peopleIn, plainText } from '../../reply/model/text.ts';
import type { Reply } from '../../reply/model/types.ts';
import type { Conversation, NameCache } from '../conversation.ts';
import type { SeenOnce } from '../door.ts';
import { respond, retrying, type SlackApi, type Workspaces } from './api.ts';
import {
  beforeSending,
  isInvalidContent,
  postFailure,
  readFailure,
  refusalOf,
  SPENT_URL_CODES,
} from './errors.ts';
import { askerOf, type Origin, tenantOf } from './events.ts';
import { escapeText, LIMITS, UNKNOWN_PERSON } from './mrkdwn.ts';
import type { DirectChannels, People } from './people.ts';
import {
  answerModal,
  mention,
  type Rendered,
  type RenderOptions,
  type RenderServices,
  renderReply,
  section,
  storeHidden,
} from './render.ts';
import type { UploadedFile, Uploads } from './uploads.ts';

/** What the door's parts share. */
export interface SlackTools {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  readonly api: SlackApi;
  readonly workspaces: Workspaces;
  readonly seen: SeenOnce;
  readonly directChannels: DirectChannels;
  readonly conversation: Conversation;
  readonly people: People;
  /** The names that `people` has looked up. */
  readonly names: NameCache;
  readonly uploads: Uploads;
  /** Slack's hosts for files. */
  readonly pictureOrigins: readonly string[];
  /**
   * Where folded blocks were refused: the id of a workspace for its messages, `ID view` for its views. Slack does not say on which
   * surfaces they work, and may not have them everywhere.
   */
  readonly refusesFolding: LRUCache<string, true>;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** A submitted view is acknowledged within this many milliseconds. */
  readonly submitTimeout: number;
}

export interface Outgoing {
  readonly team: string;
  readonly reply: Reply;
  readonly options: Omit<RenderOptions, 'isPlain' | 'names' | 'foldsTexts'>;
  /** Who asked for it; nobody for what the bot posts by itself. */
  readonly asker?: AskerRef;
  /**
   * Sent through a response URL, where Slack may refuse a file that it accepts in the bot's own messages: such a refusal does
   * not mean that the file is gone.
   */
  readonly byUrl?: boolean;
}

/** Slack can't show a file until some seconds after its upload. Milliseconds before each attempt. */
export const FILE_PAUSES = [0, 700, 1_300, 2_000, 4_000, 7_000];
/** Attempts while somebody waits for the answer. */
const MAX_INTERACTIVE_ATTEMPTS = 4;

/**
 * Sends a reply in the best form that Slack accepts: with its pictures and tables, with drawings and lines in their place,
 * or as plain text. Only a message that Slack refused for its content is sent in another form, so nothing is sent twice.
 */
export async function sendWithFallback<Answer>(
  tools: SlackTools,
  outgoing: Outgoing,
  sendRendered: (rendered: Rendered) => Promise<Answer>,
): Promise<Answer> {
  const { app, uploads, sleep } = tools;
  const { team, reply, options: given, asker, byUrl = false } = outgoing;
  const files: UploadedFile[] = [];
  const services: RenderServices = {
    pack: (action) => packAction(action, app, asker),
    async picture(picture) {
      const file = await uploads.fileOf(team, picture, asker);
      if (file !== undefined) files.push(file);
      return file?.id;
    },
    store: (hiding) => storeHidden(app, team, hiding, asker),
  };
  const place = given.surface === 'view' ? `${team} view` : team;
  const mayFold = !tools.refusesFolding.has(place);
  const { names } = await namesFor(tools, team, reply);
  const options = { ...given, foldsHidden: given.foldsHidden && mayFold, foldsTexts: mayFold, names };
  const full = await beforeSending(() => renderReply(reply, options, services));
  /** Undefined if Slack refuses the content. */
  const attempt = async (rendered: Rendered) => {
    try {
      return { answer: await sendRendered(rendered) };
    } catch (error) {
      if (!isInvalidContent(error)) throw error;
      return undefined;
    }
  };
  for (const milliseconds of pausesBefore(files, asker)) {
    if (milliseconds > 0) await sleep(milliseconds);
    const sent = await attempt(full);
    if (sent !== undefined) return sent.answer;
  }
  // Folded blocks may be what was refused. `refusesFolding` leaves them out of the second round, which is the last.
  if (full.blocks.some(({ type }) => type === 'container')) {
    tools.refusesFolding.set(place, true);
    return sendWithFallback(tools, outgoing, sendRendered);
  }
  // Slack does not say what it refused, so each file may be gone, and is uploaded again for the next message. A file that was
  // uploaded just now is only not ready yet.
  for (const file of files) if (!byUrl && !file.isFresh) await uploads.forget(file);
  if (files.length > 0 || full.blocks.some(({ type }) => type === 'data_table')) {
    const drawn = await beforeSending(() => renderReply(reply, { ...options, isPlain: true }, services));
    const sent = await attempt(drawn);
    if (sent !== undefined) return sent.answer;
  }
  return sendRendered(textOnly(reply, options));
}

/** Milliseconds before each attempt to send a message: more than one if it shows files that Slack may not be able to show yet. */
function pausesBefore(files: readonly UploadedFile[], asker: AskerRef | undefined): readonly number[] {
  if (!files.some(({ isFresh }) => isFresh)) return FILE_PAUSES.slice(0, 1);
  return asker === undefined ? FILE_PAUSES : FILE_PAUSES.slice(0, MAX_INTERACTIVE_ATTEMPTS);
}

/** The known names of the people in a reply, and whether that is everybody: others are mentioned. */
export async function namesFor({ names: known }: SlackTools, team: string, { blocks }: Reply) {
  const people = peopleIn(blocks);
  const names = await known.of(tenantOf(team), people);
  return { names, areAllKnown: names.size === people.size };
}

/** A form without anything that Slack might refuse. Escaping can make a character five times as long. */
function textOnly(reply: Reply, { names, ping }: Pick<RenderOptions, 'names' | 'ping'>): Rendered {
  const blocks = reply.blocks.filter(({ kind }) => kind !== 'buttons' && kind !== 'file');
  const text = plainText(
    { title: reply.title, blocks },
    { pictures: 'alt', person: (id) => names?.get(id) ?? UNKNOWN_PERSON },
  );
  const shown = escapeText(shorten(text, LIMITS.sectionText / 5));
  return { text: shown, blocks: [...mention(ping), section(shown)] };
}

export interface ShowOptions {
  /** Hidden blocks to show, only in a reply for the asker alone. */
  readonly open?: ReadonlySet<number>;
  /** Change the message whose button was pressed. */
  readonly inPlace?: boolean;
}

/** Delivers an answer to where it was asked for. */
export async function showAnswer(
  tools: SlackTools,
  origin: Origin,
  reply: Reply,
  { open, inPlace = false }: ShowOptions = {},
): Promise<void> {
  const { team, answerBy, thread, direct } = origin;
  const isPublic = reply.audience === 'everyone';
  const surface = answerBy.kind === 'modal' || answerBy.kind === 'trigger' ? 'view' : 'message';
  // In threads, commands are written as mentions. A public answer to a mention is posted in a thread (see `under` in
  // `Origin.answerBy`), but for private conversations, where `direct` decides how commands are written, whatever this is.
  const inThread = thread !== undefined || (answerBy.kind === 'post' && isPublic);
  const lacksFiles = !(await sendFiles(tools, origin, reply));
  const { areAllKnown } = await namesFor(tools, team, reply);
  const options = { surface, inThread, direct, open, lacksFiles } as const;
  const outgoing: Outgoing = { team, reply, options, asker: askerOf(origin) };
  const answer = { ...reply, replaces: inPlace || reply.replaces === true };
  // Slack notifies everybody whom a new message mentions, and nobody whom an edit adds.
  const isNew = surface === 'message' && !changesMessage(origin, answer);
  const wouldNotify = isPublic && isNew && !areAllKnown;
  if (wouldNotify) return postBeforeMentions(tools, origin, outgoing);
  const byUrl = answerBy.kind === 'url';
  await sendWithFallback(tools, { ...outgoing, byUrl }, (rendered) =>
    retrying(() => send(tools, origin, answer, rendered), tools.sleep),
  );
}

type Answer = Pick<Reply, 'audience' | 'replaces'>;

/** Whether an answer takes the place of the message whose button was pressed: a private one never that of a public message. */
function changesMessage({ answerBy }: Origin, { audience, replaces }: Answer): boolean {
  if (replaces !== true || answerBy.kind !== 'url') return false;
  return answerBy.from === 'private message' || (answerBy.from === 'public message' && audience !== 'asker');
}

/**
 * Posts a public answer without mentions, and then adds them. Where the bot may not post, a response URL may still take the
 * answer. The bot can't change that message, so it stays without mentions.
 */
async function postBeforeMentions(tools: SlackTools, origin: Origin, outgoing: Outgoing): Promise<void> {
  const unnamed = { ...outgoing, options: { ...outgoing.options, mayMention: false } };
  const ts = await sendWithFallback(tools, unnamed, async (rendered) => {
    try {
      return await retrying(() => postAsBot(tools, origin, rendered, 'everyone'), tools.sleep);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      await send(tools, origin, outgoing.reply, rendered);
      return undefined;
    }
  });
  if (ts !== undefined) await addMentions(tools, outgoing, { channel: origin.channel, ts });
}

/**
 * Adds the mentions to a message that was sent without them. If that fails, it stays without them: a post must not fail for
 * that, and after an apology people would ask again.
 */
export async function addMentions(
  tools: SlackTools,
  outgoing: Outgoing,
  message: { readonly channel: string; readonly ts: string | undefined },
): Promise<void> {
  const { api, app, sleep } = tools;
  const { team } = outgoing;
  try {
    await sendWithFallback(tools, outgoing, (rendered) =>
      retrying(() => api.call(team, 'chat.update', { ...message, ...rendered }), sleep),
    );
  } catch (error) {
    app.log.info({ door: 'slack', team, failure: readFailure(error) }, 'mentions could not be added');
  }
}

async function send(tools: SlackTools, origin: Origin, answer: Answer, rendered: Rendered): Promise<void> {
  const { answerBy, team, thread, direct } = origin;
  const { api } = tools;
  const { audience } = answer;
  const isPrivate = audience === 'asker';
  switch (answerBy.kind) {
    case 'modal':
      await api.call(team, 'views.update', { view_id: answerBy.view, view: answerModal(origin, rendered) });
      return;
    case 'trigger':
      await api.openView(team, answerBy.trigger, answerModal(origin, rendered));
      return;
    case 'post':
      return post(tools, origin, rendered, audience);
    case 'url': {
      const replaces = changesMessage(origin, answer);
      try {
        await respond(answerBy.url, {
          ...(isPrivate && !direct ? withoutText(rendered) : rendered),
          response_type: isPrivate && !direct ? 'ephemeral' : 'in_channel',
          replace_original: replaces,
          thread_ts: thread,
        });
      } catch (error) {
        if (SPENT_URL_CODES.has(refusalOf(error))) return post(tools, origin, rendered, audience);
        if (replaces || !isInvalidContent(error)) throw error;
        await postRefusedFile(tools, origin, rendered, audience, error);
      }
    }
  }
}

/**
 * Posts an answer whose content a response URL has refused, if it shows one of the bot's files: only the bot's own message may
 * show these. Otherwise, or where the bot can't post, the refusal stands.
 */
async function postRefusedFile(
  tools: SlackTools,
  origin: Origin,
  rendered: Rendered,
  audience: Reply['audience'],
  refusal: unknown,
): Promise<void> {
  if (!rendered.blocks.some(({ type }) => type === 'image')) throw refusal;
  try {
    await postAsBot(tools, origin, rendered, audience);
  } catch (error) {
    throw isUnreachable(error) ? refusal : error;
  }
}

/**
 * An ephemeral message has no notification, so it needs no text for one: screen readers would read that text and no block.
 * Without it, Slack makes one of the blocks.
 */
function withoutText({ blocks }: Rendered): Pick<Rendered, 'blocks'> {
  return { blocks };
}

/** A private answer that the channel does not take goes to the person alone. */
async function post(
  tools: SlackTools,
  origin: Origin,
  rendered: Rendered,
  audience: Reply['audience'],
): Promise<void> {
  const { team, user } = origin;
  try {
    await postAsBot(tools, origin, rendered, audience);
  } catch (error) {
    if (audience === 'everyone' || !isUnreachable(error)) throw error;
    await tools.api.call(team, 'chat.postMessage', { ...rendered, channel: user });
  }
}

async function postAsBot(
  { api }: SlackTools,
  { team, channel, user, thread, direct, answerBy }: Origin,
  rendered: Rendered,
  audience: Reply['audience'],
): Promise<string> {
  if (audience === 'asker' && !direct) {
    const message = { channel, ...withoutText(rendered), thread_ts: thread, user };
    return String((await api.call(team, 'chat.postEphemeral', message)).ts);
  }
  const under = direct || answerBy.kind !== 'post' ? undefined : answerBy.under;
  const { ts } = await api.call(team, 'chat.postMessage', {
    channel,
    ...rendered,
    thread_ts: thread ?? under,
    unfurl_links: false,
    unfurl_media: false,
  });
  return String(ts);
}

/**
 * Sends the files of a reply to the asker's own conversation with the bot. The message before them opens it. False if that
 * fails.
 */
async function sendFiles({ api, app }: SlackTools, { team, user }: Origin, reply: Reply): Promise<boolean> {
  const files = reply.blocks.filter((block) => block.kind === 'file');
  if (files.length === 0) return true;
  try {
    const text = escapeText(reply.title);
    const { channel } = await api.call(team, 'chat.postMessage', { channel: user, text });
    for (const { name, content } of files)
      await api.upload(team, name, Buffer.from(content), String(channel));
    return true;
  } catch (error) {
    app.log.warn({ door: 'slack', team, failure: readFailure(error) }, 'a file could not be sent');
    return false;
  }
}

/** Whether the bot can't post in a channel, or the person can't read there. */
function isUnreachable(error: unknown): boolean {
  return postFailure(error).kind === 'refused';
}
