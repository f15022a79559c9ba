import { expect, onTestFinished } from 'vitest';
import type { ChannelRef } from '../../src/core/channel-ref.ts';
import { makeNewspaper } from '../../src/puzzle/newspaper.ts';
import { makePuzzleRepository, type PuzzleRepository, typedPuzzle } from '../../src/puzzle/repository.ts';
import { DayPuzzleService, type PuzzleService } from '../../src/puzzle/service.ts';
import type { ChannelSource, DailySource, Puzzle } from '../../src/puzzle/types.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { gradeOfBoard } from '../../src/solver/difficulty.ts';
import { compileLexicon, type LexiconEntry, loadLexicon } from '../../src/solver/lexicon.ts';
import { makeFolder } from '../fakes/folder.ts';
import { openNewStore } from '../fakes/new-store.ts';
import { ADDITIONS, type FakeNewspaper, MAIN, OBSCURE } from '../fakes/newspaper.ts';

/** Noon in New York. */
export const NOON = Date.parse('2026-11-20T17:00:00Z');
export const TODAY = '2026-11-20';
export const HERE: ChannelRef = { tenant: 'discord:1', channel: '10' };
const HOUSE_SIDES = ['abc', 'def', 'ghi', 'jkl'];
export const USER_AGENT = 'letterboxed-bot/0.1.0 (+https://example.org/letterboxed)';

const word = (text: string, likelihood = 0.99, tier: LexiconEntry['tier'] = 'everyday'): LexiconEntry => ({
  word: text,
  likelihood,
  tier,
});
/** Knows the fake newspaper's words, one word that it does not accept, and one that no board here has. */
export const lexicon = loadLexicon(
  compileLexicon([
    ...MAIN.map((text) => word(text)),
    ...ADDITIONS.map((text) => word(text, 0.7, 'wide')),
    ...OBSCURE.map((text) => word(text, 0.3, 'wide')),
    word('clear', 0.3),
    word('zigzag'),
  ]),
);

/** A repository, and what somebody typed for a channel, which a channel's day has. */
type TestRepository = PuzzleRepository & {
  handBoard(asker: ChannelRef, date: Puzzle['date']): Promise<Puzzle | undefined>;
};

interface Logged {
  readonly level: 'info' | 'warn';
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

export interface PuzzleFixture {
  readonly service: PuzzleService;
  readonly repository: TestRepository;
  readonly logged: Logged[];
  readonly slept: number[];
  readonly disagreements: [ChannelRef, Puzzle, Puzzle][];
  /** Set by tests; sleeping moves it forward, too. */
  readonly clock: { now: number };
}

export interface PuzzleFixtureOptions {
  readonly source?: DailySource;
  readonly channelSource?: ChannelSource;
  readonly repository?: TestRepository;
  readonly clock?: { now: number };
  readonly houseSides?: readonly string[];
}

/** Each has its own store. */
export async function newRepository(): Promise<TestRepository> {
  const store = await openNewStore(makeFolder());
  onTestFinished(() => store.close());
  const log = { warn: () => expect.unreachable() };
  return {
    ...makePuzzleRepository(store, () => NOON, log),
    async handBoard({ tenant, channel }, date) {
      const { board } = await store.tenant(tenant).channelDay(channel, date);
      return board && typedPuzzle(board, log, tenant);
    },
  };
}

/** What all services of a test are asking the newspaper. */
const asking = new Set<Promise<unknown>>();

/** A puzzle service over a real store; everything else around it is faked but the requests, which go to the fake newspaper. */
export async function makePuzzleFixture(
  newspaper: Pick<FakeNewspaper, 'url'>,
  options: PuzzleFixtureOptions = {},
): Promise<PuzzleFixture> {
  const { repository = await newRepository(), clock = { now: NOON } } = options;
  const channelSource = options.channelSource ?? { source: 'newspaper', otherwise: 'nothing' };
  const logged: Logged[] = [];
  const slept: number[] = [];
  const disagreements: PuzzleFixture['disagreements'] = [];
  const world = {
    now: () => clock.now,
    random: () => 0.5,
    sleep: async (milliseconds: number) => {
      slept.push(milliseconds);
      clock.now += milliseconds;
    },
  };
  const write = (level: Logged['level']) => (fields: object, message: string) => {
    logged.push({ level, fields: { ...fields }, message });
  };
  const { ask } = makeNewspaper({
    ...world,
    fetch,
    userAgent: USER_AGENT,
    base: newspaper.url,
    // Far longer than any answer takes on a busy machine.
    limits: { timeout: 60_000 },
  });
  const service = new DayPuzzleService({
    ...world,
    // Another process has its answer by then, and keeps it within a few more looks.
    sleep: async (milliseconds) => {
      await Promise.all(asking);
      await world.sleep(milliseconds);
    },
    repository,
    limits: PAST_DAYS,
    log: { info: write('info'), warn: write('warn') },
    newspaper: {
      ask(...given) {
        const answer = ask(...given);
        asking.add(answer);
        return answer.finally(() => asking.delete(answer));
      },
    },
    source: options.source ?? 'newspaper',
    days: {
      of: async (date, asker) => ({
        wanted: channelSource,
        typed: await repository.handBoard(asker, date),
      }),
      openPuzzles: async () => [],
      openedBefore: async () => [],
    },
    lexicon,
    onDisagreement: async (...all) => {
      disagreements.push(all);
    },
    house: (date) => ({ date, source: 'house', board: makeBoard(options.houseSides ?? HOUSE_SIDES) }),
  });
  return { service, repository, logged, slept, disagreements, clock };
}

/** Limits of past days, for everybody and for one tenant. */
export const PAST_DAYS = { pastDays: 12, pastDaysPerTenant: 4 };

export function typedBoard(sides: readonly string[], date: Puzzle['date'] = TODAY) {
  const board = makeBoard(sides);
  const difficulty = gradeOfBoard(board, lexicon);
  return { date, source: 'hand' as const, board, difficulty, typedBy: 'discord:5', typedAt: NOON };
}
