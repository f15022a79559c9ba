import {
  RESTJSONErrorCodes as CODE,
  DiscordAPIError,
  HTTPError,
  RateLimitError,
  RequestMethod,
} from 'discord.js';
import { MINUTE } from '../../core/clock.ts';
import { isNeverConnected, networkTrouble, StoreError } from '../../core/errors.ts';
import { clip } from '../../core/text.ts';
import { type MissingRequirement, PostFailure, type PostFailureKind } from '../../dispatch/poster.ts';
import { REQUIREMENTS } from './rights.ts';

/** Said where the answer is not Discord's, but for example a proxy's page. */
export const UNREADABLE = 'something answered that is not Discord';

/**
 * Error codes of an interaction that expired, was answered already, or whose channel was deleted or thread locked. Where the bot was
 * not added, the code for a locked thread is MissingAccess (discord-api-docs#6884).
 */
export const GONE_CODES: ReadonlySet<number | undefined> = new Set([
  CODE.UnknownChannel,
  CODE.UnknownMessage,
  CODE.UnknownWebhook,
  CODE.UnknownInteraction,
  CODE.InteractionHasAlreadyBeenAcknowledged,
  CODE.InvalidWebhookToken,
  CODE.InvalidActionOnArchivedThread,
  CODE.ThreadLocked,
  CODE.MissingAccess,
]);

const TOO_MANY_THREADS = 'the server has as many active threads as Discord allows: archive some';
const AUTOMOD = 'the server’s AutoMod does not let it through';

/** What an error code means for a post. After a refused post, `DiscordPoster` looks up what is really missing. */
const POST_ERRORS: Readonly<
  Record<number, readonly [kind: PostFailureKind, meaning: string, missing?: MissingRequirement]>
> = {
  [CODE.UnknownChannel]: ['refused', 'the channel is gone', REQUIREMENTS.channel],
  [CODE.UnknownGuild]: ['removed', 'the bot is no longer in this server'],
  [CODE.UnknownMessage]: ['closed', 'the message is gone'],
  [CODE.AnnouncementEditLimitExceeded]: ['later', 'a published message takes few changes'],
  [CODE.SendMessagesHasBeenTemporarilyDisabled]: ['later', 'Discord takes no messages now'],
  [CODE.FeatureTemporarilyDisabledServerSide]: ['later', 'Discord has switched that off for now'],
  [CODE.TagRequiredToCreateAForumPostInThisChannel]: ['refused', 'the forum requires a tag'],
  [CODE.ThereAreNoTagsAvailableThatCanBeSetByNonModerators]: [
    'refused',
    'the forum requires a tag',
    REQUIREMENTS.tag,
  ],
  [CODE.OpeningDirectMessagesTooFast]: ['later', 'too many private conversations were opened'],
  [CODE.CloudflareIsBlockingYourRequest]: ['later', 'Cloudflare keeps the bot out'],
  [CODE.MissingAccess]: ['refused', 'the channel can not be seen', REQUIREMENTS.channel],
  [CODE.CannotSendMessagesToThisUser]: ['invalid', 'this person takes no private messages'],
  [CODE.CannotSendMessagesInNonTextChannel]: ['refused', 'this channel takes no messages'],
  [CODE.MissingPermissions]: ['refused', 'a permission is missing'],
  [CODE.CannotExecuteActionOnThisChannelType]: ['refused', 'this kind of channel can not do that'],
  [CODE.InvalidFormBodyOrContentType]: ['invalid', 'Discord does not take this message'],
  [CODE.InvalidActionOnArchivedThread]: ['closed', 'the thread is archived'],
  // A moderator locked this thread. The channel still gets the next day's.
  [CODE.ThreadLocked]: ['closed', 'the thread is locked'],
  [CODE.MaximumActiveThreads]: ['refused', TOO_MANY_THREADS],
  [CODE.MaximumActiveAnnouncementThreads]: ['refused', TOO_MANY_THREADS],
  [CODE.MessageWasBlockedByAutomaticModeration]: ['refused', AUTOMOD],
  [CODE.TitleWasBlockedByAutomaticModeration]: ['refused', AUTOMOD],
  [CODE.AccessToFileUploadsHasBeenLimitedForThisGuild]: ['refused', 'the server takes no files now'],
};

