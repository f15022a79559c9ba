import { plainText } from '../../reply/model/text.ts';
import type { Reply } from '../../reply/model/types.ts';
import { CALL } from './arguments.ts';

/** A reply as the terminal shows it: times in the local zone, buttons as what to type instead. */
export function replyText(reply: Reply, reveal: boolean): string {
  // Hidden means hidden from whoever looks at the screen, so that what was asked for stays closed too.
  const text = plainText(reveal ? reply : { ...reply, audience: 'everyone' }, {
    reveal,
    command: (typed) => `${CALL} ${typed}`,
    moment: localTime,
    button: ({ label }, typed) => `→ ${label}: ${typed}`,
  });
  const isHiding =
    !reveal &&
    reply.blocks.some((block) => block.kind === 'spoiler' || (block.kind === 'picture' && block.spoiler));
  return harmless(isHiding ? `${text}\n\nLeave out --spoilers hide to see what is hidden.` : text);
}

/** A mistake as one line. */
export function mistakeText({ title, blocks }: Reply): string {
  const said = blocks.filter(({ kind }) => kind === 'text');
  const text = said.length === 0 ? title : plainText({ title: '', blocks: said });
  return harmless(text.trim().replaceAll('\n', ' '));
}

/** Removes control characters, which a terminal would execute instead of showing. */
function harmless(text: string): string {
  return text.replace(/[^\P{C}\n]/gu, '\uFFFD');
}

function localTime(moment: number): string {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });
  return format.format(moment);
}
