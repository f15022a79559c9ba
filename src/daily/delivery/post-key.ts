import { createHash } from 'node:crypto';
import type { DeliveryKey } from '../../store/tables/delivery-row.ts';

/** What doors take: at most 25 plain characters. */
const LENGTH = 24;

/**
 * A delivery's key in the form that platforms accept. It is the same at every attempt and in every process, and
 * reveals nothing about the channel or the puzzle.
 */
export function postKey({ tenant, channel, date, step }: DeliveryKey): string {
  const name = JSON.stringify([tenant, channel, date, step]);
  return createHash('sha256').update(name).digest('hex').slice(0, LENGTH);
}
