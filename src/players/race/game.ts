/** Races: several people play one board, each in their own game, and the first to solve it wins. */

import * as v from 'valibot';
import { type ChannelRef, doorOf } from '../../core/channel-ref.ts';
import { DAY, MINUTE, SECOND } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { postKey } from '../../daily/day-thread.ts';
import type { App, Asker } from '../../dispatch/contract.ts';
import { readHintRecord } from '../../dispatch/hint-record.ts';
import { type Poster, PostFailure, postedSchema, UNLEASED } from '../../dispatch/poster.ts';
import type { Target } from '../../dispatch/target.ts';
import type { GameState } from '../../reply/replies/game.ts';
import { type RaceShown, raceReply } from '../../reply/replies/race.ts';
import { formatBoard, parseBoard } from '../../solver/board.ts';
import type { Board } from '../../solver/types.ts';
import { KEPT_AFTER_END_MS, POSTING_MS, updateInTurn } from '../public-messages.ts';

const raceSchema = v.object({
  /** When it was begun, which also names it among the races of its channel. */
  madeAt: v.number(),
  /** The most words with which somebody wins. */
  most: v.number(),
  racers: v.array(
    v.object({
      person: v.string(),
      /** Counts the racers from 1, in the order in which they joined; those who have left, too. */
      number: v.number(),
      letters: v.number(),
      words: v.number(),
    }),
  ),
  /** How many people have joined, with those who have left. */
  joined: v.number(),
  /** When it ends if nobody has won. */
  timesOutAt: v.number(),
  /** Both are set by the press of Start. Nobody gets the board before `startsAt`. */
  board: v.optional(v.string()),
  startsAt: v.optional(v.number()),
  winner: v.optional(v.object({ person: v.string(), words: v.array(v.string()), at: v.number() })),
  end: v.optional(v.picklist(['won', 'left', 'timed-out'])),
  /** The thread in which it was begun, if any. */
  thread: v.optional(v.string()),
  posted: v.optional(postedSchema),
});
export type Race = Readonly<v.InferOutput<typeof raceSchema>>;

export const MAX_RACERS = 20;
/** Milliseconds for which a race waits for its start, and then for a winner. */
export const RACE_TIMEOUT_MS = 30 * MINUTE;
/** Milliseconds from the press of Start to the start. */
export const COUNTDOWN_MS = 10 * SECOND;
/** Names a channel's race among its games. A relay's name begins with the id of its channel, which has no space. */
const KEY_PREFIX = 'race ';

/** Reads the state of a stored game; undefined when it is not a race. */
export function parseRace(state: unknown): Race | undefined {
  const { success, output } = v.safeParse(raceSchema, state);
  return success ? output : undefined;
}

/** The channel of a stored game; undefined when it is not a race. */
export function channelOfRace(key: string): string | undefined {
  return key.startsWith(KEY_PREFIX) ? key.slice(KEY_PREFIX.length) : undefined;
}

/** A race with the version that a change to it must name. */
export async function readRace(app: App, { tenant, channel }: ChannelRef) {
  const game = await app.store.tenant(tenant).games.get(KEY_PREFIX + channel, app.clock.now());
  const race = game && parseRace(game.state);
  return race && { race, version: game.version };
}

/** False when somebody else changed the race since that version was read. */
export function saveRace(app: App, { tenant, channel }: ChannelRef, race: Race, version: number) {
  const now = app.clock.now();
  return app.store.tenant(tenant).games.save(KEY_PREFIX + channel, {
    state: race,
    version,
    people: race.racers.map(({ person }) => person),
    expiresAt: (race.end === undefined ? race.timesOutAt : now) + KEPT_AFTER_END_MS,
    now,
  });
}

/** How a race has ended by now; undefined while it is on. One that would go on for days was begun by a wrong clock, and is over. */
export function endOf({ end, timesOutAt }: Race, now: number): Race['end'] {
  return end ?? (now >= timesOutAt || now < timesOutAt - DAY ? 'timed-out' : undefined);
}

/** The board, once the race has started. */
export function boardOf({ board, startsAt }: Race, now: number): Board | undefined {
  return board !== undefined && startsAt !== undefined && now >= startsAt ? parseBoard(board) : undefined;
}

/** A race without somebody; it ends if nobody is left. */
export function withoutRacer(race: Race, person: string): Race {
  const racers = race.racers.filter((one) => one.person !== person);
  const winner = race.winner?.person === person ? undefined : race.winner;
  return { ...race, racers, winner, end: race.end ?? (racers.length === 0 ? 'left' : undefined) };
}

/** With the board at any time: replies draw it after the end only. */
export function shownOf(race: Race, now: number): RaceShown {
  const { board } = race;
  return { ...race, end: endOf(race, now), board: board === undefined ? undefined : parseBoard(board) };
}

/**
 * The race that is run on this board in the asker's channel, with the asker.
 *
 * @throws UserError before its start
 */
