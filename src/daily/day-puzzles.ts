import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { doorOf } from '../core/channel-ref.ts';
import type { PuzzleDate } from '../core/clock.ts';
import type { App } from '../dispatch/contract.ts';
import { makeNewspaper, type Newspaper, userAgent } from '../puzzle/newspaper.ts';
import { makePuzzleRepository } from '../puzzle/repository.ts';
import { DayPuzzleService, type PuzzleService, type PuzzleServiceOptions } from '../puzzle/service.ts';
import type { Puzzle } from '../puzzle/types.ts';
import { disagreementReply } from '../reply/replies/board.ts';
import type { JobAsker } from '../work/job.ts';
import { storedChannelDays } from './day-thread.ts';
import { notifyQuietly } from './suspension.ts';

export interface PuzzleParts {
  readonly config: Pick<Config, 'puzzle' | 'operator'>;
  /** How long the newspaper may take, and the longest wait between attempts, in milliseconds. */
  readonly profile: { readonly newspaperTimeout?: number; readonly longestPause?: number };
  readonly onFetched?: PuzzleServiceOptions['onFetched'];
  /** Parts of the outside world that tests replace. */
  readonly replace?: {
    readonly newspaper?: Newspaper;
    readonly house?: (date: PuzzleDate) => Puzzle;
    readonly random?: () => number;
    readonly sleep?: (milliseconds: number) => Promise<void>;
  };
}

/** Who asks for the job that makes the house's board. */
const HOUSE_ASKER: JobAsker = { channel: 'house' };

/** Makes the puzzle service from the settings: newspaper, house, boards typed by hand, and stored boards. */
export function makeDayPuzzles(
  { config, profile, onFetched, replace = {} }: PuzzleParts,
  { store, clock, log, lexicon, about, work, limits, posterOf }: App,
): PuzzleService {
  const { source, newspaperUrl } = config.puzzle;
  const { newspaperTimeout, longestPause = Number.POSITIVE_INFINITY } = profile;
  const now = clock.now.bind(clock);
  const world = {
    now,
    random: replace.random ?? Math.random,
    sleep:
      replace.sleep ?? ((milliseconds: number): Promise<void> => sleep(Math.min(milliseconds, longestPause))),
  };
  const newspaper =
    replace.newspaper ??
    makeNewspaper({
      ...world,
      fetch,
      userAgent: userAgent({ ...about, contact: config.operator.contact }),
      limits: newspaperTimeout === undefined ? undefined : { timeout: newspaperTimeout },
      base: newspaperUrl,
    });
  return new DayPuzzleService({
    ...world,
    source,
    days: storedChannelDays({ store, log }),
    newspaper,
    onFetched,
    repository: makePuzzleRepository(store, now, log),
    lexicon,
    log,
    limits,
    async onDisagreement(asker, typed, fetched) {
      const poster = posterOf(doorOf(asker.tenant));
      const notice = disagreementReply(asker, typed, fetched);
      if (typed.typedBy !== undefined) await notifyQuietly(log, poster, asker, typed.typedBy, notice);
    },
    house: replace.house ?? ((date) => work.run('house', { date }, HOUSE_ASKER)),
  });
}