export function codeOf(error: unknown): number | undefined {
  return error instanceof DiscordAPIError && typeof error.code === 'number' ? error.code : undefined;
}

/** Milliseconds: a message older than an hour takes few edits each hour, and Discord advises to try again far too soon. */
const REFUSED_EDIT_PAUSE_MS = 10 * MINUTE;

/**
 * Converts an error into a `PostFailure`. The message has the code and its meaning, never the content that was sent.
 * Writes whose outcome is unknown were converted by `afterWrite` before, so whatever fails here has changed nothing.
 */
export function postFailure(error: unknown): PostFailure {
  if (error instanceof PostFailure) return error;
  const fail = (kind: PostFailureKind, message: string, more?: object) =>
    new PostFailure(kind, message, { ...more, cause: error });
  if (error instanceof RateLimitError) {
    const least = error.method === RequestMethod.Patch ? REFUSED_EDIT_PAUSE_MS : 0;
    const pause = Math.max(error.retryAfter, least);
    return fail('later', 'Discord asked to wait', { retryAfter: pause > 0 ? pause : undefined });
  }
  if (error instanceof HTTPError)
    return fail('later', `Discord answered ${error.status} to ${requestOf(error)}`);
  if (!(error instanceof DiscordAPIError)) return failureElsewhere(error);
  const said = `Discord said ${error.code}: ${sentenceOf(error)}, to ${requestOf(error)}`;
  const [kind, meaning, missing] = POST_ERRORS[Number(error.code)] ?? [];
  if (kind !== undefined)
    return fail(kind, `${meaning} (${said})`, { missingRequirements: missing && [missing] });
  // An answer without a code of Discord's own may come from a proxy or a firewall, which must not suspend a channel.
  if (!(Number(error.code) > 0)) {
    const isRefused = error.status === 401;
    const what = `something that is not Discord answered ${error.status} to ${requestOf(error)}`;
    return fail('later', isRefused ? 'the token is refused (401)' : what);
  }
  if (error.status === 403 || error.status === 404) return fail('refused', said);
  return fail(error.status === 400 ? 'invalid' : 'later', said);
}

/** The failure for every other error: of the network, the store, or the bot itself. */
function failureElsewhere(cause: unknown): PostFailure {
  if (cause instanceof StoreError) return new PostFailure('later', cause.message, { cause });
  const trouble = networkTrouble(cause);
  if (trouble !== undefined)
    return new PostFailure('later', `Discord can’t be reached: ${trouble}`, { cause });
  const name = cause instanceof Error ? cause.name : typeof cause;
  return new PostFailure('later', `the bot itself failed (${name})`, { cause, isFault: true });
}

/** Discord's own sentence, without the details of a form, which may quote what was sent. */
function sentenceOf({ rawError }: DiscordAPIError): string {
  const sentence = 'message' in rawError ? rawError.message : rawError.error;
  return clip(String(sentence).replace(/[.\s]*$/, ''), 100);
}

/** The method and path of a request, without ids and the tokens of interactions. */
function requestOf({ method, url }: Pick<HTTPError, 'method' | 'url'>): string {
  const path = URL.canParse(url) ? new URL(url).pathname.replace(/^\/api\/v\d+/, '') : url;
  return `${method} ${path.replace(/^(\/(webhooks|interactions))\/.*/, '$1/…').replace(/\/\d+/g, '/…')}`;
}

/** The failure of a request that may have changed something: `unknown` unless Discord refused it or never got it. */
export function afterWrite(error: unknown): unknown {
  if (error instanceof PostFailure || error instanceof DiscordAPIError || error instanceof RateLimitError)
    return error;
  if (isNeverConnected(error)) return error;
  // A server may fail after it has done what was requested.
  const what =
    error instanceof HTTPError
      ? `Discord answered ${error.status} to ${requestOf(error)}`
      : `no answer came from Discord: ${networkTrouble(error) ?? UNREADABLE}`;
  return new PostFailure('unknown', what, { cause: error });
}
