/** What people read at each door is what they are charged for, by a reader that knows only the words. */
import { afterEach, expect, it } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { HOUR, type PuzzleDate, SECOND } from '../../src/core/clock.ts';
import { recordFacts } from '../../src/dispatch/hint-record.ts';
import { addDays } from '../../src/puzzle/calendar.ts';
import { boardKey, type Puzzle } from '../../src/puzzle/types.ts';
import { HINT_STEPS } from '../../src/reply/model/facts.ts';
import { hintPoints } from '../../src/reply/replies/hint-steps.ts';
import { makeBoard } from '../../src/solver/board.ts';
import type { LexiconEntry } from '../../src/solver/lexicon.ts';
import { PersonalLinks } from '../../src/web/pages/personal-links.ts';
import { TODAY } from '../fakes/app.ts';
import { sample } from '../fakes/sample.ts';
import { newYork, WORLD_DOORS, type World, world } from '../fakes/world.ts';
import { random } from '../solver/random-boards.ts';
import { LINK_SECRETS } from '../web/pages/serve.ts';
import { visitDiscord, visitPage, visitSlack, visitWeb } from './told/doors.ts';
import { answersOf, pointsOf, STEPS } from './told/reader.ts';
import { type BoardAsked, type Ground, readSequence } from './told/sequences.ts';

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
const OTHER_ORDER = 'bdo fik lun crg';
/** Another board, on which each solution of the day's is one, too. */
const MOVED = 'rg c ikf uln dob';
/** The same board in other letters, none of whose words can be played on another of these. */
const YESTERDAYS = 'ozm uij rvs bpk';
const MADE = 'jky agp inz doe';
function inLetters(sides: string, text: string): string {
  return text.replace(/[a-z]/g, (letter) => sides[SIDES.indexOf(letter)] ?? letter);
}
/** Words of sentences that people type, none of which can be played on the boards. */
const SPOKEN = 'that start with good morning what there today can use letter twice'.split(' ');
const WORDS: readonly LexiconEntry[] = [
  ...[SIDES, YESTERDAYS, MADE].flatMap((sides) =>
    Object.entries(LIKELIHOODS).map(([word, likelihood]) => [inLetters(sides, word), likelihood] as const),
  ),
  ...SPOKEN.map((word) => [word, 0.99] as const),
].map(([word, likelihood]) => ({ word, likelihood, tier: likelihood > 0.5 ? 'everyday' : 'wide' }));

const YESTERDAY = addDays(TODAY, -1);

