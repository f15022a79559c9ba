import * as v from 'valibot';
import { UserError } from '../../core/errors.ts';
import { type DeliveryHandlers, type Ending, endingOfError } from '../../daily/delivery/deliver.ts';
import { type App, type Asker, choiceOf, integerOf, type Request, textOf } from '../../dispatch/contract.ts';
import { PostFailure } from '../../dispatch/poster.ts';
import { dateAt } from '../../puzzle/calendar.ts';
import { sidesOption } from '../../reply/model/named-board.ts';
import { sentenceReply } from '../../reply/model/text.ts';
import type { Reply } from '../../reply/model/types.ts';
import { changedReply, RACE_ACTIONS, raceReply } from '../../reply/replies/race.ts';
import { formatBoard } from '../../solver/board.ts';
import type { Board } from '../../solver/types.ts';
import {
  hasPublicMessages,
  messagesUpdated,
  POSTING_MS,
  postOrFind,
  refuseTooMany,
} from '../public-messages.ts';
import { openSoloGame, soloGameReply } from '../solo-games.ts';
import {
  boardOf,
  COUNTDOWN_MS,
  changeRace,
  endOf,
  MAX_RACERS,
  messageKey,
  postRace,
  RACE_TIMEOUT_MS,
  type Race,
  readRace,
  saveRace,
  shownOf,
  showRace,
  withoutRacer,
} from './game.ts';

export const DEFAULT_MOST_WORDS = 5;
/** The most boards that are drawn to find one that surely has a solution within the words of the race. */
const MAX_DRAWN_BOARDS = 10;

/** Answers `race` and the buttons of its message. */
export async function raceHere(request: Request, app: App): Promise<Reply> {
  const action = choiceOf(request, 'do', RACE_ACTIONS);
  if (action === undefined) return begin(request, app);
  const id = Number(textOf(request, 'race'));
  const { race } = (await readRace(app, request.where)) ?? {};
  if (race?.madeAt !== id) throw refusal('over');
  const now = app.clock.now();
  if (action === 'show') return raceReply(shownOf(race, now), 'asker');
  if (action !== 'go') return changedReply(action, await act(request, app, id, action));
  if (endOf(race, now) !== undefined) throw refusal('over');
  if (!isIn(race, request)) throw refusal('not-in');
  const board = boardOf(race, now);
  // Shows the countdown, or that nobody has pressed Start yet.
  if (board === undefined) return changedReply('start', race);
  return soloGameReply(request, app, await openSoloGame(request, app, sidesOption(board)));
}

/** Posts the message of a new race in the channel or thread of the request. */
async function begin(request: Request, app: App): Promise<Reply> {
  const { who, where, door } = request;
  const poster = app.posterOf(door);
  const needed = 'A race needs a channel in which I may post. Begin it there.';
  if (door === 'terminal') throw new UserError('race.place', needed);
  if (poster === undefined || !hasPublicMessages(request, app)) return sentenceReply('No race here', needed);
  refuseSilenced(who, where.thread);
  const now = app.clock.now();
  const found = await readRace(app, where);
  if (found !== undefined && endOf(found.race, now) === undefined) {
    if (found.race.posted === undefined && now >= found.race.madeAt + POSTING_MS) void showRace(app, where);
    return raceReply(shownOf(found.race, now), 'asker');
  }
  const refused = await refuseTooMany(request, app, 'race');
  if (refused !== undefined) return refused;
  const most = integerOf(request, 'words') ?? DEFAULT_MOST_WORDS;
  const { tenant, channel, thread } = where;
  const race: Race = {
    madeAt: now,
    most,
    racers: [racer(who.id, 1)],
    joined: 1,
    timesOutAt: now + RACE_TIMEOUT_MS,
    thread,
  };
  await messagesUpdated(app, messageKey(where));
  if (!(await saveRace(app, where, race, found?.version ?? 0))) {
    const other = await readRace(app, where);
    return raceReply(shownOf(other!.race, now), 'asker');
  }
  // The row is named after the race: the channel's next one may begin on the same date, and needs a row, too.
  const place = { tenant, channel: `${channel} ${now}`, date: dateAt(now), kind: END_KIND } as const;
  await app.store.allDeliveries.plan([
    { ...place, dueAt: race.timesOutAt, detail: { channel, madeAt: now } },
  ]);
  try {
    const current = await postOrFind((attempt) => postRace(app, poster, where, race, attempt));
    // Somebody joined while it was being posted.
    if (current !== undefined && current.racers.length > 1) void showRace(app, where);
  } catch (error) {
    // The store fails: its message may be there.
    if (!(error instanceof PostFailure)) throw error;
    app.log.warn({ err: error, door, tenant }, 'a race could not be posted');
    await changeRace(app, where, now, (current) => ({ ...current, end: 'left' }));
    return sentenceReply('No race here', 'I couldn’t post its message. I may not be allowed to post here.');
  }
  return changedReply('join', race);
}

