import {
  ChannelType,
  RESTJSONErrorCodes as CODE,
  DiscordAPIError,
  HTTPError,
  PermissionFlagsBits,
  PermissionsBitField,
  RateLimitError,
  RequestMethod,
} from 'discord.js';
import { MINUTE } from '../../core/clock.ts';
import { adviceOnFileLimit, errorCodes, isNeverConnected } from '../../core/errors.ts';
import { type MissingRequirement, PostFailure, type PostFailureKind } from '../../dispatch/poster.ts';

/** The permissions that the daily thread needs, under the names that Discord's own settings show. */
export const NEEDED_PERMISSIONS = {
  'View Channel': PermissionFlagsBits.ViewChannel,
  'Send Messages': PermissionFlagsBits.SendMessages,
  'Create Public Threads': PermissionFlagsBits.CreatePublicThreads,
  'Send Messages in Threads': PermissionFlagsBits.SendMessagesInThreads,
  'Attach Files': PermissionFlagsBits.AttachFiles,
} as const;

/** The bits for the invite link: these permissions and no others. */
export const INVITE_BITS = PermissionsBitField.resolve(Object.values(NEEDED_PERMISSIONS));

/** The channel types that a daily thread can be posted in. In a forum, it is a forum post. */
const POST_CHANNELS: readonly ChannelType[] = [
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildForum,
];

/** The requirements that are missing to post a day's thread in a channel of this type. */
export function missingPermissions(
  permissions: Readonly<PermissionsBitField>,
  type: ChannelType,
): MissingRequirement[] {
  if (!POST_CHANNELS.includes(type)) return [REQUIREMENTS.threads];
  // A forum's post is a thread by itself, and needs no more than Send Messages.
  const needed = Object.entries(NEEDED_PERMISSIONS).filter(
    ([name]) => type !== ChannelType.GuildForum || name !== 'Create Public Threads',
  );
  return needed.filter(([, bit]) => !permissions.has(bit)).map(([name]) => missingPermission(name));
}

function missingPermission(name: string): MissingRequirement {
  return {
    what: `the permission "${name}"`,
    how: `Open the channel’s settings, then Permissions, add this bot’s role there and allow "${name}".`,
  };
}

/** What else can be missing, so that a channel is suspended. */
export const REQUIREMENTS = {
  server: {
    what: 'a channel of a server that I was added to',
    how: 'Add this bot to the server, and type the command there.',
  },
  channel: {
    what: 'a channel that is there and that I can see',
    how: 'If it is gone, choose another one; if it is private, allow "View Channel" for this bot there.',
  },
  threads: {
    what: 'a channel that can hold threads',
    how: 'Use a text, announcement or forum channel of a server.',
  },
  noTimeout: {
    what: 'an end of the timeout that a moderator has given me',
    how: 'Wait until it is over, or remove it in the list of members.',
  },
  tag: {
    what: 'a tag that I may use',
    how: 'The forum requires a tag on each post. Add one that not only moderators may use.',
  },
  /** Needed only to look for a post whose outcome is unknown. */
  history: missingPermission('Read Message History'),
} satisfies Record<string, MissingRequirement>;

/** Needed only to mention a role. A channel is not suspended without it. */
export const MENTIONABLE_ROLE: MissingRequirement = {
  what: 'a role that I may mention',
  how: 'In the server’s settings, under Roles, open it and switch on "Allow anyone to @mention this role".',
};

export function lacking(missingRequirements: readonly MissingRequirement[]): PostFailure {
  const names = missingRequirements.map(({ what }) => what).join(', ');
  return new PostFailure('refused', `it lacks ${names}`, { missingRequirements });
}

/** Error codes of an interaction that expired, was answered already, or whose channel was deleted. */
export const GONE_CODES: ReadonlySet<number | undefined> = new Set([
  CODE.UnknownChannel,
  CODE.UnknownMessage,
  CODE.UnknownWebhook,
  CODE.UnknownInteraction,
  CODE.InteractionHasAlreadyBeenAcknowledged,
  CODE.InvalidWebhookToken,
]);

