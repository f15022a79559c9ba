/** What each answer says is what it declares and what its asker is charged for, by a reader that knows only the words. */
import { afterAll, expect, it, test } from 'vitest';
import { identityScope } from '../../src/core/channel-ref.ts';
import type { DoorName } from '../../src/dispatch/contract.ts';
import { boardKey } from '../../src/puzzle/types.ts';
import { HINT_STEPS } from '../../src/reply/model/facts.ts';
import { typeAction } from '../../src/reply/model/text.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { hintPoints } from '../../src/reply/replies/hint-steps.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { opened, say, unopened } from '../fakes/ask.ts';
import { sample } from '../fakes/sample.ts';
import {
  answersOf,
  chargedFor,
  type Fact,
  factsIn,
  pointsOf,
  STEPS,
  strangeWordsIn,
  wordsIn,
} from './told/reader.ts';

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
const answers = answersOf(SIDES, Object.keys(LIKELIHOODS));
const board = makeBoard(SIDES.split(' '));

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

const { app, store, clock, close } = await makeTestApp({
  words: Object.entries(LIKELIHOODS).map(([word, likelihood]) => ({
    ...{ word, likelihood, tier: likelihood > 0.5 ? 'everyday' : 'wide' },
  })),
  house: (date) => ({ date, source: 'house', board, official: ['forbid', 'duckling'], par: 3 }),
  limits: { relaysPerChannel: 100, boardsPerChannel: 100 },
});
afterAll(close);

/** Lines of which the buttons are pressed, too. */
const MOST = sample(Number.POSITIVE_INFINITY, LINES.length + 30);
/** What somebody has done before: nothing, or played a long or a shortest solution. */
const BEFORE = [[], ['play words:blind,duckling,golfbird'], ['play words:forbid,duckling']];

let people = 0;
/**
 * Lets somebody new type these lines in a channel of their own. What they have read after each is what they are charged for, where
 * all of an answer counts as read if its door does not tell what is opened. Returns the last answer, unless it is a form.
 */
async function typeAll(lines: readonly string[], door: DoorName): Promise<Reply | undefined> {
  const id = `person-${++people}`;
  const tenant = `${door}:1`;
  const asker = { ...someone({ id }, { tenant, channel: id }), door };
  const read = new Set<Fact>();
  let reply: Reply | undefined;
  for (const line of lines) {
    clock.time += 60_000;
    reply = await say(app, line, asker).catch((error: unknown) => {
      if (String(error).includes('asked for')) return undefined;
      throw error;
    });
    if (reply === undefined) continue;
    const isPublic = reply.audience === 'everyone';
    const text = (isPublic || door === 'discord' ? opened(reply) : unopened(reply)).replaceAll(/^ +/gm, '');
    const typed = new Set(wordsIn(lines.join(), answers));
    const played = new Set(lines.map((one) => wordsIn(one, answers).join()));
    const occasion = { line, typed, played, read: new Set(read) };
    for (const fact of factsIn(text, answers, occasion)) read.add(fact);
    // Nobody else is told a word.
    if (isPublic)
      expect({ line, words: strangeWordsIn(text, answers, occasion) }).toEqual({ line, words: [] });
    const told = await store.allPeople.factsSeen(identityScope(tenant), id, boardKey(board.sides));
    const charged = chargedFor(new Set(told.keys() as Iterable<Fact>));
    expect({ lines, text, read: chargedFor(read) }).toEqual({ lines, text, read: charged });
  }
  return reply;
}

/** The lines that the buttons and choices of a reply stand for. */
function linesOf({ blocks }: Reply): string[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'buttons') return block.buttons.map(({ action }) => typeAction(action));
    return block.kind === 'menu' ? block.choices.map(({ action }) => typeAction(action)) : [];
  });
}

it('is read by a reader who knows every hint step and its price', () => {
  expect(STEPS).toEqual(HINT_STEPS);
  expect(STEPS.map((step) => pointsOf([step]))).toEqual(HINT_STEPS.map((step) => hintPoints([step])));
});

test.each(['discord', 'slack'] as const)(
  'on %s, by each line and by what its buttons lead to',
  async (door) => {
    const lines = new Set(LINES);
    let asked = 0;
    for (const line of lines)
      for (const before of sample(BEFORE, [BEFORE[door === 'slack' ? 0 : ++asked % 3]!])) {
        const reply = await typeAll([...before, line], door);
        if (reply !== undefined && lines.size < MOST) for (const more of linesOf(reply)) lines.add(more);
      }
    expect(lines.size).toBeGreaterThan(LINES.length + 20);
  },
);
