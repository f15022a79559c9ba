import { type Ack, deliver, type EnvelopeKind, type Retry } from './delivery.ts';
import { makeView } from './methods/views.ts';
import {
  actionPayload,
  eventPayload,
  type Scene,
  type Surface,
  shortcutPayload,
  slashPayload,
  submissionPayload,
} from './payloads.ts';
import { type Control, controlsOf } from './shown.ts';
import { type Sight, type Slack, show } from './slack.ts';
import type { Sockets } from './sockets.ts';
import { addMessage, type Channel, directChannel, type Json, type Message, type View } from './world.ts';

/** What somebody did, how the app took it, and what they saw because of it. */
export interface UserAction {
  readonly ack: Promise<Ack>;
  /** The first thing shown because of it. */
  readonly shown: Promise<Sight>;
  /** Sends it once more, as Slack does when it had no answer. Events only. */
  again(retry: Retry): Promise<Ack>;
}

export interface PressTimes {
  /** When Slack says that it was pressed, in place of now. */
  readonly at?: string;
}

/** Somebody in a workspace, at their keyboard. */
export interface Person {
  readonly id: string;
  /** There is no thread here: Slack takes no slash commands in threads. */
  slash(channel: Channel, line: string): UserAction;
  mention(channel: Channel, text: string, thread?: Message): UserAction;
  /** A message to the people of a channel, of which the app learns nothing. */
  say(channel: Channel, text: string): Message;
  /** Chooses a shortcut of the app in the menu of a message. */
  choose(message: Message, shortcut: string): UserAction;
  /** A message in the app's own conversation. */
  write(text: string): UserAction;
  openHome(): UserAction;
  /** Presses a button of a message or a view, found by its label and, where several share it, by number. */
  press(on: Message | View, label: string, which?: number, times?: PressTimes): UserAction;
  /** Fills in the open modal by the labels of its inputs, and submits it. */
  submit(values: Record<string, string>): UserAction;
  readonly modal: View | undefined;
  /** Closes the open modal, and shows the one below it if there is one. */
  close(): void;
}

