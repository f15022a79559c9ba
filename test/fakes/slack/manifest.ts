import type { Json } from './world.ts';

/** The app as its manifest declares it, with the secrets its settings pages would show. */
export interface FakeApp {
  readonly id: string;
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The one requests are signed with now; tests change it to rotate. */
  signingSecret: string;
  readonly appToken: string;
  readonly scopes: readonly string[];
  readonly commands: readonly string[];
  readonly messageShortcuts: readonly Json[];
  readonly events: readonly string[];
  readonly hasHome: boolean;
  readonly isInteractive: boolean;
  readonly usesSocket: boolean;
  readonly rotatesTokens: boolean;
  /** Where requests go without Socket Mode. */
  requestUrl: string | undefined;
  readonly redirectUrls: readonly string[];
}

/** Bot scopes this fake knows. */
const SCOPES = [
  'app_mentions:read',
  'channels:history',
  'channels:read',
  'chat:write',
  'chat:write.customize',
  'chat:write.public',
  'commands',
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'users:read',
];

/** Events this fake can send, each with the scope it needs. */
const EVENTS: Record<string, string | undefined> = {
  app_home_opened: undefined,
  app_mention: 'app_mentions:read',
  app_uninstalled: undefined,
  team_access_revoked: undefined,
  channel_archive: 'channels:read',
  'message.im': 'im:history',
  tokens_revoked: undefined,
};

/** Everything Slack would refuse in a manifest, as far as this fake knows the rules. */
export function manifestProblems(manifest: Json): string[] {
  const problems: string[] = [];
  const expect = (isRight: boolean, what: string) => {
    if (!isRight) problems.push(what);
  };
  const known = (value: Json | undefined, where: string, names: readonly string[]) => {
    for (const name of Object.keys(value ?? {}))
      expect(names.includes(name), `${where} has no field ${name}`);
  };
  const length = (value: unknown, where: string, least: number, most: number) => {
    expect(
      typeof value === 'string' && value.length >= least && value.length <= most,
      `${where} takes ${least} to ${most} characters`,
    );
  };
  const {
    display_information: display = {},
    features = {},
    oauth_config: oauth = {},
    settings = {},
  } = manifest;

  known(manifest, 'the manifest', [
    '_metadata',
    'display_information',
    'features',
    'oauth_config',
    'settings',
  ]);
  known(display, 'display_information', ['name', 'description', 'long_description', 'background_color']);
  known(features, 'features', ['app_home', 'bot_user', 'slash_commands', 'shortcuts']);
  known(oauth, 'oauth_config', ['redirect_urls', 'scopes']);
  known(features.app_home, 'app_home', [
    'home_tab_enabled',
    'messages_tab_enabled',
    'messages_tab_read_only_enabled',
  ]);
  known(features.bot_user, 'bot_user', ['always_online', 'display_name']);
  known(settings, 'settings', [
    'event_subscriptions',
    'interactivity',
    'org_deploy_enabled',
    'socket_mode_enabled',
    'token_rotation_enabled',
  ]);

  length(display.name, 'display_information.name', 1, 35);
  if (display.description !== undefined) length(display.description, 'description', 1, 140);
  if (display.long_description !== undefined) length(display.long_description, 'long_description', 175, 4000);
  if (display.background_color !== undefined)
    expect(/^#([0-9a-fA-F]{3}){1,2}$/.test(display.background_color), 'background_color is a colour');
  if (features.bot_user !== undefined) length(features.bot_user.display_name, 'bot_user.display_name', 1, 80);

  const commands: Json[] = features.slash_commands ?? [];
  expect(commands.length <= 50, 'slash_commands takes at most 50');
  for (const command of commands) {
    known(command, 'slash command', ['command', 'url', 'description', 'usage_hint', 'should_escape']);
    length(command.command, 'command', 2, 32);
    expect(/^\/[^\s/]+$/.test(command.command), 'a command starts with a slash and has no spaces');
    length(command.description, `${command.command} description`, 1, 2000);
    if (command.usage_hint !== undefined)
      length(command.usage_hint, `${command.command} usage_hint`, 1, 1000);
    expect(command.url !== undefined || settings.socket_mode_enabled === true, 'a command needs a url');
  }

  const shortcuts: Json[] = features.shortcuts ?? [];
  expect(shortcuts.length <= 10, 'shortcuts takes at most 10');
  for (const shortcut of shortcuts) {
    known(shortcut, 'shortcut', ['name', 'type', 'callback_id', 'description']);
    length(shortcut.name, 'a shortcut’s name', 1, 24);
    length(shortcut.callback_id, 'a shortcut’s callback_id', 1, 255);
    length(shortcut.description, 'a shortcut’s description', 1, 150);
    expect(['message', 'global'].includes(shortcut.type), 'a shortcut is message or global');
    expect(settings.interactivity?.is_enabled === true, 'shortcuts need interactivity');
  }

  const scopes: string[] = oauth.scopes?.bot ?? [];
  for (const scope of scopes) expect(SCOPES.includes(scope), `no scope ${scope}`);
  if (commands.length > 0) expect(scopes.includes('commands'), 'slash commands need the scope commands');
  const events: string[] = settings.event_subscriptions?.bot_events ?? [];
  expect(events.length <= 100, 'bot_events takes at most 100');
  for (const event of events) {
    expect(event in EVENTS, `no event ${event}`);
    const scope = EVENTS[event];
    if (scope !== undefined) expect(scopes.includes(scope), `${event} needs the scope ${scope}`);
  }
  if (events.length > 0 && settings.socket_mode_enabled !== true)
    expect(settings.event_subscriptions.request_url !== undefined, 'event_subscriptions needs a request_url');
  if (settings.interactivity?.is_enabled && settings.socket_mode_enabled !== true)
    expect(settings.interactivity.request_url !== undefined, 'interactivity needs a request_url');
  return problems;
}

/** "Create New App, From a manifest." */
export function createApp(manifest: Json): FakeApp {
  const problems = manifestProblems(manifest);
  if (problems.length > 0) throw new Error(`The manifest is refused: ${problems.join('; ')}`);
  const { display_information: display, features = {}, oauth_config: oauth = {}, settings = {} } = manifest;
  return {
    id: 'A0FAKE0001',
    name: display.name,
    clientId: '111.222',
    clientSecret: 'client-secret-of-the-fake',
    signingSecret: '8f742231b10e8888abcd99yyyzzz85a5',
    appToken: 'xapp-1-A0FAKE0001-333-fake',
    scopes: oauth.scopes?.bot ?? [],
    messageShortcuts: (features.shortcuts ?? []).filter(({ type }: Json) => type === 'message'),
    commands: (features.slash_commands ?? []).map(({ command }: Json) => command),
    events: settings.event_subscriptions?.bot_events ?? [],
    hasHome: features.app_home?.home_tab_enabled === true,
    isInteractive: settings.interactivity?.is_enabled === true,
    usesSocket: settings.socket_mode_enabled === true,
    rotatesTokens: settings.token_rotation_enabled === true,
    requestUrl: settings.event_subscriptions?.request_url,
    redirectUrls: oauth.redirect_urls ?? [],
  };
}
