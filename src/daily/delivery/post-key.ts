import { createHash } from 'node:crypto';
import type { ChannelRef } from '../../core/channel-ref.ts';

/** What doors take: at most 25 plain characters. */
const LENGTH = 24;

/** What a post is, besides where: a step of a date, or what somebody started at a moment. */
interface PostName extends ChannelRef {
  readonly date: string;
  readonly step: string;
}

/**
 * The key of a delivery, or of another post, in the form that platforms accept. It is the same at every attempt and in
 * every process, and reveals nothing about the channel or the puzzle.
 */
export function postKey({ tenant, channel, date, step }: PostName): string {
  const name = JSON.stringify([tenant, channel, date, step]);
  return createHash('sha256').update(name).digest('hex').slice(0, LENGTH);
}