export async function raceOf({ who, where }: Asker, app: App, target: Target): Promise<Race | undefined> {
  if (target.puzzle !== undefined) return undefined;
  const { race } = (await readRace(app, where)) ?? {};
  if (race?.startsAt === undefined || race.board !== formatBoard(target.board)) return undefined;
  const now = app.clock.now();
  if (now < race.startsAt) throw new UserError('race.early', 'The race on this board has not started yet.');
  const isIn = race.racers.some(({ person }) => person === who.id);
  return isIn && endOf(race, now) === undefined ? race : undefined;
}

/**
 * Records how far a person is in a race, and their victory if nobody was faster: then it returns true. Whoever has seen a hint or
 * a solution of the board can't win.
 */
export async function recordProgress(
  asker: Asker,
  app: App,
  { madeAt }: Race,
  { namedBoard, board }: Target,
  { words, left, isSolved }: Pick<GameState, 'words' | 'left' | 'isSolved'>,
): Promise<boolean> {
  const { who, where } = asker;
  const now = app.clock.now();
  const hints = isSolved ? await readHintRecord(asker, app, namedBoard) : undefined;
  const hasHelp = hints !== undefined && (hints.isSolutionSeen || hints.countedSteps.length > 0);
  const after = { letters: board.letters.length - left.length, words: words.length };
  const changed = await changeRace(app, where, madeAt, (race) => {
    const before = race.racers.find(({ person }) => person === who.id);
    const hasWon = isSolved && !hasHelp && words.length <= race.most;
    const isSame = before?.letters === after.letters && before.words === after.words;
    if (before === undefined || (isSame && !hasWon) || endOf(race, now) !== undefined) return undefined;
    const racers = race.racers.map((one) => (one === before ? { ...one, ...after } : one));
    if (!hasWon) return { ...race, racers };
    return { ...race, racers, end: 'won', winner: { person: who.id, words: [...words], at: now } };
  });
  if (changed !== undefined) void showRace(app, where);
  return changed?.end === 'won';
}

/**
 * Changes the race that was begun at `madeAt`, and tries again if somebody else changed it meanwhile: of two winners, the first
 * that is saved wins. Undefined if it is gone, or if nothing is to be changed.
 */
export async function changeRace(
  app: App,
  place: ChannelRef,
  madeAt: number,
  change: (race: Race) => Race | undefined,
): Promise<Race | undefined> {
  for (;;) {
    const found = await readRace(app, place);
    const changed = found?.race.madeAt === madeAt ? change(found.race) : undefined;
    if (found === undefined || changed === undefined) return undefined;
    if (await saveRace(app, place, changed, found.version)) return changed;
  }
}

/**
 * Posts the message of a race, and stores its ids. While another process may be posting it, or after the end of the race, it is
 * only looked for: `checkLease` refuses to send it.
 *
 * @param options.outcomeUnknown false where this process has just begun the race, so that nothing can be posted yet
 */
export async function postRace(
  app: App,
  poster: Poster,
  { tenant, channel }: ChannelRef,
  race: Race,
  { outcomeUnknown = true } = {},
): Promise<Race | undefined> {
  const { madeAt, thread } = race;
  const now = app.clock.now();
  const key = postKey({ tenant, channel, date: String(madeAt), step: 'race' });
  const mayPost =
    endOf(race, now) === undefined &&
    ((await app.store.events.mark(`race:${key}`, now, now + POSTING_MS)) || !outcomeUnknown);
  const posted = await poster.post({
    channel: { tenant, channel },
    key,
    ...UNLEASED,
    outcomeUnknown,
    ...(!mayPost && {
      async checkLease() {
        throw new PostFailure('invalid', 'the message of the race is not there');
      },
    }),
    since: madeAt,
    reply: raceReply(shownOf(race, now), 'everyone'),
    thread: thread === undefined ? undefined : { thread },
  });
  return changeRace(app, { tenant, channel }, madeAt, (one) => ({ ...one, posted }));
}

/** By which its message is updated in turn. */
export function messageKey({ tenant, channel }: ChannelRef): ChannelRef {
  return { tenant, channel: KEY_PREFIX + channel };
}

/** Updates the message of a race; players don't wait for it. A failure is logged and returned, not thrown. */
export async function showRace(app: App, { tenant, channel }: ChannelRef): Promise<unknown> {
  const door = doorOf(tenant);
  const poster = app.posterOf(door);
  const place = { tenant, channel };
  try {
    await updateInTurn(app, messageKey(place), {
      read: () => readRace(app, place),
      async edit({ race }) {
        if (poster === undefined) return;
        const posted = race.posted ?? (await postRace(app, poster, place, race))?.posted;
        const reply = raceReply(shownOf(race, app.clock.now()), 'everyone');
        if (posted !== undefined) await poster.edit(place, posted, reply);
      },
      onFailure: (error) => Promise.reject(error),
    });
  } catch (error) {
    app.log.warn({ err: error, door, tenant }, 'the message of a race could not be updated');
    return error;
  }
  return undefined;
}
