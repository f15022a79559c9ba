import { type ChannelRef, doorOf } from '../core/channel-ref.ts';
import type { PuzzleDate } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { App, Asker } from '../dispatch/contract.ts';
import type { Poster } from '../dispatch/poster.ts';
import { dateAt } from '../puzzle/calendar.ts';
import type { Reply } from '../reply/model/types.ts';
import type { Reason } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { logFault } from '../store/store-error.ts';
import type { Subscription } from '../store/tables/subscriptions.ts';
import { describeReason } from './reasons.ts';

/** A notice for the person who manages a channel. */
interface Notice {
  readonly poster: Poster;
  readonly channel: ChannelRef;
  readonly person: string;
  readonly notice: Reply;
}

/** Posts nothing more in a channel, and notifies its manager: once, until something was posted there again. */
export async function suspend(
  tools: { readonly store: Store; readonly log: Log; readonly now: () => number },
  { reason, ...told }: { readonly reason: Reason } & Omit<Notice, 'person'>,
): Promise<void> {
  const { channel } = told;
  const { subscriptions } = tools.store.tenant(channel.tenant);
  if (!(await subscriptions.setState(channel.channel, { state: 'suspended', reason }))) return;
  tools.log.warn(
    { ...channel, reason: describeReason(reason) },
    'the channel refuses posts: it is suspended until that changes',
  );
  if (!(await subscriptions.claimNotice(channel.channel, tools.now()))) return;
  const subscription = await subscriptions.get(channel.channel);
  if (subscription?.setBy == null) return;
  await notifyQuietly(tools.log, { ...told, person: subscription.setBy });
}

/** Best effort: a failed private message must not fail the delivery. */
export async function notifyQuietly(log: Log, { poster, channel, person, notice }: Notice): Promise<void> {
  try {
    if (!(await poster.notify(channel, person, notice)))
      log.info({ ...channel }, 'the person who manages the channel could not be notified');
  } catch (error) {
    logFault(log, error, { ...channel }, 'notifying the person who manages the channel failed');
  }
}

/**
 * Tries a suspended channel again: called when someone runs a command there, and when no requirement is missing any longer.
 * Posts of the current puzzle that were given up are then due again. True if it was suspended.
 */
export async function reactivate(
  store: Store,
  { tenant, channel }: ChannelRef,
  now: number,
  today: PuzzleDate,
): Promise<boolean> {
  const { subscriptions, deliveries } = store.tenant(tenant);
  if (!(await subscriptions.reactivate(channel))) return false;
  for (const { step, state } of await deliveries.ofDay(channel, today)) {
    if (state === 'given-up') await deliveries.revive(channel, today, step, now);
  }
  return true;
}

/** For the dispatcher's `onRequest`: reactivates a suspended channel when someone runs a command there. */
export function reactivateOnRequest({
  store,
  clock,
  puzzles,
  log,
}: Pick<App, 'store' | 'clock' | 'puzzles' | 'log'>): (asker: Asker) => Promise<void> {
  return async ({ where: { tenant, channel, direct } }) => {
    if (direct) return;
    try {
      const now = clock.now();
      if (!(await reactivate(store, { tenant, channel }, now, puzzles.dateAt(now)))) return;
      log.info({ tenant, channel }, 'someone ran a command in a suspended channel: it is reactivated');
    } catch (error) {
      log.warn({ tenant, channel, err: error }, 'a suspended channel could not be reactivated');
    }
  };
}

export interface SuspendedChannelsOptions {
  readonly store: Store;
  readonly log: Log;
  readonly now: () => number;
  readonly posterOf: (door: string) => Poster | undefined;
}

/**
 * Reactivates suspended channels that miss no requirement any longer. Channels that were suspended for another reason wait
 * until someone runs a command there. It asks beside the ticks and about one channel after the other: where hundreds are
 * suspended and a platform hangs, no other channel waits for its answers.
 */
export class SuspendedChannels {
  readonly #options: SuspendedChannelsOptions;
  #asking: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: SuspendedChannelsOptions) {
    this.#options = options;
  }

  /** Asks about channels that were planned just now. Returns at once. */
  look(suspended: readonly Subscription[]): void {
    this.#asking = this.#asking
      .then(() => this.#ask(suspended))
      .catch((error: unknown) =>
        logFault(this.#options.log, error, {}, 'suspended channels could not be reactivated'),
      );
  }

  /** Resolves when nothing is being asked. */
  async settled(): Promise<void> {
    await this.#asking;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#asking;
  }

  async #ask(suspended: readonly Subscription[]): Promise<void> {
    const { store, log, now, posterOf } = this.#options;
    for (const { tenant, channel, reason } of suspended) {
      const poster = posterOf(doorOf(tenant));
      if (this.#isStopped) return;
      if (poster === undefined || reason?.code !== 'missing-requirements') continue;
      const ref = { tenant, channel };
      const missing = await poster.missingRequirements(ref, reason.requirements).catch(() => undefined);
      if (missing?.length === 0 && (await reactivate(store, ref, now(), dateAt(now()))))
        log.info(ref, 'a suspended channel has all requirements again and is reactivated');
    }
  }
}
