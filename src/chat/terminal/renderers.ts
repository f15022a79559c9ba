import type { Reply } from '../../reply/model/types.ts';
import { replyText } from './text.ts';

/** How a message looks at a door, as the content of a file. */
export interface Renderer {
  /** The file's ending. */
  readonly type: string;
  render(reply: Reply): string | Promise<string>;
}

/**
 * What a dry run writes for each message. Doors know nothing of each other, so whoever has them all (see
 * `src/chat/renderers.ts`) adds theirs.
 */
export const RENDERERS = new Map<string, Renderer>([
  ['terminal', { type: 'txt', render: (reply) => replyText(reply, false) }],
  ['reply', { type: 'json', render: (reply) => JSON.stringify(reply, null, 2) }],
]);
