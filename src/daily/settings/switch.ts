import { UserError } from '../../core/errors.ts';
import type { App, Request } from '../../dispatch/contract.ts';
import type { Reply } from '../../reply/model/types.ts';
import type { Subscription } from '../../store/types.ts';
import { isOff } from '../plan/plan.ts';
import { reactivate } from '../suspension.ts';
import type { DailySettings } from '../types.ts';
import { applyChange, type ChangeTexts } from './change.ts';
import { DEFAULT_SETTINGS, makeStored, parseStored, type StoredSettings } from './settings.ts';
import { showSettings } from './show.ts';
import { readUntil } from './until.ts';

const MOST_TRIES = 5;

/** Changes settings and leaves on or off as it was; in a place that had none, it is on. */
export async function saveChange(request: Request, app: App, texts: ChangeTexts): Promise<Reply> {
  await save(request, app, (stored) => applyChange(stored, texts));
  return showSettings(request, app);
}

export async function switchOn(request: Request, app: App, texts: ChangeTexts): Promise<Reply> {
  const { subscriptions } = app.store.tenant(request.where.tenant);
  const now = app.clock.now();
  const before = await subscriptions.get(request.where.channel);
  const wasOff = before === undefined || isOff(before);
  await save(request, app, (stored) => makeStored(applyChange(stored, texts), wasOff ? now : stored.since));
  if (before?.state === 'resting') await reactivateHere(request, app);
  // Switched on by hand, it begins anew: if it stops again, that is news.
  if (before !== undefined) await subscriptions.setState(request.where.channel, { state: 'active' });
  return showSettings(request, app);
}

export async function switchOff(request: Request, app: App): Promise<Reply> {
  const subscription = await placeOf(request, app);
  if (subscription === undefined) throw notOn();
  await app.store
    .tenant(subscription.tenant)
    .subscriptions.setState(subscription.channel, { state: 'paused', reason: 'off' });
  return showSettings(request, app);
}

export async function pause(request: Request, app: App, typed: string | undefined): Promise<Reply> {
  const subscription = await placeOf(request, app);
  if (subscription === undefined || isOff(subscription)) throw notOn();
  const { zone } = parseStored(subscription.settings);
  const until = typed === undefined ? undefined : readUntil(typed, zone, app.clock.now());
  await app.store.tenant(subscription.tenant).subscriptions.setState(subscription.channel, {
    state: 'paused',
    reason: 'paused',
    ...(until !== undefined && { until }),
  });
  return showSettings(request, app);
}

/** The thread of another channel of this server moves here with its settings. */
export async function moveHere(request: Request, app: App, texts: ChangeTexts): Promise<Reply> {
  const { subscriptions } = app.store.tenant(request.where.tenant);
  const others = (await subscriptions.list()).filter(
    (subscription) => subscription.channel !== request.where.channel && !isOff(subscription),
  );
  const [from] = others.sort((a, b) => b.setAt - a.setAt);
  if (from === undefined) return switchOn(request, app, texts);
  const now = app.clock.now();
  await save(request, app, () => makeStored(applyChange(parseStored(from.settings), texts), now));
  await subscriptions.setState(request.where.channel, { state: 'active' });
  await subscriptions.setState(from.channel, { state: 'paused', reason: 'off' });
  return showSettings(request, app);
}

export async function reactivateHere({ where }: Request, { store, clock, puzzles }: App): Promise<boolean> {
  const now = clock.now();
  return reactivate(store, { tenant: where.tenant, channel: where.channel }, now, puzzles.dateAt(now));
}

/** Somebody else may save at the same moment: then their change is the ground of ours. */
async function save(
  { where, who }: Request,
  { store, clock }: App,
  change: (stored: StoredSettings) => DailySettings & { readonly since?: number },
): Promise<void> {
  const { subscriptions } = store.tenant(where.tenant);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const subscription = await subscriptions.get(where.channel);
    const now = clock.now();
    const stored =
      subscription === undefined ? makeStored(DEFAULT_SETTINGS, now) : parseStored(subscription.settings);
    const changed = change(stored);
    const settings = makeStored(changed, changed.since ?? stored.since);
    const saved = { version: subscription?.version ?? 0, by: who.id, at: now };
    if ((await subscriptions.save(where.channel, settings, saved)) !== undefined) return;
  }
  throw new Error('the settings of a place changed again and again while they were saved');
}

function placeOf({ where }: Request, { store }: App): Promise<Subscription | undefined> {
  return store.tenant(where.tenant).subscriptions.get(where.channel);
}

function notOn(): UserError {
  return new UserError(
    'daily.off',
    'The daily thread is not on in this channel. Switch it on with: daily on',
  );
}
