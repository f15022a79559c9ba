import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config/config.ts';
import { type About, readAbout } from './core/about.ts';
import type { ChannelRef } from './core/channel-ref.ts';
import type { Clock } from './core/clock.ts';
import type { Log } from './core/log.ts';
import { withPins } from './daily/delivery/pinned-puzzles.ts';
import { parseStored } from './daily/settings/settings.ts';
import type { App } from './dispatch/contract.ts';
import type { Poster } from './dispatch/poster.ts';
import { housePuzzle } from './puzzle/house.ts';
import { makeNewspaper, type Newspaper } from './puzzle/newspaper/client.ts';
import { userAgent } from './puzzle/newspaper/user-agent.ts';
import { type ChannelSource, makePuzzleService } from './puzzle/service.ts';
import { makePuzzleRepository } from './puzzle/stored-repository.ts';
import type { Puzzle, PuzzleDate, PuzzleService } from './puzzle/types.ts';
import { disagreementReply } from './reply/replies/board.ts';
import { generate } from './solver/generate.ts';
import type { Lexicon } from './solver/lexicon.ts';
import type { Store } from './store/types.ts';
import { readLexicon } from './wordlists/load.ts';
import { readOwnWords } from './wordlists/own.ts';

export interface World {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** The hands of the doors of this process, as they come. */
  readonly posters: ReadonlyMap<string, Poster>;
  readonly onFetched?: (outcome: string, requests: number) => void;
}

/** Where a place that has chosen nothing gets its board from; the operator may be stricter. */
const UNCHOSEN: ChannelSource = { source: 'newspaper', otherwise: 'house' };

/** Everything that handlers and the daily thread use, wired up as the settings have it. */
export function makeApp(world: World): App {
  const { config, store, clock, log, posters } = world;
  const about = readAbout();
  const lexicon = lexiconOf(config);
  return {
    clock,
    lexicon,
    puzzles: withPins(makePuzzles(world, lexicon, about), store),
    store,
    log,
    about,
    posterOf: (door) => posters.get(door),
    randomSeed: randomUUID,
  };
}

/** @throws UserError or LexiconError, which say what is wrong with the word list. */
function lexiconOf({ puzzle: { wordsFile } }: Config): Lexicon {
  return wordsFile === undefined ? readLexicon() : readOwnWords(wordsFile, readLexicon);
}

function makePuzzles(world: World, lexicon: Lexicon, about: About): PuzzleService {
  const { config, store, clock, log, onFetched = () => {} } = world;
  const { source, newspaperUrl, contact, learn } = config.puzzle;
  const now = () => clock.now();
  const chance = { now, random: Math.random, sleep: (milliseconds: number) => sleep(milliseconds) };
  const newspaper = makeNewspaper({
    ...chance,
    fetch,
    userAgent: userAgent({ ...about, ...(contact !== undefined && { contact }) }),
    ...(newspaperUrl !== undefined && { base: newspaperUrl }),
  });
  return makePuzzleService({
    ...chance,
    source,
    sourceFor: (asker) => sourceFor(store, asker),
    newspaper: counted(newspaper, onFetched),
    shelf: makePuzzleRepository(store, now),
    lexicon,
    log,
    learn,
    onDisagreement: (asker, typed, fetched) => tellOfDisagreement(world, asker, typed, fetched),
    house: remembered((date) => housePuzzle(date, (options) => generate(lexicon, options))),
  });
}

/** When a day begins, all places ask for its board before the first has kept it; making one takes a moment. */
function remembered(house: (date: PuzzleDate) => Puzzle): (date: PuzzleDate) => Puzzle {
  let last: Puzzle | undefined;
  return (date) => {
    if (last?.date !== date) last = house(date);
    return last;
  };
}

async function sourceFor(store: Store, { tenant, channel }: ChannelRef): Promise<ChannelSource> {
  const subscription = await store.tenant(tenant).subscriptions.get(channel);
  return subscription === undefined ? UNCHOSEN : parseStored(subscription.settings);
}

function counted(newspaper: Newspaper, onFetched: (outcome: string, requests: number) => void): Newspaper {
  return {
    async ask(date, options) {
      const answer = await newspaper.ask(date, options);
      onFetched(answer.ok ? 'good' : answer.error.trouble, answer.requests);
      return answer;
    },
  };
}

/** To whoever typed the board, in private; the board itself stays as they typed it. */
async function tellOfDisagreement(
  { posters, log }: World,
  asker: ChannelRef,
  typed: Puzzle,
  fetched: Puzzle,
): Promise<void> {
  const [door = ''] = asker.tenant.split(':', 1);
  if (typed.typedBy === undefined) return;
  try {
    await posters.get(door)?.tell(asker, typed.typedBy, disagreementReply(typed, fetched));
  } catch (error) {
    log.warn({ ...asker, err: error }, 'whoever typed the board could not be told of another one');
  }
}
