import { count, flag, pattern, type Setting, several, shards, site } from './setting.ts';

const SLACK_KEY = /^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/;

export const DISCORD = [
  {
    name: 'DISCORD_TOKEN',
    field: 'token',
    kind: pattern(/^[\w-]+\.[\w-]+\.[\w-]+$/, 'a bot token: three parts with dots between'),
    about: 'The bot token, from the page "Bot" of the application. With it, the bot connects to Discord.',
    secret: true,
  },
  {
    name: 'DISCORD_GUILD_ID',
    field: 'guildId',
    kind: pattern(/^\d{17,20}$/, "a server's id: 17 to 20 digits"),
    about: 'Registers the commands only in this server, where changes take effect at once: for development.',
    example: '123456789012345678',
  },
  {
    name: 'DISCORD_REGISTER',
    field: 'register',
    kind: flag,
    default: 'on',
    about: 'Register the commands at the start if they have changed. Off: only npm run register does it.',
  },
  {
    name: 'DISCORD_SHARDS',
    field: 'shards',
    kind: shards,
    default: 'auto',
    about: 'Which shards this process runs: as many as Discord recommends, or a range of all shards.',
  },
  {
    name: 'DISCORD_REQUESTS_PER_SECOND',
    field: 'requestsPerSecond',
    kind: count(1, 1_000),
    default: '50',
    about:
      'How many of the 50 requests per second that Discord allows a bot this process may send. Several ' +
      'processes share them.',
  },
  {
    name: 'DISCORD_API_URL',
    field: 'apiUrl',
    kind: site('https://discord.com/api'),
    about: 'Another address for Discord, such as a REST proxy that several processes share.',
    example: 'https://discord.com/api',
  },
] as const satisfies Setting[];

export const SLACK = [
  {
    name: 'SLACK_BOT_TOKEN',
    field: 'botToken',
    kind: pattern(/^xoxb-[\w-]+$/, 'a bot token: it begins with xoxb-'),
    about: 'For one workspace: the "Bot User OAuth Token" of the app as installed there.',
    example: 'xoxb-…',
    secret: true,
  },
  {
    name: 'SLACK_APP_TOKEN',
    field: 'appToken',
    kind: pattern(/^xapp-[\w-]+$/, 'an app-level token: it begins with xapp-'),
    about: 'For Socket Mode, which needs no public address: an app-level token with connections:write.',
    example: 'xapp-…',
    secret: true,
  },
  {
    name: 'SLACK_SIGNING_SECRET',
    field: 'signingSecrets',
    kind: several(pattern(/^[0-9a-zA-Z]{16,}$/, 'a signing secret: letters and digits')),
    about: 'For HTTP instead of Socket Mode: Slack sends its requests to PORT, signed with this secret.',
    secret: true,
  },
  {
    name: 'SLACK_CLIENT_ID',
    field: 'clientId',
    kind: pattern(/^\d+\.\d+$/, 'a client id: two numbers with a dot between'),
    about:
      'For many workspaces, each of which installs the app by OAuth on the page /slack/install. Leave ' +
      'SLACK_BOT_TOKEN empty then.',
    example: '1234567890.1234567890',
  },
  {
    name: 'SLACK_CLIENT_SECRET',
    field: 'clientSecret',
    kind: pattern(/^\S{8,}$/, 'a client secret'),
    about: 'Required with SLACK_CLIENT_ID.',
    secret: true,
  },
  {
    name: 'SLACK_STATE_SECRET',
    field: 'stateSecret',
    kind: pattern(/^.{16,}$/, 'at least 16 characters of your own making'),
    about:
      'Required with SLACK_CLIENT_ID: signs the state of an installation. You can make one with openssl ' +
      'rand -hex 32.',
    secret: true,
  },
  {
    name: 'SLACK_TOKEN_KEYS',
    field: 'keys',
    kind: several(pattern(SLACK_KEY, '32 random bytes, as 64 hexadecimal digits or base64')),
    about:
      'Required with SLACK_CLIENT_ID: encrypts the tokens of workspaces in the database. You can make one ' +
      'with openssl rand -hex 32. To change the key, put the new one in front of the old one.',
    secret: true,
  },
  {
    name: 'SLACK_API_URL',
    field: 'apiUrl',
    kind: site('https://slack.com/api/'),
    about: 'Another address for Slack, such as GovSlack or a proxy.',
    example: 'https://slack.com/api/',
  },
] as const satisfies Setting[];
