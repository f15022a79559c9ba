import { makeView, messageJson, wholeFile } from './methods.ts';
import { type Control, controlsOf } from './shown.ts';
import { type Ack, deliver, type EnvelopeKind, type Retry, type Sockets } from './sockets.ts';
import {
  addMessage,
  type Channel,
  directChannel,
  isShared,
  type Json,
  type Message,
  type Sight,
  type Slack,
  show,
  type User,
  type View,
  type Workspace,
} from './world.ts';

/** What somebody did, how the app took it, and what they saw because of it. */
export interface UserAction {
  readonly ack: Promise<Ack>;
  /** The first thing shown because of it. */
  readonly shown: Promise<Sight>;
  /** Sends it once more, as Slack does when it had no answer. Events only. */
  again(retry: Retry): Promise<Ack>;
}

/** A file that somebody uploads with a message. */
interface Upload {
  readonly name: string;
  readonly mimetype: string;
  readonly bytes: Buffer;
  readonly isForeign?: boolean;
}

export type Person = ReturnType<typeof makePerson>;

interface Scene {
  readonly slack: Slack;
  readonly workspace: Workspace;
  readonly user: User;
}

/** Somebody in a workspace, at their keyboard. */
export function makePerson({ slack, workspace, user }: Scene, sockets: Sockets) {
  const { world, app } = slack;
  const act = (kind: EnvelopeKind, payload: Json, isMine: (sight: Sight) => boolean): UserAction => {
    const shown = nextSight(slack, isMine);
    return {
      ack: deliver(slack, sockets, kind, payload),
      shown,
      again: (retry) => deliver(slack, sockets, kind, payload, retry),
    };
  };
  const sendEvent = (type: string, event: Json, isMine: (sight: Sight) => boolean): UserAction => {
    if (!app.events.includes(type)) throw new Error(`The app is not subscribed to ${type}`);
    return act('events_api', eventPayload(slack, workspace, event), isMine);
  };
  const isAnswerIn = (channel: Channel) => (sight: Sight) =>
    sight.workspace === workspace.id &&
    sight.message?.byApp === true &&
    (sight.message.channel === channel.id || sight.message.only === user.id);
  /** What a request carries to be answered with, and what was shown because of it. */
  const answerable = (channel: string, original?: Message) => {
    const trigger_id = slack.triggers.issue(workspace.id, user.id).id;
    const where = { workspace: workspace.id, channel, user: user.id, original };
    const { key } = slack.responseUrls.issue(where);
    const isMine = ({ cause }: Sight) => cause === key || cause === trigger_id;
    return { trigger_id, response_url: `${slack.base}/response/${key}`, isMine };
  };
  const interaction = (type: string, more: Json): Json => {
    const { organization } = workspace;
    return {
      type,
      token: VERIFICATION_TOKEN,
      api_app_id: app.id,
      // Null for an organization's app, in place of the workspace; a person belongs to the organization.
      team: isShared(workspace) ? null : { id: workspace.id, domain: workspace.domain },
      user: { id: user.id, username: user.name, name: user.name, team_id: organization ?? workspace.id },
      enterprise: organization === undefined ? null : { id: organization, name: 'The organization' },
      is_enterprise_install: isShared(workspace),
      ...more,
    };
  };

  const store = (file: Upload, isReadable = false): string => {
    const id = world.nextId('F');
    const { length } = file.bytes;
    workspace.files.set(id, {
      ...file,
      id,
      length,
      isReadable,
      isComplete: true,
      readyAt: 0,
    });
    return id;
  };
  const fileJson = (id: string): Json => {
    return workspace.files.get(id)?.isForeign
      ? { id, mode: 'file_access', file_access: 'check_file_info', created: 0, timestamp: 0, user: '' }
      : wholeFile(slack, workspace, id);
  };

  return {
    id: user.id,

    /** There is no thread here: Slack takes no slash commands in threads. */
    slash(channel: Channel, line: string): UserAction {
      const [typed = '', ...words] = line.split(' ');
      const command = app.commands.find((one) => one.command === typed);
      if (command === undefined) throw new Error(`${typed} is not a valid command`);
      const { isMine, ...answers } = answerable(channel.id);
      const payload = {
        token: VERIFICATION_TOKEN,
        team_id: workspace.id,
        team_domain: workspace.domain,
        channel_id: channel.id,
        channel_name: channel.kind === 'private' ? 'privategroup' : channel.name,
        user_id: user.id,
        user_name: user.name,
        command: typed,
        text: command.should_escape ? escapeTyped(workspace, words.join(' ')) : words.join(' '),
        api_app_id: app.id,
        ...(workspace.organization !== undefined && { enterprise_id: workspace.organization }),
        is_enterprise_install: String(isShared(workspace)),
        ...answers,
      };
      return act('slash_commands', payload, isMine);
    },

    /** A message to the people of a channel, which the app does not receive. */
    say(channel: Channel, text: string, ...uploads: readonly Upload[]): Message {
      const files = uploads.map((file) => store(file));
      return addMessage(world, workspace, channel, { user: user.id, text, files });
    },

    /** Chooses a shortcut of the app in the menu of a message. */
    choose(message: Message, shortcut: string): UserAction {
      const known = app.messageShortcuts.find(({ name }) => name === shortcut);
      if (known === undefined) throw new Error(`No shortcut "${shortcut}"`);
      const { isMine, ...answers } = answerable(message.channel);
      const payload = interaction('message_action', {
        callback_id: known.callback_id,
        action_ts: world.nextTs(),
        message_ts: message.ts,
        channel: { id: message.channel },
        message: {
          ...messageJson(workspace, app.id, message, false),
          edited: message.isEdited ? { user: message.user, ts: world.nextTs() } : undefined,
          ...(message.files.length > 0 && {
            files: message.files.map(fileJson),
          }),
        },
        ...answers,
      });
      return act('interactive', payload, isMine);
    },

    mention(channel: Channel, text: string, thread?: Message): UserAction {
      const { ts, threadTs, ...message } = addMessage(world, workspace, channel, {
        user: user.id,
        text: `<@${workspace.botUser}> ${text}`,
        threadTs: thread && (thread.threadTs ?? thread.ts),
      });
      if (!channel.members.has(workspace.botUser))
        throw new Error('Slack sends mentions only to members of the channel');
      const place = { channel: channel.id, ts, event_ts: ts, thread_ts: threadTs };
      const event = { type: 'app_mention', user: user.id, text: message.text, ...place };
      return sendEvent('app_mention', event, isAnswerIn(channel));
    },

    /** A message in the app's own conversation. */
    write(text: string, ...uploads: readonly Upload[]): UserAction {
      const channel = directChannel(world, workspace, user.id);
      const files = uploads.map((file) => store(file));
      const { ts } = addMessage(world, workspace, channel, { user: user.id, text, files });
      const place = { channel: channel.id, channel_type: 'im', ts, event_ts: ts };
      const shared = files.length > 0 && { subtype: 'file_share', files: files.map(fileJson) };
      const event = { type: 'message', user: user.id, text, ...place, ...shared };
      return sendEvent('message.im', event, isAnswerIn(channel));
    },

    openHome(): UserAction {
      const channel = directChannel(world, workspace, user.id).id;
      const view = workspace.homes.get(user.id);
      const event_ts = world.nextTs();
      return sendEvent(
        'app_home_opened',
        { type: 'app_home_opened', user: user.id, channel, tab: 'home', event_ts, view },
        (sight) => sight.view?.type === 'home' && sight.viewer === user.id,
      );
    },

    /** Presses a button of a message or a view, found by its label and, where several share it, by number. */
    press(on: Message | View, label: string, which = 0): UserAction {
      if (!app.isInteractive) throw new Error('The app has no interactivity');
      const controls = controlsOf(on.blocks);
      const control = controls.filter((found) => isOn(found, label))[which];
      if (control === undefined)
        throw new Error(`No button "${label}", only: ${controls.map((found) => found.label)}`);
      const { type, text, value } = control.element;
      const chosen = choiceOf(control, label);
      const ids = { action_id: control.actionId, block_id: control.blockId, action_ts: world.nextTs() };
      const action = { type, ...(chosen ? { selected_option: chosen } : { text, value }), ...ids };
      const pressed = { actions: [action], state: { values: {} } };
      if (isView(on)) {
        const { trigger_id } = answerable('');
        const container = { type: 'view', view_id: on.id };
        const payload = interaction('block_actions', { ...pressed, trigger_id, container, view: on });
        return act('interactive', payload, (sight) => sight.cause === trigger_id || sight.viewer === user.id);
      }
      const { isMine, ...answers } = answerable(on.channel, on);
      const isEphemeral = on.only !== undefined;
      // The first message of a thread is in a thread of its own time.
      const isFirst = workspace.channels.get(on.channel)?.messages.some(({ threadTs }) => threadTs === on.ts);
      const place = {
        channel_id: on.channel,
        message_ts: on.ts,
        thread_ts: isFirst ? on.ts : on.threadTs,
      };
      const payload = interaction('block_actions', {
        ...pressed,
        container: { type: 'message', ...place, is_ephemeral: isEphemeral },
        channel: { id: on.channel },
        // Slack keeps ephemeral messages nowhere, and so has none to send along.
        message: isEphemeral ? undefined : messageJson(workspace, app.id, on, false),
        ...answers,
      });
      return act('interactive', payload, isMine);
    },

    /** Fills in the open modal by the labels of its inputs, and submits it. */
    submit(values: Record<string, string | Upload>): UserAction {
      const stack = workspace.modals.get(user.id) ?? [];
      const view = stack.at(-1);
      if (view?.submit === undefined) throw new Error('No modal is open that can be submitted');
      const { trigger_id } = answerable('');
      const submitted = {
        ...view,
        state: { values: stateOf(view, values, (file) => fileJson(store(file, true))) },
      };
      const payload = interaction('view_submission', { trigger_id, view: submitted, response_urls: [] });
      const action = act('interactive', payload, (sight) => sight.viewer === user.id);
      void action.ack.then(({ problem, body }) => {
        if (problem === undefined && body === undefined) stack.pop();
        if (body?.response_action === 'update') {
          // An invalid view is refused, and the person reads that the app has trouble.
          const updated = makeView({ slack, workspace }, body.view, 'modal', view.id);
          const at = stack.findIndex(({ id }) => id === view.id);
          if (at >= 0) stack.splice(at, 1, updated);
          show(slack, { workspace: workspace.id, view: updated, viewer: user.id });
        }
      });
      return action;
    },

    get modal(): View | undefined {
      return workspace.modals.get(user.id)?.at(-1);
    },
  };
}

