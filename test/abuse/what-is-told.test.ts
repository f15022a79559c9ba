/** What people read at each door is what they are charged for, by a reader that knows only the words. */
import { afterEach, expect, it } from 'vitest';
import { HOUR, type PuzzleDate, SECOND } from '../../src/core/clock.ts';
import type { Puzzle } from '../../src/puzzle/types.ts';
import { makeBoard } from '../../src/solver/board.ts';
import type { LexiconEntry } from '../../src/solver/lexicon.ts';
import { makePersonalLinks } from '../../src/web/pages/personal-links.ts';
import { TODAY } from '../fakes/app.ts';
import { sample } from '../fakes/sample.ts';
import { newYork, type World, world } from '../fakes/world.ts';
import { visitDiscord, visitPage, visitSlack, visitWeb } from './told/doors.ts';
import { answersOf, STEPS } from './told/reader.ts';
import { numbersFrom, readSequence } from './told/sequences.ts';

const SIDES = 'rgc ikf uln dob';
/** Made up, but for some: five solutions of two words, and solutions of three. */
const LIKELIHOODS = {
  forbid: 0.99,
  duckling: 0.98,
  golfbird: 0.7,
  ducknib: 0.4,
  cubligord: 0.3,
  dinkof: 0.35,
  blind: 0.97,
  cling: 0.96,
  drug: 0.96,
};
/** Words of sentences that people type, none of which can be played on the board. */
const SPOKEN = 'that start with good morning what there today can use letter twice'.split(' ');
const WORDS: readonly LexiconEntry[] = [
  ...Object.entries(LIKELIHOODS),
  ...SPOKEN.map((word) => [word, 0.99] as const),
].map(([word, likelihood]) => ({ word, likelihood, tier: likelihood > 0.5 ? 'everyday' : 'wide' }));
const ANSWERS = answersOf(SIDES, Object.keys(LIKELIHOODS));
const OTHER_ORDER = 'bdo fik lun crg';

function house(date: PuzzleDate): Puzzle {
  return {
    date,
    source: 'house',
    board: makeBoard(SIDES.split(' ')),
    official: ['forbid', 'duckling'],
    par: 3,
  };
}

const ASKED = `
hint
hint
hint
hint words:golfbird
hint words:forbid
hint words:blind
hint everyday:true
hint shown:"first,masked,meaning"
hint step:start shown:"first,lengths"
hint sides:"${OTHER_ORDER}"
next words:golfbird
next words:blind
next words:forbid
solve date:today
solve date:today words:1
solve date:today all:true
solve date:today each:true
solve date:today words:3 page:50
solve date:today exclude:duckling page:99
solve date:today explain:true
solve date:today explain:true exclude:forbid
solve sides:"${OTHER_ORDER}"
solve sides:"${OTHER_ORDER}" require:golfbird page:9
words
words starts:d
words sort:coverage
check words:golfbird
check words:dukling
check words:blind,duckling
check words:golfbird,ducknib
play
play words:blind,duckling,golfbird
play words:blind,dinkof,forbid,duckling
play words:golfbird,dinkof,forbid,duckling
play words:forbid,duckling
play words:golfbird,ducknib
record forbid duckling
review
review
review
review
review words:golfbird,ducknib
hunt
hunt
hunt
hunt hint:letter
hunt hint:word
reveal
reveal open:true
thread
thread steps:"start,first"
board make sides:"${OTHER_ORDER}"
today
share
stats
archive
leaderboard
privacy
help hint
words can start with that
words can start with that
good morning what is there today
can i use a letter twice
`;
const OPENERS = ASKED.trim()
  .split('\n')
  .filter((line) => /^play .*,.*,/.test(line));
const STEP_LINES = STEPS.flatMap((step) => [`hint step:${step}`, `hint step:${step} words:golfbird`]);
const LINES = [...ASKED.trim().split('\n'), ...STEP_LINES];

/**
 * At each door. The sample nearly always finds a fault that shows in one of 30 sequences at all doors, or in one of 8 at one
 * of them. `SEQUENCES=300` reads as many, and `SEED=7` the seventh alone.
 */
const SEQUENCES = Number(process.env.SEQUENCES ?? sample(2_000, 25));
const { SEED } = process.env;
const LENGTH = 8;

const LINKS = makePersonalLinks({
  publicUrl: 'https://bot.example.org',
  linkSecret: 'a secret of a platform',
});
/** The sequences that one world sees: what was posted and answered before makes it slower. */
const OF_ONE_WORLD = 20;

let made: World | undefined;
async function close(): Promise<void> {
  await made?.close();
  made = undefined;
}
afterEach(close);

async function open(door: 'discord' | 'slack' | 'web' | 'page'): Promise<World> {
  made = await world({
    doors: door === 'page' ? [] : [door],
    words: WORDS,
    house,
    limits: { commandsPerPerson: 1_000, commandsPerChannel: 10_000 },
  });
  const [place] = made.places;
  if (place === undefined) return made;
  await place.ask('ada', 'daily on');
  for (const hour of [13, 15]) await made.at(newYork(20, hour));
  return made;
}

const VISITS = {
  discord: visitDiscord,
  slack: visitSlack,
  web: visitWeb,
  page: (at: World) => visitPage(at, TODAY, LINKS),
} as const;

it.each(['discord', 'slack', 'web', 'page'] as const)(
  '%s',
  async (door) => {
    const seeds = SEED === undefined ? Array.from({ length: SEQUENCES }, (_, at) => at + 1) : [Number(SEED)];
    for (const [at, seed] of seeds.entries()) {
      if (at % OF_ONE_WORLD === 0) {
        await close();
        await open(door);
      }
      const { store, clock } = made!;
      clock.time += SECOND;
      const ground = {
        sides: SIDES,
        answers: ANSWERS,
        store,
        lines: LINES,
        openers: OPENERS,
        countsCovered: door === 'discord',
      };
      const wrong = await readSequence(ground, await VISITS[door](made!), numbersFrom(seed), LENGTH);
      expect(wrong && `sequence ${seed}: ${wrong}`).toBeUndefined();
    }
  },
  HOUR,
);
