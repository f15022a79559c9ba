import type { ArgumentRule } from '../arguments.ts';
import { viewProblems } from '../block-kit/views.ts';
import { canShow } from '../content.ts';
import { Refusal, refuseFor } from '../refusal.ts';
import { type Call, show } from '../slack.ts';
import type { Json, View } from '../world.ts';
import { type Method, NEEDED, TEXT } from './method.ts';

const VIEW: ArgumentRule = { kind: 'json', required: true };
const MOST_MODALS = 3;

export const viewMethods: Record<string, Method> = {
  'views.open': {
    token: 'bot',
    scopes: [],
    tier: 4,
    args: { trigger_id: NEEDED, interactivity_pointer: TEXT, view: VIEW },
    run(call) {
      const { slack, workspace, args } = call;
      const view = makeView(call, args.view, 'modal');
      const trigger = slack.triggers.use(args.trigger_id, workspace.id);
      workspace.modals.set(trigger.user, [view]);
      show(slack, { workspace: workspace.id, view, viewer: trigger.user, cause: trigger.id });
      return { view };
    },
  },

  'views.push': {
    token: 'bot',
    scopes: [],
    tier: 4,
    args: { trigger_id: NEEDED, interactivity_pointer: TEXT, view: VIEW },
    run(call) {
      const { slack, workspace, args } = call;
      const view = makeView(call, args.view, 'modal');
      const trigger = slack.triggers.use(args.trigger_id, workspace.id);
      const open = workspace.modals.get(trigger.user) ?? [];
      if (open.length === 0) throw new Refusal('not_found');
      if (open.length >= MOST_MODALS) throw new Refusal('push_limit_reached');
      open.push(view);
      show(slack, { workspace: workspace.id, view, viewer: trigger.user, cause: trigger.id });
      return { view };
    },
  },

  'views.update': {
    token: 'bot',
    scopes: [],
    tier: 4,
    args: { view: VIEW, view_id: TEXT, external_id: TEXT, hash: TEXT },
    run(call) {
      const { slack, workspace, args } = call;
      if ((args.view_id === undefined) === (args.external_id === undefined))
        throw refuseFor('invalid_arguments', ['needs either view_id or external_id']);
      const found = findView(call, args.view_id ?? args.external_id);
      if (found === undefined) throw new Refusal('not_found');
      const { old, user, replace } = found;
      if (args.hash !== undefined && args.hash !== old.hash) throw new Refusal('hash_conflict');
      const view = makeView(call, args.view, old.type, old.id);
      replace(view);
      show(slack, { workspace: workspace.id, view, viewer: user });
      return { view };
    },
  },

  'views.publish': {
    token: 'bot',
    scopes: [],
    tier: 4,
    args: { user_id: NEEDED, view: VIEW, hash: TEXT, interactivity_pointer: TEXT },
    run(call) {
      const { slack, workspace, args } = call;
      if (!slack.app.hasHome) throw new Refusal('not_enabled');
      if (!workspace.users.has(args.user_id))
        throw refuseFor('invalid_arguments', ['user not found [argument:user_id]']);
      const old = workspace.homes.get(args.user_id);
      if (args.hash !== undefined && args.hash !== old?.hash) throw new Refusal('hash_conflict');
      const view = makeView(call, args.view, 'home', old?.id);
      workspace.homes.set(args.user_id, view);
      show(slack, { workspace: workspace.id, view, viewer: args.user_id });
      return { view };
    },
  },
};

/** A checked view with all that Slack adds to it. */
export function makeView(
  { slack, workspace }: Pick<Call, 'slack' | 'workspace'>,
  given: Json,
  type: View['type'],
  id: string = slack.world.nextId('V'),
): View {
  const { problems, isTooLarge } = viewProblems(given, type, canShow(slack, workspace));
  if (isTooLarge) throw new Refusal('view_too_large');
  if (problems.length > 0) throw refuseFor('invalid_arguments', problems);
  const blocks = (given.blocks as Json[]).map((block) => ({ block_id: slack.world.nextId('b'), ...block }));
  return {
    callback_id: '',
    private_metadata: '',
    external_id: '',
    ...given,
    id,
    type,
    blocks,
    team_id: workspace.id,
    app_id: slack.app.id,
    app_installed_team_id: workspace.id,
    bot_id: workspace.botId,
    state: { values: {} },
    hash: `${slack.world.nextTs()}.hash`,
    root_view_id: id,
    previous_view_id: null,
  };
}

function findView(
  { workspace }: Call,
  key: string,
): { old: View; user: string; replace: (view: View) => void } | undefined {
  const isIt = (view: View) => view.id === key || (view.external_id !== '' && view.external_id === key);
  for (const [user, stack] of workspace.modals) {
    const at = stack.findIndex(isIt);
    if (at >= 0) return { old: stack[at]!, user, replace: (view) => void stack.splice(at, 1, view) };
  }
  for (const [user, home] of workspace.homes) {
    if (isIt(home)) return { old: home, user, replace: (view) => void workspace.homes.set(user, view) };
  }
  return undefined;
}
