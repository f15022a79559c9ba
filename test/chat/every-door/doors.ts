/** Every door's way to show a reply and a form, held against its platform's rules as the fakes know them. */

import { makeModal } from '../../../src/chat/discord/context.ts';
import { renderReply as renderForDiscord } from '../../../src/chat/discord/render.ts';
import type { Origin } from '../../../src/chat/slack/events.ts';
import { formModal, renderReply as renderForSlack } from '../../../src/chat/slack/render.ts';
import { replyText } from '../../../src/chat/terminal/screen.ts';
import { viewOf } from '../../../src/chat/web/view.ts';
import type { DoorName } from '../../../src/core/channel-ref.ts';
import type { App } from '../../../src/dispatch/contract.ts';
import { packAction, packerOf } from '../../../src/reply/model/action.ts';
import { isHidden } from '../../../src/reply/model/text.ts';
import type { Form, Reply } from '../../../src/reply/model/types.ts';
import { modal } from '../../fakes/discord/components.ts';
import { checkMessage } from '../../fakes/discord/message.ts';
import { hold } from '../../fakes/discord/rules.ts';
import { blockProblems, viewProblems } from '../../fakes/slack/block-kit.ts';

/** A reply at a door: what anyone gets to read, and what is there once it is opened. */
interface Shown {
  readonly open: string;
  readonly revealed: string;
  /** What the platform would refuse it for. */
  readonly problems: readonly string[];
}

export interface TestedDoor {
  readonly name: DoorName;
  show(reply: Reply, app: App): Promise<Shown>;
  form(form: Form, app: App): Promise<Omit<Shown, 'revealed'>>;
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const FILE = 'F012345678';
const CONVERSATION: Origin = {
  team: 'T012345',
  channel: 'C012345',
  user: 'U012345',
  direct: false,
  answerBy: { kind: 'url', url: `https://hooks.slack.example/${'x'.repeat(100)}`, from: 'no message' },
};

const discord: TestedDoor = {
  name: 'discord',
  async show(reply, app) {
    const { body, files } = await renderForDiscord(reply, {
      pack: packerOf(app),
      pictures: { png: async () => PNG },
    });
    const uploads = files.map(({ name, data, contentType = '' }, index) => ({
      index,
      filename: name,
      type: contentType,
      content: Buffer.from(data as Buffer),
    }));
    const revealed = JSON.stringify(body);
    return {
      open: revealed.replace(/(?<!\\)\|\|.*?(?<!\\)\|\|/g, ''),
      revealed,
      problems: refused(() => checkMessage(JSON.parse(revealed), uploads, 'create')),
    };
  },
  async form(form, app) {
    const made = makeModal(form, await packAction(form.action, app));
    return {
      open: JSON.stringify(made),
      problems: refused(() => hold(JSON.parse(JSON.stringify(made)), modal)),
    };
  },
};

const slack: TestedDoor = {
  name: 'slack',
  async show(reply, app) {
    const pack = packerOf(app);
    const painter = { pack, store: async () => 'slack-reply:1', picture: async () => FILE };
    const options = { surface: 'message', inThread: false } as const;
    const closed = await renderForSlack(reply, options, painter);
    const all = new Set(reply.blocks.filter(isHidden).keys());
    const opened = await renderForSlack(reply, { ...options, open: all }, painter);
    const shown = [closed, opened, await renderForSlack(reply, { ...options, isPlain: true }, painter)];
    return {
      open: JSON.stringify(closed),
      revealed: JSON.stringify(opened),
      problems: shown.flatMap(({ blocks }) => blockProblems(wire(blocks), 'message', () => true)),
    };
  },
  async form(form, app) {
    const view = wire(formModal(form, CONVERSATION, await packAction(form.action, app)));
    return { open: JSON.stringify(view), problems: viewProblems(view, 'modal', () => true).problems };
  },
};

const web: TestedDoor = {
  name: 'web',
  async show(reply, app) {
    const view = await viewOf({ id: 'm1', at: 0, reply }, 'anna', packerOf(app));
    const hidden = reply.blocks.flatMap((block) => (block.kind === 'spoiler' ? block.hidden : []));
    return { open: JSON.stringify(view), revealed: JSON.stringify(hidden), problems: [] };
  },
  async form(form) {
    return { open: JSON.stringify(form), problems: [] };
  },
};

const terminal: TestedDoor = {
  name: 'terminal',
  show: async (reply) => ({
    open: replyText(reply, { reveal: false }),
    revealed: replyText(reply, { reveal: true }),
    problems: [],
  }),
  form: async (form) => ({ open: JSON.stringify(form), problems: [] }),
};

export const DOORS: readonly TestedDoor[] = [discord, slack, web, terminal];

/** A payload as it goes over the wire, without undefined properties. */
function wire(payload: unknown): unknown {
  return JSON.parse(JSON.stringify(payload));
}

function refused(check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [JSON.stringify((error as { body?: unknown }).body ?? String(error))];
  }
}
