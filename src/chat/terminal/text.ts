import { type PlainOptions, type PlainStyle, plainText, saidIn } from '../../reply/model/text.ts';
import type { Reply } from '../../reply/model/types.ts';
import { CALL } from './arguments.ts';
import { GLUE, PIPE, type Screen, styled, wrap } from './screen.ts';

export interface ReplyTextOptions {
  /** Shows what is hidden. */
  readonly reveal: boolean;
  readonly screen?: Screen;
}

/** A reply as the terminal shows it: times in the local zone, buttons as what to type instead. */
export function replyText(reply: Reply, { reveal, screen = PIPE }: ReplyTextOptions): string {
  // Hidden means hidden from everybody who sees the screen, so that what was asked for stays closed too.
  const text = plainText(reveal ? reply : { ...reply, audience: 'everyone' }, {
    ...plainOptions(screen),
    reveal,
    moment: localTime,
  });
  const isHiding =
    !reveal &&
    reply.blocks.some((block) => block.kind === 'spoiler' || (block.kind === 'picture' && block.spoiler));
  const note = isHiding
    ? `\n\n${styled('note', 'Leave out --spoilers hide to see what is hidden.', screen)}`
    : '';
  return wrap(text + note, screen);
}

/** A mistake as one line, or as few as the screen needs. */
export function mistakeText(reply: Reply, screen: Screen = PIPE): string {
  return wrap(saidIn(reply, plainOptions(PIPE)).replaceAll('\n', ' '), screen);
}

function plainOptions(screen: Screen): PlainOptions {
  return {
    command: (typed) => `${CALL} ${typed}`,
    button: ({ label }, typed) => `→ ${label}: ${typed}`,
    style: (text, as) => styledPiece(text, as, screen),
  };
}

function styledPiece(text: string, as: PlainStyle, screen: Screen): string {
  const shown = harmless(text);
  if (as === 'plain') return shown.replace(/^[✓✗]/, (sign) => mark(sign, screen));
  if (as === 'picture') return shown;
  // Commands are copied from the screen, so that they stay on one line where there is room.
  return styled(as, as === 'command' ? shown.replaceAll(' ', GLUE) : shown, screen);
}

function mark(sign: string, screen: Screen): string {
  return styled(sign === '✓' ? 'right' : 'wrong', sign, screen);
}

/** Removes control characters, which a terminal would execute instead of showing. */
function harmless(text: string): string {
  return text.replace(/[^\P{C}\n]/gu, '\uFFFD');
}

function localTime(moment: number): string {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'short' });
  return format.format(moment);
}
