/**
 * What the doors assume about their platforms: the list that the doctor tries on the platform itself and that the
 * fakes in test/fakes can be told to break, so that neither knows of an assumption that the other does not.
 * Neither door uses pins, so nothing is assumed about those.
 */
export interface Assumption {
  readonly claim: string;
  /** The file that relies on it. */
  readonly file: string;
  /** What to do where it does not hold. */
  readonly todo: string;
}

const REPORT = 'Send us this report: the bot relies on it.';
const TICK = 'on the page Installation of the application, then run: npm run register';

export const DISCORD_ASSUMPTIONS = {
  token: {
    claim: 'the token is accepted and names the application',
    file: 'src/chat/discord/door.ts',
    todo: 'Copy the token again from the page Bot of the application into DISCORD_TOKEN.',
  },
  installation: {
    claim: 'the application can be installed in servers, and by people for themselves',
    file: 'src/chat/discord/commands.ts',
    todo: `Tick "Guild Install" ${TICK}`,
  },
  permissions: {
    claim: 'the bot has the permissions of the daily thread in this channel',
    file: 'src/chat/discord/rights.ts',
    todo: 'Allow them for the bot in the settings of the channel, under Permissions.',
  },
  commands: {
    claim: 'the command is registered, and is returned as it was declared',
    file: 'src/chat/discord/commands.ts',
    todo: 'Run npm run register, and then this again; if the difference stays, Discord keeps it in another form: send us this report.',
  },
  activity: {
    claim:
      'the board opens inside Discord: the client secret is accepted, and the bot answers the command of Activities',
    file: 'src/chat/discord/activity.ts',
    todo: 'Copy the client secret again from the page OAuth2, switch on "Enable Activities", and restart the bot: docs/discord.md.',
  },
  rateLimits: {
    claim: 'answers say in their headers how many requests are left and until when',
    file: 'src/chat/discord/rest.ts',
    todo: 'Let requests reach Discord without a proxy that takes headers away.',
  },
  nonce: {
    claim: 'a message that is sent twice with one nonce is posted once',
    file: 'src/chat/discord/poster.ts',
    todo: REPORT,
  },
  readBack: {
    claim: 'a message is found in the channel by the number of its container',
    file: 'src/chat/discord/search.ts',
    todo: 'Allow "Read Message History" for the bot in the channel; if it is allowed, send us this report.',
  },
  edit: { claim: 'a message can be changed in place', file: 'src/chat/discord/poster.ts', todo: REPORT },
  spoilerPicture: {
    claim: 'a picture marked as a spoiler is still marked when it is read back',
    file: 'src/chat/discord/render.ts',
    todo: 'Send us this report: pictures of solutions may be seen by accident.',
  },
  roleMention: {
    claim: 'a role that the bot mentions is notified',
    file: 'src/chat/discord/rights.ts',
    todo: 'Switch on "Allow anyone to @mention this role" in the server’s settings, under Roles.',
  },
  names: {
    claim: 'Discord tells the name of a member',
    file: 'src/chat/conversation.ts',
    todo: 'Send us this report: people are mentioned until then, and phones may show "@invalid-user".',
  },
  thread: {
    claim: 'a thread has the id of its message, and can not be started twice',
    file: 'src/chat/discord/poster.ts',
    todo: REPORT,
  },
  forumPost: {
    claim: 'a forum post and its first message share their id',
    file: 'src/chat/discord/poster.ts',
    todo: 'Choose a text channel for the daily thread, and send us this report.',
  },
  intents: {
    claim: 'the gateway accepts the intent that the bot asks for, and sends the servers with their channels',
    file: 'src/chat/discord/gateway.ts',
    todo: 'Check that the token belongs to the application of the bot in this server.',
  },
  deferredAnswer: {
    claim: 'an answer that was deferred for one person is filled in for that person alone',
    file: 'src/chat/discord/context.ts',
    todo: REPORT,
  },
  privateFollowUp: {
    claim: 'a further private answer may have files',
    file: 'src/chat/discord/context.ts',
    todo: REPORT,
  },
  form: {
    claim: 'a press opens a form, what is typed comes back, and it is answered with a message',
    file: 'src/chat/discord/context.ts',
    todo: 'Send us this report; people can type the options of the command instead.',
  },
  messageText: {
    claim: "a command on somebody's message comes with its text, without the intent for messages",
    file: 'src/chat/discord/gateway.ts',
    todo: 'Write something in the message that you choose; if there was text, send us this report.',
  },
} as const satisfies Record<string, Assumption>;
export type DiscordAssumption = keyof typeof DISCORD_ASSUMPTIONS;

