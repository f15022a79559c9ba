import { isOff } from '../../src/daily/plan.ts';
import { wake } from '../../src/daily/rest.ts';
import { DEFAULT_SETTINGS, makeStored, parseStored, type StoredSettings } from '../../src/daily/settings.ts';
import type { DailySettings } from '../../src/daily/types.ts';
import type { Reply } from '../../src/reply/types.ts';
import { Mistake } from '../../src/solver/mistake.ts';
import type { Place } from '../../src/store/types.ts';
import type { App, Request } from '../types.ts';
import { showSettings } from './answer.ts';
import { applyChange, type ChangeTexts } from './change.ts';
import { readUntil } from './until.ts';

const MOST_TRIES = 5;

/** Changes settings and leaves on or off as it was; in a place that had none, it is on. */
export async function saveChange(request: Request, app: App, texts: ChangeTexts): Promise<Reply> {
  await save(request, app, (stored) => applyChange(stored, texts));
  return showSettings(request, app);
}

export async function switchOn(request: Request, app: App, texts: ChangeTexts): Promise<Reply> {
  const { places } = app.store.tenant(request.where.tenant);
  const now = app.clock.now();
  const before = await places.get(request.where.channel);
  const wasOff = before === undefined || isOff(before);
  await save(request, app, (stored) => makeStored(applyChange(stored, texts), wasOff ? now : stored.since));
  if (before?.state === 'resting') await wakeHere(request, app);
  // Switched on by hand, it begins anew: if it stops again, that is news.
  if (before !== undefined) await places.setState(request.where.channel, { state: 'active' });
  return showSettings(request, app);
}

export async function switchOff(request: Request, app: App): Promise<Reply> {
  const place = await placeOf(request, app);
  if (place === undefined) throw notOn();
  await app.store.tenant(place.tenant).places.setState(place.place, { state: 'paused', reason: 'off' });
  return showSettings(request, app);
}

export async function pause(request: Request, app: App, typed: string | undefined): Promise<Reply> {
  const place = await placeOf(request, app);
  if (place === undefined || isOff(place)) throw notOn();
  const { zone } = parseStored(place.settings);
  const until = typed === undefined ? undefined : readUntil(typed, zone, app.clock.now());
  await app.store.tenant(place.tenant).places.setState(place.place, {
    state: 'paused',
    reason: 'paused',
    ...(until !== undefined && { until }),
  });
  return showSettings(request, app);
}

/** The thread of another channel of this server moves here with its settings. */
export async function moveHere(request: Request, app: App, texts: ChangeTexts): Promise<Reply> {
  const { places } = app.store.tenant(request.where.tenant);
  const others = (await places.list()).filter(
    (place) => place.place !== request.where.channel && !isOff(place),
  );
  const [from] = others.sort((a, b) => b.setAt - a.setAt);
  if (from === undefined) return switchOn(request, app, texts);
  const now = app.clock.now();
  await save(request, app, () => makeStored(applyChange(parseStored(from.settings), texts), now));
  await places.setState(request.where.channel, { state: 'active' });
  await places.setState(from.place, { state: 'paused', reason: 'off' });
  return showSettings(request, app);
}

export async function wakeHere({ where }: Request, { store, clock, puzzles }: App): Promise<boolean> {
  const now = clock.now();
  return wake(store, { tenant: where.tenant, channel: where.channel }, now, puzzles.dateAt(now));
}

/** Somebody else may save at the same moment: then their change is the ground of ours. */
async function save(
  { where, who }: Request,
  { store, clock }: App,
  change: (stored: StoredSettings) => DailySettings & { readonly since?: number },
): Promise<void> {
  const { places } = store.tenant(where.tenant);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const place = await places.get(where.channel);
    const now = clock.now();
    const stored = place === undefined ? makeStored(DEFAULT_SETTINGS, now) : parseStored(place.settings);
    const changed = change(stored);
    const settings = makeStored(changed, changed.since ?? stored.since);
    const saved = { version: place?.version ?? 0, by: who.id, at: now };
    if ((await places.save(where.channel, settings, saved)) !== undefined) return;
  }
  throw new Error('the settings of a place changed again and again while they were saved');
}

function placeOf({ where }: Request, { store }: App): Promise<Place | undefined> {
  return store.tenant(where.tenant).places.get(where.channel);
}

function notOn(): Mistake {
  return new Mistake('daily.off', 'The daily thread is not on in this channel. Switch it on with: daily on');
}
