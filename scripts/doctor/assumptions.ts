/**
 * What the doors assume about their platforms: the list that the doctor tries on the platform itself and that the
 * fakes in test/fakes can be told to break, so that neither knows of an assumption that the other does not.
 * Neither door uses pins, so nothing is assumed about those.
 */
export interface Assumption {
  readonly claim: string;
  /** The file that relies on it. */
  readonly file: string;
}

export const DISCORD_ASSUMPTIONS = {
  token: { claim: 'the token is accepted and names the application', file: 'src/chat/discord/door.ts' },
  installation: {
    claim: 'the application can be installed in servers, and by people for themselves',
    file: 'src/chat/discord/register.ts',
  },
  permissions: {
    claim: 'the bot has the permissions of the daily thread in this channel',
    file: 'src/chat/discord/rights.ts',
  },
  commands: {
    claim: 'the command is registered, and is returned as it was declared',
    file: 'src/chat/discord/register.ts',
  },
  rateLimits: {
    claim: 'answers say in their headers how many requests are left and until when',
    file: 'src/chat/discord/rest.ts',
  },
  nonce: {
    claim: 'a message that is sent twice with one nonce is posted once',
    file: 'src/chat/discord/poster.ts',
  },
  readBack: {
    claim: 'a message is found in the channel by the number of its container',
    file: 'src/chat/discord/search.ts',
  },
  edit: { claim: 'a message can be changed in place', file: 'src/chat/discord/poster.ts' },
  spoilerPicture: {
    claim: 'a picture marked as a spoiler is still marked when it is read back',
    file: 'src/chat/discord/render.ts',
  },
  thread: {
    claim: 'a thread has the id of its message, and can not be started twice',
    file: 'src/chat/discord/poster.ts',
  },
  forumPost: {
    claim: 'a forum post and its first message share their id',
    file: 'src/chat/discord/poster.ts',
  },
  intents: {
    claim: 'the gateway accepts the intent that the bot asks for, and sends the servers with their channels',
    file: 'src/chat/discord/gateway.ts',
  },
  deferredAnswer: {
    claim: 'an answer that was deferred for one person is filled in for that person alone',
    file: 'src/chat/discord/exchange.ts',
  },
  privateFollowUp: {
    claim: 'a further private answer may have files',
    file: 'src/chat/discord/exchange.ts',
  },
  messageText: {
    claim: "a command on somebody's message comes with its text, without the intent for messages",
    file: 'src/chat/discord/events.ts',
  },
} as const satisfies Record<string, Assumption>;
export type DiscordAssumption = keyof typeof DISCORD_ASSUMPTIONS;

export const SLACK_ASSUMPTIONS = {
  token: { claim: 'the bot token is accepted and names the workspace', file: 'src/chat/slack/door.ts' },
  scopes: {
    claim: 'the app has all the scopes of the manifest',
    file: 'src/chat/slack/install.ts',
  },
  clock: {
    claim: "Slack's clock and this machine's differ by less than five minutes",
    file: 'src/chat/slack/receivers.ts',
  },
  edit: { claim: 'a message can be changed in place', file: 'src/chat/slack/poster.ts' },
  thread: { claim: 'a reply is posted in the thread that it names', file: 'src/chat/slack/poster.ts' },
  metadata: {
    claim: 'a message is found in the channel by the key in its metadata',
    file: 'src/chat/slack/poster.ts',
  },
  replies: {
    claim: 'a reply is found in its thread by the key in its metadata',
    file: 'src/chat/slack/poster.ts',
  },
  slackFile: {
    claim: 'a message shows an uploaded file by its id, some seconds after it was uploaded',
    file: 'src/chat/slack/send.ts',
  },
  dataTable: {
    claim: 'a message shows a data table; where it does not, the bot falls back to plainer forms',
    file: 'src/chat/slack/render.ts',
  },
  modal: {
    claim: 'a press opens a window, which can be changed in place',
    file: 'src/chat/slack/exchange.ts',
  },
  responseUrlThread: {
    claim: 'an answer at a response URL is posted in the thread that it names',
    file: 'src/chat/slack/send.ts',
  },
  messageText: {
    claim: "a shortcut on somebody's message comes with its text",
    file: 'src/chat/slack/events.ts',
  },
} as const satisfies Record<string, Assumption>;
export type SlackAssumption = keyof typeof SLACK_ASSUMPTIONS;