const MANIFEST = 'Paste the manifest on the page App Manifest of the app, and install it again.';

export const SLACK_ASSUMPTIONS = {
  token: {
    claim: 'the bot token is accepted and names the workspace',
    file: 'src/chat/slack/door.ts',
    todo: 'Copy the Bot User OAuth Token again from the page Install App into SLACK_BOT_TOKEN.',
  },
  oneApp: {
    claim: 'both tokens are of one app',
    file: 'src/chat/slack/door.ts',
    todo: 'Copy both tokens from the pages of the same app: SLACK_BOT_TOKEN from Install App, SLACK_APP_TOKEN from Basic Information.',
  },
  scopes: {
    claim: 'the app has all the scopes of the manifest that are not optional',
    file: 'src/chat/slack/manifest.ts',
    todo: MANIFEST,
  },
  clock: {
    claim: "Slack's clock and this machine's differ by less than five minutes",
    file: 'src/chat/slack/receivers.ts',
    todo: 'Set the clock of this machine.',
  },
  edit: { claim: 'a message can be changed in place', file: 'src/chat/slack/poster.ts', todo: REPORT },
  thread: {
    claim: 'a reply is posted in the thread that it names',
    file: 'src/chat/slack/poster.ts',
    todo: REPORT,
  },
  metadata: {
    claim: 'a message is found in the channel by the key in its metadata',
    file: 'src/chat/slack/poster.ts',
    todo: REPORT,
  },
  replies: {
    claim: 'a reply is found in its thread by the key in its metadata',
    file: 'src/chat/slack/poster.ts',
    todo: REPORT,
  },
  names: {
    claim: 'Slack tells the name of a member',
    file: 'src/chat/conversation.ts',
    todo: 'Send us this report: people are mentioned until then.',
  },
  slackFile: {
    claim: 'a message shows an uploaded file by its id, some seconds after it was uploaded',
    file: 'src/chat/slack/send.ts',
    todo: 'Send us this report: boards are drawn in characters until then.',
  },
  blocks: {
    claim: 'Slack takes the blocks of which messages and windows are made',
    file: 'src/chat/slack/render.ts',
    todo: REPORT,
  },
  dataTable: {
    claim: 'a message shows a data table',
    file: 'src/chat/slack/render.ts',
    todo: 'Nothing: the bot shows tables as lines.',
  },
  modal: {
    claim: 'a press opens a window, which can be changed in place',
    file: 'src/chat/slack/context.ts',
    todo: REPORT,
  },
  responseUrlThread: {
    claim: 'an answer at a response URL is posted in the thread that it names',
    file: 'src/chat/slack/send.ts',
    todo: REPORT,
  },
  escaping: {
    claim: 'what is typed with @ in a command comes with its id',
    file: 'src/chat/slack/mrkdwn.ts',
    todo: 'Switch on "Escape channels, users, and links sent to your app" at the slash command of the app.',
  },
  messageText: {
    claim: "a shortcut on somebody's message comes with its text",
    file: 'src/chat/slack/events.ts',
    todo: 'Write something in the message that you choose; if there was text, send us this report.',
  },
} as const satisfies Record<string, Assumption>;
export type SlackAssumption = keyof typeof SLACK_ASSUMPTIONS;
