/** Renders messages of the daily thread as each door sends them, for `letterboxed daily run --dry-run`. */

import type { DoorName } from '../core/channel-ref.ts';
import { makeAction } from '../reply/model/action.ts';
import type { Action } from '../reply/model/types.ts';
import { makePictures } from '../reply/picture/pictures.ts';
import { renderReply as renderDiscord } from './discord/render.ts';
import { renderReply as renderSlack } from './slack/render.ts';
import type { Renderer } from './terminal/contract.ts';
import { replyText } from './terminal/screen.ts';
import { viewOf } from './web/view.ts';

const pack = async (action: Action) => makeAction(action);
const pictures = makePictures();

const text = (payload: unknown) => JSON.stringify(payload, null, 2);

/** What a dry run writes for each message: the reply itself, and what each door sends. */
export const RENDERERS: Readonly<Record<DoorName | 'reply', Renderer>> = {
  terminal: { type: 'txt', render: (reply) => replyText(reply, { reveal: false }) },
  reply: { type: 'json', render: text },
  discord: {
    type: 'json',
    render: async (reply) => text((await renderDiscord(reply, { pack, pictures })).body),
  },
  slack: {
    type: 'json',
    render: async (reply) => {
      // Without a workspace no picture can be uploaded, so this is the plain form that Slack takes without files. Hidden
      // blocks are not stored for their Reveal buttons, which get a key that leads to nothing.
      const services = { pack, store: async () => 'dry-run', picture: async () => undefined };
      return text(await renderSlack(reply, { surface: 'message', inThread: true, isPlain: true }, services));
    },
  },
  web: {
    type: 'json',
    render: async (reply) => text(await viewOf({ id: 'dry-run', at: 0, reply }, 'reader', pack)),
  },
};
