import { checkArguments } from '../arguments.ts';
import { needScope } from '../channels.ts';
import { TIERS } from '../pace.ts';
import { Refusal } from '../refusal.ts';
import type { Slack } from '../slack.ts';
import type { Grant } from '../tokens.ts';
import type { Json, Workspace } from '../world.ts';
import { chatMethods } from './chat.ts';
import { conversationMethods } from './conversations.ts';
import { fileMethods } from './files.ts';
import { identityMethods } from './identity.ts';
import type { Method } from './method.ts';
import { viewMethods } from './views.ts';

const METHODS: Record<string, Method> = {
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
  ...identityMethods,
  ...viewMethods,
};

/** What a call with this token and these arguments answers; a Refusal or TooFast is thrown. */
export function callMethod(slack: Slack, name: string, token: string | undefined, given: Json): Json {
  const method = METHODS[name];
  if (method === undefined) throw new Refusal('unknown_method', { req_method: name });
  const grant = grantOf(slack, method, token);
  const workspace = slack.world.workspaces.get(grant.workspace) ?? workspaceOf(slack, grant, given);
  const call = { slack, grant, workspace: workspace as Workspace, args: {} };
  for (const scope of method.scopes) needScope(call, scope);
  const args = checkArguments(given, method.args);
  if (method.token === 'bot' && args.team_id !== undefined && args.team_id !== grant.workspace)
    throw new Refusal('team_not_found');
  if (method.tier !== undefined) slack.pace.call(grant.workspace, name, TIERS[method.tier]);
  return { ok: true, ...method.run({ ...call, args }) };
}

/** Which of an organization's workspaces a call is about: that of its channel, view or trigger. */
function workspaceOf(
  { world, triggers }: Slack,
  { workspace: organization }: Grant,
  given: Json,
): Workspace | undefined {
  const members = [...world.workspaces.values()].filter((one) => one.organization === organization);
  const { channel, channel_id = channel, trigger_id, view_id } = given;
  const issued = triggers.workspaceOf(String(trigger_id));
  const found = members.find(
    ({ id, channels, modals }) =>
      channels.has(channel_id) ||
      id === issued ||
      [...modals.values()].some((views) => views.some((view) => view.id === view_id)),
  );
  if (found !== undefined && !found.isAdded) throw new Refusal('team_access_not_granted');
  return found ?? members.find(({ isAdded }) => isAdded);
}

/** The scopes a method accepts and a token holds, for the answer's headers. */
export function scopesOf(name: string): readonly string[] {
  return METHODS[name]?.scopes ?? [];
}

const NOBODY: Grant = {
  token: '',
  kind: 'app',
  workspace: '',
  scopes: [],
  expiresAt: undefined,
  refreshToken: undefined,
  dead: undefined,
};

function grantOf(slack: Slack, method: Method, token: string | undefined): Grant {
  return method.token === 'none' ? NOBODY : slack.tokens.check(token, method.token);
}