/**
 * What the setting "Escape channels, users, and links sent to your app" makes of a typed line; without it, the app gets
 * what people see.
 */
function escapeTyped({ users, groups }: Workspace, text: string): string {
  const named = new Map([
    ...[...users.values()].map(({ id, name }) => [name, `<@${id}|${name}>`] as const),
    ...[...groups].map(([id, handle]) => [handle, `<!subteam^${id}|@${handle}>`] as const),
  ]);
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/@([\w.-]+)/g, (plain, name: string) => named.get(name) ?? plain)
    .replace(/\bhttps?:\/\/\S+/g, (link) => `<${link}>`);
}

/** A button of this label, or a menu with a choice of this label. */
function isOn(control: Control, label: string): boolean {
  return control.label === label || choiceOf(control, label) !== undefined;
}

function choiceOf({ element }: Control, label: string): Json | undefined {
  return element.options?.find((option: Json) => option.text.text === label);
}

/** Resolves with what is shown next that fits; to be asked before it can happen. */
export function nextSight(slack: Slack, fits: (sight: Sight) => boolean): Promise<Sight> {
  return new Promise((resolve) => {
    const watch = (sight: Sight) => {
      if (!fits(sight)) return;
      slack.watchers.delete(watch);
      resolve(sight);
    };
    slack.watchers.add(watch);
  });
}