function racer(person: string, number: number): Race['racers'][number] {
  return { person, number, letters: 0, words: 0 };
}

function isIn({ racers }: Race, { who }: Asker): boolean {
  return racers.some(({ person }) => person === who.id);
}

/** Refuses people who may not write here, since everybody would read their names, and how far they are. */
function refuseSilenced({ mayPost, mayPostInThreads }: Asker['who'], thread: string | undefined): void {
  if ((thread === undefined ? mayPost : mayPostInThreads) === false) throw refusal('silenced');
}

/** Joins, starts or leaves a race, and shows it. @throws UserError with the reason why that can't be done */
async function act(asker: Asker, app: App, id: number, action: 'join' | 'start' | 'leave'): Promise<Race> {
  const { race } = (await readRace(app, asker.where)) ?? {};
  refuseSilenced(asker.who, race?.thread);
  /** The board to start with, once it is drawn. */
  let board: Board | undefined;
  const change = (current: Race): Race => {
    const { racers, joined, startsAt } = current;
    if (endOf(current, app.clock.now()) !== undefined) throw refusal('over');
    if (action !== 'join' && !isIn(current, asker)) throw refusal('not-in');
    if (action === 'leave') return withoutRacer(current, asker.who.id);
    // Racers press *Start* at the same moment, too.
    if (isIn(current, asker) && (action === 'join' || startsAt !== undefined)) return current;
    if (startsAt !== undefined) throw refusal('started');
    if (action === 'join' && racers.length >= MAX_RACERS) throw refusal('full');
    if (action === 'join')
      return { ...current, racers: [...racers, racer(asker.who.id, joined + 1)], joined: joined + 1 };
    if (racers.length < 2) throw refusal('alone');
    if (board === undefined) return current;
    const start = app.clock.now() + COUNTDOWN_MS;
    return { ...current, board: formatBoard(board), startsAt: start, timesOutAt: start + RACE_TIMEOUT_MS };
  };
  if (action === 'start' && race?.madeAt === id) {
    // Without a board, this changes nothing, and only throws if the asker may not start the race.
    change(race);
    board = await drawBoard(asker, app, race.most);
  }
  const changed = await changeRace(app, asker.where, id, change);
  if (changed === undefined) throw refusal('over');
  void showRace(app, asker.where);
  return changed;
}

/** A new board, whose seed nobody knows. */
async function drawBoard(asker: Asker, app: App, most: number): Promise<Board> {
  for (let drawn = 0; drawn < MAX_DRAWN_BOARDS; drawn++) {
    const { board, solution } = await app.work.run('generate', { seed: app.randomSeed() }, asker);
    if (solution.words.length <= most) return board;
  }
  throw refusal('no-board');
}

/** After a colon follows `race`, which shows the race that is on, or else begins one. */
const REFUSALS = {
  over: 'This race is over. Begin another one:',
  'not-in': 'You’re not in this race. You can join it until it starts:',
  started: 'This race has started already, and only one can be on here. See how it goes:',
  full: `A race has ${MAX_RACERS} racers at most, and only one can be on here. See how it goes:`,
  alone: 'A race needs two or more. Ask someone to join first.',
  'no-board': 'I found no board that surely has so short a solution. Press Start once more.',
  silenced: 'You can’t race here, because you may not write here.',
} as const;

function refusal(why: keyof typeof REFUSALS): UserError {
  const text = REFUSALS[why];
  return new UserError(`race.${why}`, text, text.endsWith(':') ? 'race' : undefined);
}

const END_KIND = 'race-end';
const DETAIL = v.object({ channel: v.string(), madeAt: v.number() });
const RACE_OVER: Ending = { end: 'skipped', reason: { code: 'game-over' } };

/** Ends a race that nobody started or won. Shows the end of any race again, in case a process died before it did. */
export function raceHandlers(app: App) {
  return {
    async [END_KIND](attempt) {
      const { delivery } = attempt.claimed;
      const { channel, madeAt } = v.parse(DETAIL, delivery.detail);
      const place = { tenant: delivery.tenant, channel };
      const { race } = (await readRace(app, place)) ?? {};
      if (race?.madeAt !== madeAt) return RACE_OVER;
      if (endOf(race, app.clock.now()) === undefined) return { end: 'moved', to: race.timesOutAt };
      if (race.end === undefined)
        await changeRace(app, place, madeAt, (current) => ({ ...current, end: current.end ?? 'timed-out' }));
      const error = await showRace(app, place);
      const mayPass = error instanceof PostFailure && error.mayPass;
      return mayPass ? endingOfError(attempt, error) : { end: 'sent', posted: race.posted ?? {} };
    },
  } satisfies Partial<DeliveryHandlers>;
}
