import * as v from 'valibot';

/** The app as its manifest declares it, with the secrets its settings pages would show. */
export type FakeApp = ReturnType<typeof createApp>;

/** Bot scopes this fake knows. */
const SCOPES = [
  ...['app_mentions:read', 'channels:history', 'channels:read', 'chat:write', 'commands', 'files:read'],
  ...['files:write', 'groups:history', 'groups:read', 'im:history', 'im:read', 'im:write', 'users:read'],
];

/** Events this fake can send, each with the scope it needs. */
const EVENTS: Record<string, string | undefined> = {
  app_home_opened: undefined,
  app_mention: 'app_mentions:read',
  app_uninstalled: undefined,
  team_access_revoked: undefined,
  'message.im': 'im:history',
  tokens_revoked: undefined,
};

const text = (least: number, most: number) => v.pipe(v.string(), v.minLength(least), v.maxLength(most));
const flag = v.optional(v.boolean());
const address = v.optional(v.string());

/** What Slack's schema of manifests says of the fields that the bot uses; others are refused. */
const Manifest = v.strictObject({
  _metadata: v.optional(v.unknown()),
  display_information: v.strictObject({
    name: text(1, 35),
    description: v.optional(text(1, 140)),
    long_description: v.optional(text(175, 4000)),
    background_color: v.optional(v.pipe(v.string(), v.regex(/^#([0-9a-fA-F]{3}){1,2}$/))),
  }),
  features: v.strictObject({
    app_home: v.optional(
      v.strictObject({
        home_tab_enabled: flag,
        messages_tab_enabled: flag,
        messages_tab_read_only_enabled: flag,
      }),
    ),
    bot_user: v.optional(v.strictObject({ always_online: flag, display_name: text(1, 80) })),
    slash_commands: v.optional(
      v.pipe(
        v.array(
          v.strictObject({
            command: v.pipe(text(2, 32), v.regex(/^\/[^\s/]+$/)),
            url: address,
            description: text(1, 2000),
            usage_hint: v.optional(text(1, 1000)),
            should_escape: flag,
          }),
        ),
        v.maxLength(50),
      ),
      [],
    ),
    shortcuts: v.optional(
      v.pipe(
        v.array(
          v.strictObject({
            name: text(1, 24),
            type: v.literal('message'),
            callback_id: text(1, 255),
            description: text(1, 150),
          }),
        ),
        v.maxLength(10),
      ),
      [],
    ),
  }),
  oauth_config: v.strictObject({
    redirect_urls: v.optional(v.array(v.string()), []),
    scopes: v.strictObject({
      bot: v.array(v.picklist(SCOPES)),
      /** A part of the others, which people may leave out when they install the app. */
      bot_optional: v.optional(v.array(v.picklist(SCOPES)), []),
    }),
  }),
  settings: v.strictObject({
    event_subscriptions: v.optional(
      v.strictObject({
        request_url: address,
        bot_events: v.pipe(v.array(v.picklist(Object.keys(EVENTS))), v.maxLength(100)),
      }),
    ),
    interactivity: v.optional(v.strictObject({ is_enabled: v.boolean(), request_url: address })),
    org_deploy_enabled: flag,
    socket_mode_enabled: flag,
    token_rotation_enabled: flag,
  }),
});
type Manifest = v.InferOutput<typeof Manifest>;

/** Everything Slack would refuse in a manifest, as far as this fake knows the rules. */
function manifestProblems(manifest: unknown): string[] {
  const { success, issues, output } = v.safeParse(Manifest, JSON.parse(JSON.stringify(manifest)));
  return success ? contradictions(output) : issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
}

function contradictions({ features, oauth_config: { scopes }, settings }: Manifest): string[] {
  const { slash_commands: commands, shortcuts } = features;
  const { event_subscriptions: events, interactivity, socket_mode_enabled: isSocket = false } = settings;
  const isMissing = (scope: string | undefined) => scope !== undefined && !scopes.bot.includes(scope);
  const needed = (events?.bot_events ?? []).filter((event) => isMissing(EVENTS[event]));
  const problems: readonly [is: boolean, what: string][] = [
    [!isSocket && commands.some(({ url }) => url === undefined), 'a command needs a url'],
    [commands.length > 0 && isMissing('commands'), 'slash commands need the scope commands'],
    [shortcuts.length > 0 && interactivity?.is_enabled !== true, 'shortcuts need interactivity'],
    [!isSocket && events !== undefined && events.request_url === undefined, 'events need a request_url'],
    [
      !isSocket && interactivity?.is_enabled === true && interactivity.request_url === undefined,
      'interactivity needs a request_url',
    ],
    [scopes.bot_optional.some(isMissing), 'an optional scope is not among the scopes'],
    ...needed.map((event): [boolean, string] => [true, `${event} needs the scope ${EVENTS[event]}`]),
  ];
  return problems.filter(([is]) => is).map(([, what]) => what);
}

/** "Create New App, From a manifest." */
export function createApp(given: unknown) {
  const problems = manifestProblems(given);
  if (problems.length > 0) throw new Error(`The manifest is refused: ${problems.join('; ')}`);
  const { display_information, features, oauth_config, settings } = v.parse(
    Manifest,
    JSON.parse(JSON.stringify(given)),
  );
  return {
    id: 'A0FAKE0001',
    name: display_information.name,
    clientId: '111.222',
    clientSecret: 'client-secret-of-the-fake',
    /** The one requests are signed with now; tests change it to rotate. */
    signingSecret: '8f742231b10e8888abcd99yyyzzz85a5',
    appToken: 'xapp-1-A0FAKE0001-333-fake',
    scopes: oauth_config.scopes.bot,
    optionalScopes: oauth_config.scopes.bot_optional,
    commands: features.slash_commands,
    messageShortcuts: features.shortcuts,
    events: settings.event_subscriptions?.bot_events ?? [],
    hasHome: features.app_home?.home_tab_enabled === true,
    isInteractive: settings.interactivity?.is_enabled === true,
    usesSocket: settings.socket_mode_enabled === true,
    rotatesTokens: settings.token_rotation_enabled === true,
    isForOrganizations: settings.org_deploy_enabled === true,
    /** Where requests go without Socket Mode. */
    requestUrl: settings.event_subscriptions?.request_url,
    redirectUrls: oauth_config.redirect_urls,
  };
}