/** "There is a 10MB file size limit." */
const FORM_FILE_MOST = 10_000_000;

function stateOf(view: View, values: Record<string, string | Upload>, give: (file: Upload) => Json): Json {
  const state: Json = {};
  const left = new Set(Object.keys(values));
  for (const block of view.blocks.filter(({ type }) => type === 'input')) {
    const label = block.label.text;
    left.delete(label);
    const value = values[label] ?? null;
    if (block.element.type === 'file_input') {
      if (typeof value === 'string') throw new Error(`"${label}" takes a file`);
      if (value === null && !block.optional) throw new Error(`"${label}" must be filled in`);
      if (value !== null && value.bytes.length > FORM_FILE_MOST) throw new Error('Slack takes at most 10 MB');
      if (value !== null && !block.element.filetypes?.includes(value.name.split('.').at(-1)))
        throw new Error(`Slack takes no ${value.name} here`);
      const files = value === null ? [] : [give(value)];
      state[block.block_id] = { [block.element.action_id]: { type: 'file_input', files } };
      continue;
    }
    if (value === null && !block.optional && !block.element.initial_value)
      throw new Error(`"${label}" must be filled in`);
    state[block.block_id] = {
      [block.element.action_id]: {
        type: block.element.type,
        value: value ?? block.element.initial_value ?? null,
      },
    };
  }
  if (left.size > 0) throw new Error(`The form has no ${[...left]}`);
  return state;
}

function isView(on: Message | View): on is View {
  return 'hash' in on;
}

const VERIFICATION_TOKEN = 'the-old-token-nobody-should-trust';

export function eventPayload(slack: Slack, workspace: Workspace, event: Json): Json {
  const authorization = {
    enterprise_id: workspace.organization ?? null,
    team_id: workspace.id,
    user_id: workspace.botUser,
    is_bot: true,
    is_enterprise_install: isShared(workspace),
  };
  return {
    token: VERIFICATION_TOKEN,
    team_id: workspace.id,
    api_app_id: slack.app.id,
    event,
    type: 'event_callback',
    event_id: slack.world.nextId('Ev'),
    event_time: Math.floor(slack.world.clock.now() / 1000),
    authorizations: [authorization],
    is_ext_shared_channel: false,
  };
}