export function makePerson(scene: Scene, sockets: Sockets): Person {
  const { slack, workspace, user } = scene;
  const issue = () => slack.triggers.issue(workspace.id, user.id).id;
  const act = (kind: EnvelopeKind, payload: Json, isMine: (sight: Sight) => boolean): UserAction => {
    const shown = nextSight(slack, isMine);
    return {
      ack: deliver(slack, sockets, kind, payload),
      shown,
      again: (retry) => deliver(slack, sockets, kind, payload, retry),
    };
  };
  const sendEvent = (type: string, event: Json, isMine: (sight: Sight) => boolean): UserAction => {
    if (!slack.app.events.includes(type)) throw new Error(`The app is not subscribed to ${type}`);
    return act('events_api', eventPayload(slack, workspace, event), isMine);
  };
  const isAnswerIn = (channel: Channel) => (sight: Sight) =>
    sight.workspace === workspace.id &&
    sight.message?.byApp === true &&
    (sight.message.channel === channel.id || sight.message.only === user.id);

  return {
    id: user.id,

    slash(channel, line) {
      const [command = '', ...words] = line.split(' ');
      if (!slack.app.commands.includes(command)) throw new Error(`${command} is not a valid command`);
      const trigger = issue();
      const { key } = slack.responseUrls.issue({
        workspace: workspace.id,
        channel: channel.id,
        user: user.id,
        original: undefined,
      });
      const responseUrl = `${slack.base}/response/${key}`;
      const payload = slashPayload(scene, { channel, command, text: words.join(' '), responseUrl, trigger });
      return act('slash_commands', payload, ({ cause }) => cause === key || cause === trigger);
    },

    say(channel, text) {
      return addMessage(slack.world, workspace, channel, { user: user.id, text });
    },

    choose(message, shortcut) {
      const known = slack.app.messageShortcuts.find(({ name }: Json) => name === shortcut);
      if (known === undefined) throw new Error(`No shortcut "${shortcut}"`);
      const trigger = issue();
      const channel = workspace.channels.get(message.channel)!;
      const { key } = slack.responseUrls.issue({
        workspace: workspace.id,
        channel: channel.id,
        user: user.id,
        original: undefined,
      });
      const responseUrl = `${slack.base}/response/${key}`;
      const payload = shortcutPayload(scene, { message, channel, responseUrl }, known.callback_id, trigger);
      return act(
        'interactive',
        slack.broken.request('message_action', payload),
        ({ cause }) => cause === key || cause === trigger,
      );
    },

    mention(channel, text, thread) {
      const message = addMessage(slack.world, workspace, channel, {
        user: user.id,
        text: `<@${workspace.botUser}> ${text}`,
        threadTs: thread === undefined ? undefined : (thread.threadTs ?? thread.ts),
      });
      if (!channel.members.has(workspace.botUser))
        throw new Error('Slack sends mentions only to members of the channel');
      const event = {
        type: 'app_mention',
        user: user.id,
        text: message.text,
        ts: message.ts,
        channel: channel.id,
        event_ts: message.ts,
        ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
      };
      return sendEvent('app_mention', event, isAnswerIn(channel));
    },

    write(text) {
      const channel = directChannel(slack.world, workspace, user.id);
      const { ts } = addMessage(slack.world, workspace, channel, { user: user.id, text });
      const event = {
        type: 'message',
        channel_type: 'im',
        user: user.id,
        text,
        ts,
        channel: channel.id,
        event_ts: ts,
      };
      return sendEvent('message.im', event, isAnswerIn(channel));
    },

    openHome() {
      const { id } = directChannel(slack.world, workspace, user.id);
      const view = workspace.homes.get(user.id);
      const event = {
        type: 'app_home_opened',
        user: user.id,
        channel: id,
        tab: 'home',
        event_ts: slack.world.nextTs(),
        ...(view && { view }),
      };
      return sendEvent(
        'app_home_opened',
        event,
        (sight) => sight.view?.type === 'home' && sight.viewer === user.id,
      );
    },

    press(on, label, which = 0, { at } = {}) {
      if (!slack.app.isInteractive) throw new Error('The app has no interactivity');
      const controls = controlsOf(on.blocks);
      const control = controls.filter((found) => isOn(found, label))[which];
      if (control === undefined)
        throw new Error(`No button "${label}", only: ${controls.map((found) => found.label)}`);
      const trigger = issue();
      const { type, text, value } = control.element;
      const chosen = choiceOf(control, label);
      const ids = { action_id: control.actionId, block_id: control.blockId };
      const action_ts = at ?? slack.world.nextTs();
      const action = { type, ...(chosen ? { selected_option: chosen } : { text, value }), ...ids, action_ts };
      if (isView(on)) {
        const payload = actionPayload(scene, { view: on }, action, trigger);
        return act('interactive', payload, ({ cause, viewer }) => cause === trigger || viewer === user.id);
      }
      const channel = workspace.channels.get(on.channel)!;
      const { key } = slack.responseUrls.issue({
        workspace: workspace.id,
        channel: channel.id,
        user: user.id,
        original: on,
      });
      const surface: Surface = { message: on, channel, responseUrl: `${slack.base}/response/${key}` };
      const payload = actionPayload(scene, surface, action, trigger);
      return act('interactive', payload, ({ cause }) => cause === key || cause === trigger);
    },

    submit(values) {
      const stack = workspace.modals.get(user.id) ?? [];
      const view = stack.at(-1);
      if (view === undefined) throw new Error('No modal is open');
      if (view.submit === undefined) throw new Error('The modal has nothing to submit');
      const trigger = issue();
      const state = stateOf(view, values);
      const action = act(
        'interactive',
        submissionPayload(scene, view, state, trigger),
        (sight) => sight.viewer === user.id,
      );
      void action.ack.then(({ problem, body }) => {
        if (problem === undefined && body === undefined) stack.pop();
        if (body?.response_action === 'clear') stack.length = 0;
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

    get modal() {
      return workspace.modals.get(user.id)?.at(-1);
    },

    close() {
      if (workspace.modals.get(user.id)?.pop() === undefined) throw new Error('No modal is open');
    },
  };
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

function stateOf(view: View, values: Record<string, string>): Json {
  const state: Json = {};
  const left = new Set(Object.keys(values));
  for (const block of view.blocks.filter(({ type }) => type === 'input')) {
    const label = block.label.text;
    left.delete(label);
    const value = values[label] ?? null;
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