function house(date: PuzzleDate): Puzzle {
  const sides = date === YESTERDAY ? YESTERDAYS : SIDES;
  return {
    date,
    source: 'house',
    board: makeBoard(sides.split(' ')),
    official: ['forbid', 'duckling'].map((word) => inLetters(sides, word)),
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
relay start
relay start turns:true
relay golfbird
relay forbid
relay duckling
relay blind
relay hint
relay hint
relay undo
relay show
relay stop
`;
const STEP_LINES = STEPS.flatMap((step) => [`hint step:${step}`, `hint step:${step} words:golfbird`]);
const LINES = [...ASKED.trim().split('\n'), ...STEP_LINES];
const openersIn = (lines: readonly string[]) => lines.filter((line) => /^play .*,.*,/.test(line));

/** The lines that can name another board, about that one. */
function linesOn(sides: string, option: string): string[] {
  const named = LINES.filter((line) =>
    /^(?:hint|next|solve|play|review|hunt|reveal|words|check)\b/.test(line),
  );
  return named
    .filter((line) => !/\bsides:/.test(line))
    .map((line) => {
      const [command = '', ...options] = line.replace(/ date:\S+/, '').split(' ');
      const typed = options.map((one) =>
        one.replace(/(?<=^(?:words|require|exclude):)\S+/, (words) => inLetters(sides, words)),
      );
      return [command, ...typed, option].join(' ');
    });
}

const ofYesterday = linesOn(YESTERDAYS, 'date:yesterday');
// What explains a search tells letters of the typed board's solutions, and no chain, which alone counts for the day.
const ofMoved = linesOn(SIDES, `sides:"${MOVED}"`).filter(
  (line) => !/^(?:play|review|hunt)|shown:|exclude:|require:|explain:/.test(line),
);
const ofMade = linesOn(MADE, `sides:"${MADE}"`);
/** On Slack, where the bot has a conversation of its own with everybody. */
const ofToday = LINES.filter((line) => /^(?:hint|next|solve|reveal|hunt)\b/.test(line));
const inPrivate = ofToday.map((line) => `in private: ${line}`);
const isAbout = (sides: string) => {
  const names = [sides, sides.toUpperCase(), sides.replaceAll(' ', '-')];
  return (text: string) => names.some((name) => text.includes(name));
};
const answersOn = (sides: string) =>
  answersOf(
    sides,
    Object.keys(LIKELIHOODS).map((word) => inLetters(sides, word)),
  );
const BOARDS: readonly BoardAsked[] = [
  {
    sides: SIDES,
    answers: answersOn(SIDES),
    date: TODAY,
    isNamed: (text) =>
      /November 20|2026-11-20/.test(text) || isAbout(SIDES)(text) || isAbout(OTHER_ORDER)(text),
    lines: LINES,
    openers: openersIn(LINES),
  },
  {
    sides: MOVED,
    answers: answersOn(SIDES),
    isNamed: isAbout(MOVED),
    lines: ofMoved,
    openers: ofMoved,
    solves: SIDES,
  },
  {
    sides: YESTERDAYS,
    answers: answersOn(YESTERDAYS),
    date: YESTERDAY,
    isNamed: (text) =>
      /November 19|2026-11-19|yesterday|^in the thread/.test(text) || isAbout(YESTERDAYS)(text),
    lines: [
      ...ofYesterday,
      ...ofYesterday.map((line) => `in the thread: ${line.replace(' date:yesterday', '')}`),
      'today date:yesterday',
      'thread date:yesterday',
      'share date:yesterday',
    ],
    openers: openersIn(ofYesterday),
    isOver: true,
  },
  {
    sides: MADE,
    answers: answersOn(MADE),
    isNamed: isAbout(MADE),
    lines: [
      ...ofMade,
      ...['standings', 'remove', ...Array<string>(8).fill('close')].map(
        (what) => `board ${what} sides:"${MADE}"`,
      ),
      `board make sides:"${MADE}" name:"Tea time"`,
      'board list',
    ],
    openers: [`board make sides:"${MADE}"`],
  },
];

/**
 * At each door. The sample nearly always finds a fault that shows in one of 6 sequences at all doors, or in every other one at
 * one of them. `SEQUENCES=300` reads as many, and `SEED=7` the seventh alone.
 */
const SEQUENCES = Number(process.env.SEQUENCES ?? sample(2_000, 4));
const { SEED } = process.env;
/** Events of one person; more where there are several. */
const LENGTH = 8;
const LENGTH_OF_SEVERAL = 12;

const LINKS = new PersonalLinks({
  publicUrl: 'https://bot.example.org',
  linkSecrets: LINK_SECRETS,
});
/** The sequences that one world sees: what was posted and answered before makes it slower. */
const OF_ONE_WORLD = 20;

let made: World | undefined;
async function close(): Promise<void> {
  await made?.close();
  made = undefined;
}
afterEach(close);

const DOORS = [...WORLD_DOORS, 'page'] as const;

async function open(door: (typeof DOORS)[number]): Promise<World> {
  made = await world({
    doors: door === 'page' ? [] : [door],
    words: WORDS,
    house,
    limits: {
      commandsPerPerson: 1_000,
      commandsPerChannel: 10_000,
      hintsPerPerson: HINTS_PER_PERSON,
      relaysPerChannel: 100,
      boardsPerChannel: 100,
    },
  });
  const [place] = made.places;
  if (place === undefined) return made;
  made.clock.time = newYork(19, 4);
  await place.ask('ada', 'daily on');
  // The whole thread of yesterday, and the first hints of today.
  for (let hour = 5; hour <= 39; hour++) await made.at(newYork(19, hour));
  return made;
}

/** More than a sequence shows, and less than a flood. */
const HINTS_PER_PERSON = 100;
const LONG_OVER = [...'mnopqrstuvwxyz'].map((letter, at) => ({
  board: makeBoard(['abc', 'def', 'ghi', `jk${letter}`]),
  date: addDays(TODAY, -9 - at),
  facts: STEPS,
}));

async function flood({ app, clock }: World, tenant: string, id: string): Promise<void> {
  const where = { tenant, channel: 'elsewhere', direct: false };
  await recordFacts({ who: { id, mayManage: false }, where }, app, LONG_OVER);
  clock.time += SECOND;
}

function boardsAt(door: (typeof DOORS)[number]): readonly BoardAsked[] {
  // Pages are opened where nothing was posted.
  if (door === 'page') return BOARDS.map((board) => ({ ...board, isOver: false }));
  const [today, ...others] = BOARDS;
  return door === 'slack' ? [{ ...today!, lines: [...today!.lines, ...inPrivate] }, ...others] : BOARDS;
}

/** Three at most, as in the local chat. */
const NAMES = ['ben', 'cleo', 'ada'] as const;
const VISITS = {
  discord: visitDiscord,
  slack: visitSlack,
  web: visitWeb,
  page: (at: World) => visitPage(at, TODAY, LINKS),
} as const;

function groundOf(door: string, boards: readonly BoardAsked[], typed = new Set<string>()): Ground {
  return {
    ...{ boards, store: made!.store, typed, countsCovered: door === 'discord' },
    restart: () => made!.restart(),
    flood: ({ id, tenant }) => flood(made!, tenant, id),
  };
}

it('charges for all that each command by itself tells of the day’s board', async () => {
  await open('discord');
  for (const { name } of COMMANDS) {
    const ground = groundOf('discord', [{ ...BOARDS[0]!, lines: [name], openers: [name] }]);
    const visitor = await visitDiscord(made!);
    const wrong = await readSequence(ground, [visitor], () => 0.3, { length: 1, chance: () => 1 });
    expect(wrong && `${name}: ${wrong}`).toBeUndefined();
  }
});

it('is read by a reader who knows every hint step and its price', () => {
  expect(STEPS).toEqual(HINT_STEPS);
  expect(STEPS.map((step) => pointsOf([step]))).toEqual(HINT_STEPS.map((step) => hintPoints([step])));
});

it.each(DOORS)(
  '%s',
  async (door) => {
    const seeds = SEED === undefined ? Array.from({ length: SEQUENCES }, (_, at) => at + 1) : [Number(SEED)];
    let typed = new Set<string>();
    for (const [at, seed] of seeds.entries()) {
      if (at % OF_ONE_WORLD === 0) {
        await close();
        await open(door);
        typed = new Set();
      }
      const { store, clock } = made!;
      clock.time += SECOND;
      const next = random(seed);
      const several = next() < 0.3 ? 1 + Math.ceil(next() * 2) : 1;
      const visitors = [];
      for (const name of NAMES.slice(0, several)) visitors.push(await VISITS[door](made!, name));
      const { tenant, channel } = visitors[0]!;
      await store.tenant(tenant).madeBoards.remove(channel, boardKey(MADE.split(' ')));
      const ground = groundOf(door, boardsAt(door), typed);
      const length = several > 1 ? LENGTH_OF_SEVERAL : LENGTH;
      const wrong = await readSequence(ground, visitors, next, { length, chance: random(-seed) });
      expect(wrong && `sequence ${seed}: ${wrong}`).toBeUndefined();
    }
  },
  HOUR,
);
