import { setImmediate } from 'node:timers/promises';
import { identityScope } from '../core/channel-ref.ts';
import { DAY } from '../core/clock.ts';
import { erasedHintsKey, toldDays } from '../dispatch/hint-record.ts';
import { savedWords } from '../play/saved-game.ts';
import { type AskerRef, digestOf, identityOf, personCode } from '../reply/model/action.ts';
import type { Store } from '../store/store.ts';
import type { PersonExport } from '../store/tables/personal-data.ts';
import { parseRace, withoutRacer } from './race/game.ts';
import { parseStoredRelay, withoutPerson } from './relay/game.ts';

/**
 * The part of an export that may be shown to the person. Games contain words of other people too; only the person's own are
 * shown.
 */
function redactExport(part: PersonExport, person: string): object {
  return {
    ...part,
    games: part.games.map(({ thread, state }) => ({ thread, ...ownMoves(state, person) })),
    soloGames: part.soloGames.map(({ state, ...game }) => ({ ...game, words: savedWords(state) ?? [] })),
  };
}

/** Rows of a file: about two megabytes. */
const ROWS_PER_PART = 5_000;
/** Rows that are read and written at a stretch, before others have their turn. */
const ROWS_PER_PAGE = 250;

export interface ExportRequest {
  readonly door: string;
  /** One of the tenants in which the id is this person's; see `identityScope`. */
  readonly tenant: string;
  readonly person: string;
  /** The number of the file, counted from 1. */
  readonly part: number;
  readonly at: number;
}

/** One file of everything that is stored about a person at a door. A tenant with many rows is in it several times. */
export async function exportPart(
  { allPeople }: Pick<Store, 'allPeople'>,
  { door, tenant, person, part, at }: ExportRequest,
): Promise<{ content: string; hasMore: boolean }> {
  const about = { platform: door, person, exportedAt: new Date(at).toISOString(), part };
  const stored: string[] = [];
  const end = part * ROWS_PER_PART;
  for (let offset = end - ROWS_PER_PART; offset < end; offset += ROWS_PER_PAGE) {
    const page = await allPeople.export(tenant, person, { offset, limit: ROWS_PER_PAGE });
    if (page.length === 0) return { content: fileOf(about, stored), hasMore: false };
    for (const one of page) stored.push(JSON.stringify(redactExport(one, person), undefined, 1));
    await setImmediate();
  }
  const hasMore = (await allPeople.export(tenant, person, { offset: end, limit: 1 })).length > 0;
  return { content: fileOf(about, stored), hasMore };
}

function fileOf(about: object, stored: readonly string[]): string {
  return `${JSON.stringify(about).slice(0, -1)},"stored":[\n${stored.join(',\n')}\n]}\n`;
}

function ownMoves(state: unknown, person: string): object {
  const relay = parseStoredRelay(state)?.relay;
  const race = parseRace(state);
  const own = race?.racers.find((racer) => racer.person === person);
  const won = race?.winner?.person === person && { words: race.winner.words, at: race.winner.at };
  if (race !== undefined) return { race: race.madeAt, ...own, ...(won && { won }) };
  if (relay === undefined) return {};
  return {
    about: relay.about,
    started: relay.startedBy === person,
    words: relay.legs.filter(({ by }) => by === person).map(({ word }) => word),
  };
}

/** Milliseconds: longer than any personal link can be used, and than a day's board is on. */
export const LINKS_EXPIRED_AFTER_MS = 3 * DAY;

/** The key of the event that ends a person's earlier links. As it outlives their data, its checksum is used nowhere else. */
export function erasedLinksKey(person: AskerRef): Promise<string> {
  return digestOf(`links of ${identityOf(person)}`);
}

/**
 * Erases everything that is stored about a person, and ends their personal links and sessions so far. If they were told a hint
 * on a day's board that is on, all its hints count from then on. Returns their relays and races, of which some are erased, too.
 */
export async function erasePerson(
  { allPeople, actions, events }: Pick<Store, 'allPeople' | 'actions' | 'events'>,
  { who, where }: AskerRef,
  now: number,
): Promise<{ readonly tenant: string; readonly key: string }[]> {
  const { tenant: own } = where;
  const tenants = new Set([own, ...(await allPeople.tenantsOf(own, who.id))]);
  // A person's code is the same in all tenants of a scope, so one of each is enough.
  const places = new Map([...tenants].map((tenant) => [identityScope(tenant), { ...where, tenant }]));
  const days = await toldDays({ allPeople }, own, who.id, now);
  const games = await allPeople.erase(own, who.id, (state, id) => {
    const relay = parseStoredRelay(state);
    const race = parseRace(state);
    return race ? withoutRacer(race, id) : relay && withoutPerson(relay, id);
  });
  for (const place of places.values()) {
    const asker = { who, where: place };
    await actions.erase(await personCode(asker));
    const keys = [erasedLinksKey(asker), ...days.map((date) => erasedHintsKey(asker, date))];
    for (const key of await Promise.all(keys)) await events.extend(key, now + LINKS_EXPIRED_AFTER_MS);
  }
  return games.map(({ tenant, thread }) => ({ tenant, key: thread }));
}
