import { THREAD_STEPS, type ThreadStep } from '../answers/thread-steps.ts';
import type { DailySource } from '../puzzle/types.ts';

/**
 * Everything that is posted once a day, and so has a row of its own. `opening` is the message in the channel;
 * everything else is in its thread. `closing` ends the day before.
 */
export const DAY_STEPS = ['opening', ...THREAD_STEPS, 'closing'] as const;
export type DayStep = (typeof DAY_STEPS)[number];

/** Steps of one thread that are due together make one message; everything else is posted by itself. */
export function isThreadStep(step: string): step is ThreadStep {
  return THREAD_STEPS.some((known) => known === step);
}

/** Urgent deliveries are claimed first: openings, then posts in threads that people wait for. */
export function priorityOf(step: string): number {
  if (step === 'opening') return 2;
  return isThreadStep(step) ? 1 : 0;
}

/** A clock time in the channel's zone, `HH:MM` with `00` to `23` hours. */
export type ClockTime = `${number}:${number}`;

/** What a channel gets every day. It holds no person's id. */
export interface DailySettings {
  /** An IANA name. */
  readonly zone: string;
  readonly opening: ClockTime;
  /** In the order of their times; steps at the opening's own time follow it at once. */
  readonly steps: readonly { readonly step: ThreadStep; readonly at: ClockTime }[];
  readonly source: DailySource;
  /** When the newspaper can't be reached. */
  readonly otherwise: 'house' | 'nothing';
  readonly weekends: boolean;
  /** Posts without a push notification, where the platform can. */
  readonly quiet: boolean;
  /** Whether reviews of days and months name people; otherwise they have numbers only. */
  readonly names: boolean;
  /** The platform's id of a role or group to mention in the opening. */
  readonly ping: string | null;
  /** The platform's id of a role whose members may manage this channel's settings, too. */
  readonly managers: string | null;
}
