import { afterAll, describe, expect, test } from 'vitest';
import { type ReviewedWord, reviewOf, type SolutionReview } from '../../src/play/review.ts';
import { namedBoardOfDay } from '../../src/reply/model/named-board.ts';
import { knownBy, reviewReply } from '../../src/reply/replies/review.ts';
import { compileLexicon, loadLexicon } from '../../src/solver/lexicon.ts';
import { walkWord } from '../../src/solver/playable.ts';
import { makeSearch } from '../../src/solver/search.ts';
import { makeTestApp, someone, TODAY } from '../fakes/app.ts';
import { opened, press, say, unopened } from '../fakes/ask.ts';
import { sendStep } from '../fakes/day-thread.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { resultIn } from '../fakes/stored.ts';
import { actionOf, buttons } from '../reply/look.ts';

const made = await makeTestApp({ words: WORDS, house });
const { app } = made;
afterAll(made.close);

describe('the review of a solution', () => {
  test('names where it stands, and no solution but the asker’s', async () => {
    const ann = someone({ id: 'ann' });
    await say(app, 'play bfjmcg,gkdhln,nbp', ann);
    const reply = await say(app, 'review', ann);
    expect(reply.audience).toBe('asker');
    const text = opened(reply);
    expect(text).toContain('85 of 100. 1 word more than the fewest: −15.');
    expect(text).toContain('Your 3 words with 15 letters: the only way in 3 words.');
    expect(text).toContain('It can be done in 2 words.');
    expect(text).toContain(
      'BFJMCG: most people know it, 6 new letters. After it, 1 word would have finished; you needed 2 more.',
    );
    // The line of the word has said so.
    expect(text).not.toContain('begins with BFJMCG');
    expect(text).not.toContain('GKDHLNBP');
    // What it tells of better solutions has its price once.
    expect(text).toContain('If you find a better solution, what this tells counts as 6 hint points.');
    expect(opened(await say(app, 'review', ann))).not.toContain('If you find a better solution');
  });

  test('names no price once the thread has told the solution, since no better one would count', async () => {
    const bob = someone({ id: 'bob' }, { channel: 'told' });
    await say(app, 'play bfjmcg,gkdhln,nbp', bob);
    for (const step of ['opening', 'solution'])
      await sendStep(made.store, { ...bob.where, date: TODAY, step }, made.clock.now());
    const text = opened(await say(app, 'review', bob));
    expect(text).toContain('It can be done in 2 words.');
    expect(text).not.toContain('If you find a better solution');
  });

  const reviewed = (review: SolutionReview) =>
    opened(
      reviewReply({
        namedBoard: namedBoardOfDay(house(TODAY)),
        review,
        lexicon: { find: () => undefined },
        isListExact: true,
        hints: 0,
        paid: [],
        hasResult: true,
        mayImprove: true,
      }),
    );

  test.each<[string, number, ReviewedWord['onwards'], number]>([
    ['that words begin a shortest solution', 3, { words: 1, ways: 2 }, 6],
    ['that words begin one that is shorter but no shortest', 4, { words: 2, ways: 3 }, 1],
    ['that words begin a better one of the shortest', 2, undefined, 6],
  ])('tells %s, at its price', (_, length, onwards, points) => {
    const [first, ...more] = ['bfjm', 'mcg', 'gkdhln', 'nbp'].slice(0, length);
    const words: ReviewedWord[] = [
      { word: first!, gained: [], better: 3, ...(onwards && { onwards }) },
      ...more.map((word) => ({ word, gained: [] })),
    ];
    const text = reviewed({ words, isSolved: true, letters: 20, fewest: 2 });
    expect(text).toContain(`counts as ${points} hint point${points === 1 ? '' : 's'}.`);
    if (onwards)
      expect(text).toMatch(/After it, any of (?:2 words|3 chains of 2 words) would have finished;/);
  });

  test('says nothing of how better solutions begin if those with its first word could not be counted', () => {
    const words = [undefined, 0, undefined].map((better) => ({
      word: 'bfjm',
      gained: [],
      ...(better === 0 && { better }),
    }));
    const text = reviewed({ words, isSolved: true, letters: 40, fewest: 2 });
    expect(text).not.toContain('begins as yours did');
    const counted = words.with(0, { ...words[0]!, better: 0 });
    expect(reviewed({ words: counted, isSolved: true, letters: 40, fewest: 2 })).toContain(
      'begins as yours did',
    );
  });

  test('gives words that the game has since rejected no more than all points, and no place', () => {
    const { board } = house(TODAY);
    const accepted = WORDS.filter(({ word }) => !/gkdhlnbp/.test(word));
    const words = accepted.map((one) => ({
      ...one,
      length: one.word.length,
      walks: walkWord(board, one.word),
    }));
    const search = makeSearch(board, words);
    expect(search.fewest).toBe(3);
    const text = reviewed(reviewOf(search, ['bfjmcg', 'gkdhlnbp']));
    expect(text).toContain('100 of 100. Nothing lost.\n\nYour 2 words with 14 letters.\n');
    expect(text).not.toContain('can be done');
  });

  test('draws the best-known solution once where the asker has found it', () => {
    const best = ['bfjmcg', 'gkdhlnbp'];
    const drawn = (words: string[]) =>
      reviewReply({
        namedBoard: namedBoardOfDay(house(TODAY)),
        review: {
          words: words.map((word) => ({ word, gained: [] })),
          isSolved: true,
          letters: 20,
          fewest: 2,
        },
        ...{
          lexicon: { find: () => undefined },
          isListExact: true,
          hints: 0,
          paid: [],
          hasResult: true,
          mayImprove: true,
          best,
        },
      }).blocks.flatMap((block) => (block.kind === 'picture' ? [block.picture.beside?.length ?? 0] : []));
    expect(drawn(best)).toEqual([0]);
    expect(drawn(['bfjm', 'mcg', 'gkdhlnbp'])).toEqual([1]);
  });

  test('says how many people know a word, by its place in the lists and how likely it is accepted', () => {
    const lexicon = loadLexicon(
      compileLexicon([
        { word: 'common', likelihood: 0.999, tier: 'everyday' },
        { word: 'grown', likelihood: 0.95, tier: 'everyday' },
        { word: 'headwind', likelihood: 0.99, tier: 'wide' },
        { word: 'kewl', likelihood: 0.4, tier: 'wide' },
      ]),
    );
    expect(['common', 'grown', 'headwind', 'kewl', 'unlisted'].map((word) => knownBy(word, lexicon))).toEqual(
      ['everyone', 'most people', 'most people', 'few people', 'few people'],
    );
  });

  test('takes the hints that the result counts, and not those of afterwards', async () => {
    const ben = someone({ id: 'ben' });
    await say(app, 'hint first', ben);
    await say(app, 'play bfjmcg,gkdhlnbp', ben);
    const points = async () => /(\d+) of 100/.exec(opened(await say(app, 'review', ben)))?.[1];
    const before = await points();
    expect(Number(before)).toBeLessThan(100);
    await say(app, 'reveal', ben);
    expect(await points()).toBe(before);
  });

  test('is one press away wherever a board was solved', async () => {
    const cat = someone({ id: 'cat' });
    const solved = await say(app, 'play bfjmcg,gkdhlnbp', cat);
    expect(opened(await press(app, actionOf(solved, 'How you did'), cat))).toContain(
      '100 of 100. Nothing lost.',
    );
    const review = await press(app, actionOf(await say(app, 'play', cat), 'How you did'), cat);
    expect(opened(review)).toContain('100 of 100.');
    // There is no better one to find, but others.
    expect(buttons(review).map(({ label }) => label)).toEqual(['Share', 'Hunt', 'See other solutions']);
  });

  test.each(['review', 'review bfjmcg,gkdhlnbp', `review bfjmcg,gkdhlnbp date:${TODAY}`])(
    'shows nothing of a day’s board to somebody who has not solved it: %s',
    async (line) => {
      const reply = await say(app, line, someone({ id: `new ${line}` }));
      expect(reply.title).toMatch(/^Not solved yet/);
      expect(JSON.stringify(reply)).not.toMatch(/of 100|fewest|GKDHLNBP/i);
    },
  );

  test('of a typed board takes typed words, if they solve it', async () => {
    const dan = someone({ id: 'dan' });
    const board = 'bcd fgh jkl mnp';
    const review = await say(app, `review bfjmcg,gkdhlnbp ${board}`, dan);
    expect(opened(review)).toContain('of 100');
    // The day's board: dan has no result of it yet.
    const others = await press(app, actionOf(review, 'See other solutions'), dan);
    expect(opened(others)).toContain('the solution counts as all hints');
    expect(opened(await say(app, `review bfjmcg ${board}`, dan))).toContain('don’t solve the board');
  });

  test('after giving up or the day, says how it could have gone, and hides the best solution', async () => {
    const fay = someone({ id: 'fay' });
    await say(app, 'play from:bfjmcg', fay);
    expect((await say(app, 'review', fay)).title).toMatch(/^Not solved yet/);
    const given = await say(app, 'reveal open', fay);
    const review = await press(app, actionOf(given, 'How you did'), fay);
    expect(review.title).toMatch(/^How it could have gone/);
    expect(unopened(review)).toContain('It can be done in 2 words.');
    expect(unopened(review)).toContain(
      'BFJMCG: most people know it, 6 new letters. After it, 1 word would have finished.',
    );
    expect(unopened(review)).not.toMatch(/GKDHLNBP|of 100/);
    expect(opened(review)).toContain('BFJMCG – GKDHLNBP');
    const late = await say(app, 'review yesterday', someone({ id: 'gus' }));
    expect(late.title).toMatch(/^How it could have gone/);
  });

  test('leads back to any word of the solution, and leaves the result as it is', async () => {
    const hal = someone({ id: 'hal' });
    await say(app, 'play bfjmcg,gkdhln,nbp', hal);
    const review = await say(app, 'review', hal);
    const game = await press(app, actionOf(review, 'Go on from GKDHLN'), hal);
    expect(opened(game)).toContain('BFJMCG – GKDHLN');
    expect(opened(game)).toContain('Left: P');
    const again = await press(app, actionOf(review, 'Go on from BFJMCG'), hal);
    expect(opened(again)).toMatch(/\nBFJMCG/);
    const result = () => resultIn(app.store, 'web:local', 'hal', 'general', TODAY);
    expect(await result()).toMatchObject({ words: 3 });
    await say(app, 'play bfjmcg,gkdhlnbp', hal);
    expect(await result()).toMatchObject({ words: 2 });
  });

  test('words that were only checked are saved with one press', async () => {
    const eve = someone({ id: 'eve' });
    const checked = await say(app, 'check bfjmcg,gkdhlnbp', eve);
    const saved = await press(app, actionOf(checked, 'Save my result'), eve);
    expect(saved.title).toMatch(/^Solved in 2 words/);
    expect(await resultIn(app.store, 'web:local', 'eve', 'general', TODAY)).toMatchObject({
      words: 2,
    });
  });
});
