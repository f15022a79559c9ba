import type { Config } from '../../config/config.ts';
import type { Log } from '../../core/log.ts';
import type { About } from '../../core/program.ts';
import { type Forecast, nextPostIn } from '../../daily/plan/forecast.ts';
import type { SubscriptionState } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';

const SOURCES: Readonly<Record<Config['puzzle']['source'], string>> = {
  newspaper: 'the newspaper',
  house: 'the house: boards made up here, without a request to anyone',
  off: 'off: only what people type',
};

/** Logs what this process is, before opening anything. */
export function logStart({ role, puzzle, notices }: Config, log: Log, about: About, store: string): void {
  log.info(
    { version: about.version, node: process.versions.node },
    `Letter Boxed bot ${about.version} on Node ${process.versions.node}, role ${role}`,
  );
  for (const notice of notices) log.warn({}, notice);
  log.info({ store }, `store: ${store}`);
  const at = puzzle.newspaperUrl === undefined ? '' : ` at ${new URL(puzzle.newspaperUrl).host}`;
  log.info({ source: puzzle.source }, `puzzle of the day: ${SOURCES[puzzle.source]}${at}`);
}

/** Logs what this process will do, once everything is open. */
export function logOutlook(log: Log, { active, inactive, next }: Outlook): void {
  const others = inactive === 0 ? '' : `, ${inactive} paused or suspended`;
  if (next === undefined) {
    log.info({ active, inactive }, `daily threads: ${active}${others}; nothing to post`);
    return;
  }
  const { at, steps, tenant, channel } = next;
  const step = steps.join(' + ');
  const when = new Date(at).toISOString();
  log.info(
    { active, inactive, next: { at: when, step, tenant, channel } },
    `daily threads: ${active}${others}; next post ${when.slice(0, 16).replace('T', ' ')} UTC (${step})`,
  );
}

interface Outlook {
  /** Active subscriptions, and paused or suspended ones. */
  readonly active: number;
  readonly inactive: number;
  /** The earliest post in any channel. */
  readonly next: Forecast | undefined;
}

/** Channels read at a time, to find the next post. */
const CHANNELS_PER_PAGE = 100;

/** How many channels have a daily thread, and the next post, with few queries even for many channels. */
export async function outlook(store: Store, now: number, log: Log): Promise<Outlook> {
  const counts = await store.planning.counts(now);
  const countOf = (wanted: SubscriptionState) => counts.find(({ state }) => state === wanted)?.channels ?? 0;
  const inactive = countOf('paused') + countOf('suspended');
  // Of the channels with a day under way, only the one with the earliest next moment is asked. If it posts nothing then,
  // another may post before what the log names. The local chat also moves its clock by this, but has only one channel.
  const due = await store.allDeliveries.nextDay();
  const first = due && (await store.tenant(due.tenant).subscriptions.get(due.channel));
  let next: Outlook['next'] = first && (await nextPostIn(store, [first], now, log));
  for (let offset = 0; ; offset += CHANNELS_PER_PAGE) {
    const page = await store.planning.upcoming({ offset, limit: CHANNELS_PER_PAGE });
    const post = await nextPostIn(store, page, now, log);
    if (post !== undefined && post.at < (next?.at ?? Number.POSITIVE_INFINITY)) next = post;
    // Of the days that have not begun, none begins before its channel's `planAt`, by which pages are sorted.
    const isLast =
      page.length < CHANNELS_PER_PAGE || page.at(-1)!.planAt! > (next?.at ?? Number.POSITIVE_INFINITY);
    if (isLast) return { active: countOf('active'), inactive, next };
  }
}