/** What an error code means for a post. After a refused post, `DiscordPoster` looks up what is really missing. */
const POST_ERRORS: Readonly<Record<number, readonly [PostFailureKind, string, MissingRequirement?]>> = {
  [CODE.UnknownChannel]: ['refused', 'the channel is gone', REQUIREMENTS.channel],
  [CODE.UnknownGuild]: ['removed', 'the bot is no longer in this server'],
  [CODE.UnknownMessage]: ['invalid', 'the message is gone'],
  [CODE.TagRequiredToCreateAForumPostInThisChannel]: ['refused', 'the forum requires a tag'],
  [CODE.OpeningDirectMessagesTooFast]: ['later', 'too many private conversations were opened'],
  [CODE.CloudflareIsBlockingYourRequest]: ['later', 'Cloudflare keeps the bot out'],
  [CODE.MissingAccess]: ['refused', 'the channel can not be seen', REQUIREMENTS.channel],
  [CODE.CannotSendMessagesToThisUser]: ['invalid', 'this person takes no private messages'],
  [CODE.CannotSendMessagesInNonTextChannel]: ['refused', 'this channel takes no messages'],
  [CODE.MissingPermissions]: ['refused', 'a permission is missing'],
  [CODE.CannotExecuteActionOnThisChannelType]: ['refused', 'this kind of channel can not do that'],
  [CODE.InvalidFormBodyOrContentType]: ['invalid', 'Discord does not take this message'],
  [CODE.InvalidActionOnArchivedThread]: ['invalid', 'the thread is archived'],
  // A moderator locked this thread. The channel still gets the next day's.
  [CODE.ThreadLocked]: ['invalid', 'the thread is locked'],
  [CODE.MaximumActiveThreads]: [
    'refused',
    'the server has as many active threads as Discord allows: archive some',
  ],
};

export function codeOf(error: unknown): number | undefined {
  return error instanceof DiscordAPIError && typeof error.code === 'number' ? error.code : undefined;
}

/** Resolves to undefined where Discord answers with one of these error codes. */
export async function unless<Result>(
  codes: readonly number[],
  asking: Promise<Result>,
): Promise<Result | undefined> {
  return asking.catch((error: unknown) => {
    if (codes.includes(codeOf(error) ?? 0)) return undefined;
    throw error;
  });
}

/** Milliseconds: a message older than an hour takes few edits each hour, and Discord advises to try again far too soon. */
const REFUSED_EDIT_PAUSE_MS = 10 * MINUTE;

/**
 * Converts an error into a `PostFailure`. The message has the code and its meaning, never the content that was sent.
 * Failed writes were converted by `afterWrite`, so what is left are reads and requests that were not sent.
 */
export function postFailure(error: unknown): PostFailure {
  if (error instanceof PostFailure) return error;
  const fail = (kind: PostFailureKind, message: string, more?: object) =>
    new PostFailure(kind, message, { ...more, cause: error });
  if (error instanceof RateLimitError) {
    const pause = Math.max(
      error.retryAfter,
      error.method === RequestMethod.Patch ? REFUSED_EDIT_PAUSE_MS : 0,
    );
    return fail('later', 'Discord asked to wait', { retryAfter: pause > 0 ? pause : undefined });
  }
  if (error instanceof HTTPError) return fail('later', `Discord answered ${error.status}`);
  if (!(error instanceof DiscordAPIError)) {
    const [code = 'no code'] = errorCodes(error);
    return fail('later', adviceOnFileLimit(error) ?? `Discord could not be reached or understood (${code})`);
  }
  const said = `Discord said ${error.code}`;
  const [kind, meaning, missing] = POST_ERRORS[Number(error.code)] ?? [];
  if (kind !== undefined)
    return fail(kind, `${meaning} (${said})`, { missingRequirements: missing && [missing] });
  // An answer without a code of Discord's own may come from a proxy or a firewall, which must not suspend a channel.
  if (!(Number(error.code) > 0))
    return fail(
      'later',
      error.status === 401 ? 'the token is refused (401)' : `something answered ${error.status}`,
    );
  if (error.status === 403 || error.status === 404) return fail('refused', said);
  return fail(error.status === 400 ? 'invalid' : 'later', said);
}

/** The failure of a request that may have changed something: `unknown` unless Discord refused it or never got it. */
export function afterWrite(error: unknown): unknown {
  if (error instanceof PostFailure || error instanceof DiscordAPIError || error instanceof RateLimitError)
    return error;
  if (isNeverConnected(error)) return error;
  // A server may fail after it has done what was requested.
  const what =
    error instanceof HTTPError ? `Discord answered ${error.status}` : 'no answer came from Discord';
  return new PostFailure('unknown', what, { cause: error });
}
