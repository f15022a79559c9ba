import type { Slack } from './slack.ts';
import type { Channel, Json, Message, User, View, Workspace } from './world.ts';

/** The payloads Slack sends when people do things. */

const VERIFICATION_TOKEN = 'the-old-token-nobody-should-trust';

export interface Scene {
  readonly slack: Slack;
  readonly workspace: Workspace;
  readonly user: User;
}

export function slashPayload(
  { slack, workspace, user }: Scene,
  { channel, command, text, responseUrl, trigger }: SlashDetails,
): Json {
  return {
    token: VERIFICATION_TOKEN,
    team_id: workspace.id,
    team_domain: workspace.domain,
    channel_id: channel.id,
    channel_name: channel.kind === 'private' ? 'privategroup' : channel.name,
    user_id: user.id,
    user_name: user.name,
    command,
    text,
    api_app_id: slack.app.id,
    ...(workspace.organization !== undefined && { enterprise_id: workspace.organization }),
    is_enterprise_install: String(isShared(workspace)),
    response_url: responseUrl,
    trigger_id: trigger,
  };
}

interface SlashDetails {
  readonly channel: Channel;
  readonly command: string;
  readonly text: string;
  readonly responseUrl: string;
  readonly trigger: string;
}

/** Where a button sits. */
export type Surface =
  | { readonly message: Message; readonly channel: Channel; readonly responseUrl: string }
  | { readonly view: View };

export function actionPayload(scene: Scene, surface: Surface, action: Json, trigger: string): Json {
  const { slack, workspace } = scene;
  const surfaceFields =
    'view' in surface
      ? { container: { type: 'view', view_id: surface.view.id }, view: surface.view }
      : messagePlace(slack, workspace, surface);
  return {
    type: 'block_actions',
    user: userJson(scene),
    api_app_id: slack.app.id,
    token: VERIFICATION_TOKEN,
    trigger_id: trigger,
    team: { id: workspace.id, domain: workspace.domain },
    enterprise: enterpriseOf(workspace),
    is_enterprise_install: isShared(workspace),
    state: { values: {} },
    ...surfaceFields,
    actions: [action],
  };
}

export function shortcutPayload(
  scene: Scene,
  { message, channel, responseUrl }: Exclude<Surface, { view: View }>,
  callbackId: string,
  trigger: string,
): Json {
  const { workspace } = scene;
  return {
    type: 'message_action',
    token: VERIFICATION_TOKEN,
    callback_id: callbackId,
    trigger_id: trigger,
    action_ts: scene.slack.world.nextTs(),
    message_ts: message.ts,
    response_url: responseUrl,
    team: { id: workspace.id, domain: workspace.domain },
    user: userJson(scene),
    channel: { id: channel.id, name: channel.name },
    enterprise: enterpriseOf(workspace),
    is_enterprise_install: isShared(workspace),
    message: {
      type: 'message',
      user: message.user,
      ts: message.ts,
      text: message.text,
      team: workspace.id,
      blocks: message.blocks,
      ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
      ...(message.isEdited && { edited: { user: message.user, ts: scene.slack.world.nextTs() } }),
    },
  };
}

function messagePlace(slack: Slack, workspace: Workspace, surface: Exclude<Surface, { view: View }>): Json {
  const { message, channel, responseUrl } = surface;
  const isEphemeral = message.only !== undefined;
  return {
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: isEphemeral,
      ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    },
    channel: { id: channel.id, name: channel.name },
    // Slack keeps ephemeral messages nowhere, and so has none to send along.
    ...(!isEphemeral && {
      message: {
        type: 'message',
        user: message.user,
        ts: message.ts,
        bot_id: workspace.botId,
        app_id: slack.app.id,
        text: message.text,
        team: workspace.id,
        blocks: message.blocks,
        ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
      },
    }),
    response_url: responseUrl,
  };
}

export function submissionPayload(scene: Scene, view: View, values: Json, trigger: string): Json {
  const { slack, workspace } = scene;
  return {
    type: 'view_submission',
    team: { id: workspace.id, domain: workspace.domain },
    user: userJson(scene),
    api_app_id: slack.app.id,
    token: VERIFICATION_TOKEN,
    trigger_id: trigger,
    view: { ...view, state: { values } },
    response_urls: [],
    is_enterprise_install: isShared(workspace),
    enterprise: enterpriseOf(workspace),
  };
}

export function eventPayload(slack: Slack, workspace: Workspace, event: Json): Json {
  return {
    token: VERIFICATION_TOKEN,
    team_id: workspace.id,
    api_app_id: slack.app.id,
    event,
    type: 'event_callback',
    event_id: slack.world.nextId('Ev'),
    event_time: Math.floor(slack.world.clock.now() / 1000),
    authorizations: [
      {
        enterprise_id: workspace.organization ?? null,
        team_id: workspace.id,
        user_id: workspace.botUser,
        is_bot: true,
        is_enterprise_install: isShared(workspace),
      },
    ],
    is_ext_shared_channel: false,
  };
}

function userJson({ workspace, user }: Scene): Json {
  return { id: user.id, username: user.name, name: user.name, team_id: workspace.id };
}

/** Whether the app is there by the organization's installation, and not by one of its own. */
function isShared({ organization, isInstalled }: Workspace): boolean {
  return organization !== undefined && !isInstalled;
}

function enterpriseOf({ organization }: Workspace): Json | null {
  return organization === undefined ? null : { id: organization, name: 'The organization' };
}
