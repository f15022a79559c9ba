import { UserError } from '../../core/errors.ts';
import type { App, Request } from '../../dispatch/contract.ts';
import type { Reply } from '../../reply/model/types.ts';
import type { Subscription } from '../../store/tables/subscriptions.ts';
import { reactivate } from '../suspension.ts';
import type { DailySettings } from '../types.ts';
import { applyChange, type ChangeTexts } from './change.ts';
import { DEFAULT_SETTINGS, makeStored, parseStored, type StoredSettings } from './settings.ts';
import { showSettings } from './show.ts';
import { readUntil } from './until.ts';
import { updatePosts } from './update-posts.ts';

const MOST_TRIES = 5;

/** Changes settings and leaves on or off as it was; a channel without settings is switched on. */
export async function saveChange(request: Request, app: App, texts: ChangeTexts): Promise<Reply> {
  await save(request, app, (stored) => applyChange(stored, texts));
  await updatePosts(request, app);
  return showSettings(request, app);
}

export async function switchOn(request: Request, app: App, texts: ChangeTexts): Promise<Reply> {
  const { subscriptions } = app.store.tenant(request.where.tenant);
  const now = app.clock.now();
  const before = await subscriptions.get(request.where.channel);
  const wasOff = before === undefined || before.state === 'off';
  await save(request, app, (stored) => makeStored(applyChange(stored, texts), wasOff ? now : stored.since));
  if (before?.state === 'suspended') await reactivateHere(request, app);
  // Once switched on by a person, the next suspension is reported again.
  if (before !== undefined) await subscriptions.setState(request.where.channel, { state: 'active' });
  await updatePosts(request, app);
  return showSettings(request, app);
}

export async function switchOff(request: Request, app: App): Promise<Reply> {
  const subscription = await subscriptionOf(request, app);
  if (subscription === undefined) throw notOn();
  await app.store.tenant(subscription.tenant).subscriptions.setState(subscription.channel, { state: 'off' });
  await updatePosts(request, app);
  return showSettings(request, app);
}

export async function pause(request: Request, app: App, typed: string | undefined): Promise<Reply> {
  const subscription = await subscriptionOf(request, app);
  if (subscription === undefined || subscription.state === 'off') throw notOn();
  const { zone } = parseStored(subscription.settings);
  const until = typed === undefined ? undefined : readUntil(typed, zone, app.clock.now());
  await app.store.tenant(subscription.tenant).subscriptions.setState(subscription.channel, {
    state: 'paused',
    ...(until !== undefined && { until }),
  });
  await updatePosts(request, app);
  return showSettings(request, app);
}

/** The thread of another channel of this server moves here with its settings. */
export async function moveHere(request: Request, app: App, texts: ChangeTexts): Promise<Reply> {
  const { subscriptions } = app.store.tenant(request.where.tenant);
  const others = (await subscriptions.list()).filter(
    (subscription) => subscription.channel !== request.where.channel && subscription.state !== 'off',
  );
  const [from] = others.sort((a, b) => b.setAt - a.setAt);
  if (from === undefined) return switchOn(request, app, texts);
  const now = app.clock.now();
  await save(request, app, () => makeStored(applyChange(parseStored(from.settings), texts), now));
  await subscriptions.setState(request.where.channel, { state: 'active' });
  await subscriptions.setState(from.channel, { state: 'off' });
  await updatePosts(request, app, from.channel);
  return showSettings(request, app);
}

export async function reactivateHere({ where }: Request, { store, clock, puzzles }: App): Promise<boolean> {
  const now = clock.now();
  return reactivate(store, { tenant: where.tenant, channel: where.channel }, now, puzzles.dateAt(now));
}

/** If somebody else saves at the same moment, ours is applied on top of their change. */
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
  throw new Error('the settings of a channel kept changing while they were saved');
}

function subscriptionOf({ where }: Request, { store }: App): Promise<Subscription | undefined> {
  return store.tenant(where.tenant).subscriptions.get(where.channel);
}

function notOn(): UserError {
  return new UserError(
    'daily.off',
    'The daily thread is not on in this channel. Switch it on with: daily on',
  );
}
