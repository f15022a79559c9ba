import { publicAddress } from '../../config/config.ts';
import type { Command } from '../../dispatch/contract.ts';
import { SLASH_COMMAND } from './mrkdwn.ts';

/** The shortcut on a message with a picture of a board. */
export const SOLVE_SHORTCUT = 'solve_board';

export const EVENTS_PATH = '/slack/events';
export const INSTALL_PATH = '/slack/install';
export const REDIRECT_PATH = '/slack/oauth_redirect';

/** Each permission that people can't leave out when they install it. docs/slack.md says why each is asked for. */
export const REQUIRED_SCOPE_NAMES: readonly string[] = [
  'app_mentions:read',
  'channels:read',
  'chat:write',
  'commands',
  'files:write',
  'groups:read',
  'im:history',
  'im:write',
];
/** People may leave them out when they install the app. */
const OPTIONAL_SCOPES: readonly string[] = ['channels:history', 'files:read', 'groups:history', 'users:read'];

/** The scopes that are asked for. Slack knows from the manifest which of them are optional. */
export const ALL_SCOPES = [...REQUIRED_SCOPE_NAMES, ...OPTIONAL_SCOPES];

/** What the app does, for Slack's directory and for the page with *Add to Slack*. */
export const OVERVIEW =
  'A companion for Letter Boxed. It posts the day’s board where you want it, with hints that come step by step in its thread, each behind a Show button: only the person who presses it sees the hint. It checks your words and says which rule a wrong one breaks, goes on from where you are stuck, solves any board you type, and makes new ones.';

/**
 * The app, for "Create New App, From a manifest".
 *
 * @param options `publicUrl`: where Slack reaches this process over HTTP; without it, the app uses Socket Mode
 */
export function makeManifest(options: {
  readonly commands: readonly Pick<Command, 'name'>[];
  readonly publicUrl?: string;
  readonly rotation?: boolean;
}) {
  const { commands, publicUrl, rotation = false } = options;
  const url = publicUrl === undefined ? undefined : publicAddress(publicUrl, EVENTS_PATH).href;
  return {
    _metadata: { major_version: 2, minor_version: 1 },
    display_information: {
      name: 'Letter Boxed',
      description: 'Hints, checks and solutions for Letter Boxed, and a daily thread that spoils nothing.',
      long_description: OVERVIEW,
      background_color: '#23262d',
    },
    features: {
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: 'letterboxed', always_online: true },
      shortcuts: [
        {
          // Slack takes 24 characters.
          name: 'Add to my results',
          type: 'message',
          callback_id: 'add_to_results',
          description: 'Add this message to your Letter Boxed results',
        },
        {
          name: 'Solve the board',
          type: 'message',
          callback_id: SOLVE_SHORTCUT,
          description: 'Solve the Letter Boxed board in the picture of this message',
        },
      ],
      slash_commands: [
        {
          command: SLASH_COMMAND,
          description: 'Boards, hints and solutions for Letter Boxed',
          // Slack shows it while the command is typed, and accepts 1,000 characters.
          usage_hint: `[${commands.map(({ name }) => name).join(' | ')}]`,
          // Otherwise the name of a group or person arrives without the id that a mention needs.
          should_escape: true,
          url,
        },
      ],
    },
    oauth_config: {
      redirect_urls: publicUrl === undefined ? undefined : [publicAddress(publicUrl, REDIRECT_PATH).href],
      scopes: { bot: ALL_SCOPES, bot_optional: OPTIONAL_SCOPES },
    },
    settings: {
      event_subscriptions: {
        request_url: url,
        bot_events: ['app_home_opened', 'app_mention', 'app_uninstalled', 'message.im', 'tokens_revoked'],
      },
      interactivity: { is_enabled: true, request_url: url },
      // One installation for all workspaces of an organization; installations are made over HTTP.
      org_deploy_enabled: url !== undefined,
      socket_mode_enabled: url === undefined,
      token_rotation_enabled: rotation,
    },
  };
}
