import * as v from 'valibot';
import type { App, Asker } from '../../dispatch/contract.ts';
import { boardOf, endOf, readRace, shownOf } from '../../players/race/game.ts';
import { lineText, type PlainOptions } from '../../reply/model/text.ts';
import type { Reply } from '../../reply/model/types.ts';
import { raceReply } from '../../reply/replies/race.ts';
import type { Board } from '../../solver/types.ts';

export const RACE_FIELDS = v.object({
  press: v.exactOptional(v.picklist(['begin', 'join', 'start', 'leave'])),
  /** The race that the page shows, as its `madeAt`. */
  race: v.exactOptional(v.number()),
  /** The race whose board it has opened, as its `madeAt`. */
  opened: v.exactOptional(v.number()),
});
export type RaceFields = v.InferOutput<typeof RACE_FIELDS>;

/** The race in the channel of a page, for a person there: names and numbers, no letters. */
interface RaceView {
  readonly race?: number;
  readonly lines: readonly string[];
  readonly buttons: readonly { readonly label: string; readonly press: string }[];
  /** Milliseconds after which the page asks again; 0 for never. */
  readonly next: number;
}

const BEGIN: RaceView = { lines: [], buttons: [{ label: 'Race others here', press: 'begin' }], next: 0 };
const NOTHING: RaceView = { lines: [], buttons: [], next: 0 };
/** Milliseconds between two updates: in the countdown, and before and after it. */
const COUNTED_MS = 1_000;
const WAITING_MS = 2_000;

/** Names by the ids of people, as far as they are known. */
type NamesOf = (tenant: string, people: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** @returns the view, and the board if the person may play it now and the page has not opened it yet */
export async function raceView(
  { who, where }: Asker,
  app: App,
  { race: shown, opened }: RaceFields,
  namesOf: NamesOf = async () => new Map(),
): Promise<{ readonly view: RaceView; readonly board?: Board | undefined }> {
  if (where.direct) return { view: NOTHING };
  const { race } = (await readRace(app, where)) ?? {};
  const now = app.clock.now();
  if (race === undefined) return { view: BEGIN };
  const isOver = endOf(race, now) !== undefined;
  // An earlier race is shown only where people saw it.
  if (isOver && race.madeAt !== shown) return { view: BEGIN };
  const numbers = new Map(race.racers.map(({ person, number }) => [person, number]));
  const isIn = numbers.has(who.id);
  const names = new Map(await namesOf(where.tenant, [...numbers.keys()])).set(who.id, 'You');
  const reply = raceReply(shownOf(race, now), 'asker');
  const view: RaceView = {
    race: race.madeAt,
    lines: linesOf(reply, {
      person: (id) => names.get(id) ?? `Racer ${numbers.get(id)}`,
      moment: (at) =>
        at > now ? `in ${Math.ceil((at - now) / 1000)} s` : `${Math.floor((now - at) / 1000)} s ago`,
    }),
    buttons: buttonsOf(reply, isIn),
    next: isIn && !isOver ? nextUpdate(race.startsAt, now) : 0,
  };
  const isToOpen = isIn && !isOver && opened !== race.madeAt;
  return { view, board: isToOpen ? boardOf(race, now) : undefined };
}

function linesOf({ title, blocks }: Reply, names: PlainOptions): string[] {
  const lines = blocks.flatMap((block) => (block.kind === 'text' ? block.lines : []));
  return [title, ...lines.map((line) => lineText(line, names))];
}

/** Others may join; racers may start or leave. The page itself opens the board, so that it needs no *Play*. */
function buttonsOf({ blocks }: Reply, isIn: boolean): RaceView['buttons'] {
  return blocks
    .flatMap((block) => (block.kind === 'buttons' ? block.buttons : []))
    .filter(({ action }) => action.command === 'race')
    .map(({ label, action }) => ({ label, press: String(action.options.do ?? 'begin') }))
    .filter(({ press }) => press === 'begin' || (press === 'join' ? !isIn : isIn && press !== 'go'));
}

/** Milliseconds until the page asks again: no later than the start. */
function nextUpdate(startsAt: number | undefined, now: number): number {
  return startsAt !== undefined && startsAt > now ? Math.min(COUNTED_MS, startsAt - now) : WAITING_MS;
}
