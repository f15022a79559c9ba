import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { HINT_STEPS, type HintStep } from '../../../src/reply/model/facts.ts';
import { namedBoardOf } from '../../../src/reply/model/named-board.ts';
import { factsRevealedBy, plainText, textBlock } from '../../../src/reply/model/text.ts';
import { bestOf } from '../../../src/reply/replies/chosen-solutions.ts';
import { hintBlocks, hintCard } from '../../../src/reply/replies/hint.ts';
import { clues, HINTS, hintTitle, tellsCount } from '../../../src/reply/replies/hint-steps.ts';
import { threadStepsReply } from '../../../src/reply/replies/thread-steps.ts';
import { makeSearch, type Search } from '../../../src/solver/search.ts';
import { tokens } from '../../fakes/open-texts.ts';
import { replaceMethods } from '../../fakes/replace-methods.ts';
import { sample } from '../../fakes/sample.ts';
import { buttons, choices, hidden, SIDES } from '../look.ts';
import { BOARD, madeUp, PUZZLE, playable, searchOf } from '../setting.ts';

const card = (step: HintStep, shown: readonly HintStep[] = [], options = {}) =>
  hintCard({ namedBoard: SIDES, search: searchOf(options), step, shown, paid: shown });

const inThread = (step: HintStep, options = {}) =>
  threadStepsReply({
    ...{ puzzle: PUZZLE, steps: [step], search: searchOf(options) },
    ...{ isListExact: true, audience: 'everyone' },
  });

describe('a hint', () => {
  const SHOWN: Readonly<Record<HintStep, readonly [ofBoard: string, onwards: string]>> = {
    start: [
      'B. No other letter starts a shortest solution. 2 well-known words start with B.',
      'The next word starts with G.',
    ],
    count: [
      'It takes 2 words. There are 2 ways. All use only well-known words.',
      'It takes 1 more word. There is 1 way. Its words are well known.',
    ],
    hardest: [
      'C in 2 well-known words, F in 2, J in 2, D in 3, H in 3. They start with B or M.',
      'D in 3 well-known words, H in 3, K in 3, L in 3, P in 3. They start with G or M.',
    ],
    lengths: ['In order: 6, then 8 letters.', 'One word of 8 letters.'],
    joint: ['The words join on G. 1 well-known word ends in G.', 'Nowhere: one more word is enough.'],
    meaning: [
      'Word 1: no short definition for this one. Word 2: no short definition for this one.',
      'no short definition for this one.',
    ],
    letters: ['B…G, then G…P.', 'G…P.'],
    masked: ['B_J_C_ G_D_L_B_', 'G_D_L_B_'],
    first: ['Start with BFJMCG.', 'Go on with GKDHLNBP.'],
  };

  test.each(HINT_STEPS)('%s shows its own content, also after words that were played', (step) => {
    const [ofBoard, onwards] = SHOWN[step];
    const shownBy = (options = {}) =>
      Object.values(hidden(inThread(step, options)))
        .flat()
        .join(' ');
    expect(shownBy()).toBe(ofBoard);
    expect(shownBy({ played: ['bfjmcg'] })).toBe(onwards);
  });

  test('says which solution it is about before a hint that is about all of them', () => {
    const { blocks } = card('count', ['lengths']);
    const kinds = blocks.map((block) => (block.kind === 'spoiler' ? block.label : block.kind));
    expect(kinds.slice(1, 4)).toEqual([HINTS.lengths.label, 'note', HINTS.count.label]);
  });

  test('of the number of words prepares the search of well-known words once for all cards', () => {
    const search = searchOf();
    const prepared = vi.spyOn(search, 'words', 'get');
    const [first, again] = [1, 2].map(() => HINTS.count.lines(search, bestOf(searchOf())!));
    expect(again).toEqual(first);
    expect(prepared).toHaveBeenCalledTimes(1);
  });

  test('of start letters says so where there was no time to compare them, also after words', () => {
    for (const played of [undefined, ['bfjmcg']]) {
      const search = searchOf({ played });
      vi.spyOn(search, 'startingWith').mockReturnValue({ count: () => undefined } as unknown as Search);
      expect(HINTS.start.lines(search, bestOf(searchOf())!)).toEqual([
        'There was not enough time to compare the letters.',
      ]);
      expect(HINTS.start.data(search, bestOf(searchOf())!)).toEqual({ letters: null });
    }
  });

  test('counts more, the later it comes', () => {
    const weights = HINT_STEPS.map((step) => HINTS[step].weight);
    expect(weights).toEqual(weights.toSorted((a, b) => a - b));
  });

  test('is explained in the guide, with what it counts', () => {
    const rows = readFileSync('docs/hints.md', 'utf8').matchAll(/^\| `(\w+)` \|.*\| (\d+) \|$/gm);
    expect(Array.from(rows, ([, step, weight]) => [step, Number(weight)])).toEqual(
      HINT_STEPS.map((step) => [step, HINTS[step].weight]),
    );
  });

  test('in the thread is hidden, has a short title and no buttons', () => {
    const post = inThread('joint');
    expect(post.title).toBe('Joining letter');
    expect(post.blocks.map(({ kind }) => kind)).toEqual(['spoiler', 'note']);
    expect(plainText(post)).toContain('(hidden)');
  });

  test('that names a word which solves the board alone reveals a solution, on a card and in the thread', () => {
    const search = makeSearch(BOARD, playable(BOARD, { bfjmcgkndhlp: 1 }));
    const common = { search, step: 'first', isListExact: true, audience: 'everyone' } as const;
    const replies = [
      hintCard({ ...common, namedBoard: SIDES }),
      threadStepsReply({ ...common, puzzle: PUZZLE, steps: ['first'] }),
    ];
    for (const reply of replies) {
      const { hidden } = factsRevealedBy(reply);
      expect(hidden.map((one) => one?.facts)).toEqual([['first', 'solution']]);
    }
  });
});

describe('the meanings', () => {
  test('are one clue for each word, in their order', () => {
    const [forum, made] = clues(['forum', 'mbtzz']);
    expect(forum).toMatch(/^a Roman market square/);
    expect(made).toBeUndefined();
  });

  test('leave out a clue that names another word of the solution', () => {
    const [clue = ''] = clues(['forum']);
    const named = clue.match(/[a-z]{5,}/)?.[0] ?? '';
    expect(clues(['forum', named])[0]).toBeUndefined();
  });
});

describe('the hint card', () => {
  test('shows the hints openly, the new one last, with a dot for each', () => {
    const reply = card('lengths', ['start', 'count']);
    expect(reply.title).toBe(hintTitle(['start', 'count', 'lengths']));
    const labels = reply.blocks.flatMap((block) => (block.kind === 'spoiler' ? block.label : []));
    expect(labels).toEqual(['Best first letters', 'How many words it takes', 'How long the words are']);
    expect(plainText(reply)).toContain('In order: 6, then 8 letters.');
    expect(reply.audience).toBe('asker');
  });

  test('has a number and a dot for each step in its title', () => {
    const [first, second] = HINT_STEPS;
    expect(hintTitle([first, second, HINT_STEPS.at(-1)!])).toMatch(/^Hint 3 of \d+ ●●○+●$/);
    expect(hintTitle([second])).toMatch(/^Hint 1 of \d+ ○●○+$/);
    expect(hintTitle([second, second])).toBe(hintTitle([second]));
  });

  test('stays closed should it ever be shown to everyone', () => {
    expect(plainText({ ...card('first'), audience: 'everyone' })).not.toContain('BFJMCG');
  });

  test('goes on with the next hint, which its button names, and keeps what it shows', () => {
    const [more, , solution] = buttons(card('count', ['start'], { played: ['bfjmcg'] }));
    const next = HINT_STEPS[HINT_STEPS.indexOf('count') + 1]!;
    expect(solution).toMatchObject({
      label: 'Show the solution',
      action: { command: 'reveal', options: { sides: 'bcd-fgh-jkl-mnp' } },
    });
    expect(more?.label).toBe(`Next hint: ${HINTS[next].name.toLowerCase()} (1 point)`);
    expect(more?.action.options).toEqual({
      sides: 'bcd-fgh-jkl-mnp',
      step: next,
      // After words, the first letter is known.
      shown: 'count',
      words: 'bfjmcg',
    });
  });

  test('goes back to hints that were skipped, and ends with the solution', () => {
    expect(buttons(card('first', ['count']))[0]?.action.options.step).toBe('hardest');
    const last = card('first', HINT_STEPS.slice(0, -1));
    expect(buttons(last).map(({ action }) => action.command)).toEqual(['reveal']);
    expect(choices(last)).toEqual([]);
  });

  test('lists the other hints by name with what each counts', () => {
    const menu = choices(card('start'));
    const others = HINT_STEPS.filter((step) => step !== 'start');
    expect(menu.map(({ label }) => label)).toEqual(others.map((step) => HINTS[step].name));
    const masked = menu.find(({ label }) => label === 'Masked words');
    expect(masked?.description).toBe('Every second letter. Worth 4 hint points.');
  });

  test('warns before a strong hint, and only then', () => {
    const notes = (next: HintStep) => {
      const before = HINT_STEPS[HINT_STEPS.indexOf(next) - 1]!;
      return plainText(card(before));
    };
    expect(notes('meaning')).toContain('is a strong one, worth 3 hint points.');
    expect(notes('hardest')).not.toContain('strong');
  });

  test('says once that its hints are about one solution', () => {
    expect(plainText(card('first', ['lengths', 'joint'])).match(/About my pick/g)).toHaveLength(1);
  });
});

test('no hint step contains what belongs to a later one, opened or not', () => {
  for (let seed = 0; seed < sample(20, 2); seed++) {
    const { board, words } = madeUp(seed);
    const search = makeSearch(board, words);
    const [best] = search.solutions('shortest').take(1).toArray();
    if (best === undefined || best.words.length < 2) continue;
    const namedBoard = { ...namedBoardOf(board), name: 'this board' };
    const textOf = (steps: readonly HintStep[]) =>
      steps
        .map((step) => {
          return plainText(
            { title: '', blocks: hintBlocks({ namedBoard, search }, [step]) },
            { reveal: true },
          );
        })
        .join('\n');
    const before = (step: HintStep) => HINT_STEPS.slice(0, HINT_STEPS.indexOf(step));
    // How many words of the list start with a letter says nothing about solutions.
    expect(textOf(['start']).replace(/^ *\d+ well-known words? starts? with [A-Z]\.$/m, '')).not.toMatch(
      /\d/,
    );
    expect(textOf(before('lengths'))).not.toMatch(/ then |join/);
    expect(textOf(before('masked'))).not.toContain('_');
    for (const step of HINT_STEPS) {
      const spoken = tokens([textOf([step])]);
      const shown = step === 'masked' ? 0 : (HINTS[step].wordsShown ?? 0);
      const spelled = words.flatMap(({ word }) => (spoken.has(word) ? [word] : []));
      expect(spelled, `${step} spells more than \`wordsShown\``).toEqual(best.words.slice(0, shown));
    }
  }
});

test('no hint tells all that a later one tells', () => {
  const solutions = [
    'cart tone',
    'cart time',
    'cart torn',
    'curt tone',
    'coat tone',
    'port tone',
    'carp pone',
  ];
  const told = (step: HintStep, solution: string) => {
    const best = { words: solution.split(' '), likelihood: 1 };
    // It names the letter of the best solution first, but is about the board, as those that say nothing about a solution.
    if (step === 'start') return solution[0];
    return HINTS[step].about === 'board' ? undefined : JSON.stringify(HINTS[step].data(searchOf(), best));
  };
  const isSame = (step: HintStep, a: string, b: string) => told(step, a) === told(step, b);
  // A clue names no letter.
  const steps = HINT_STEPS.filter((step) => step !== 'meaning');
  for (const [at, later] of steps.entries()) {
    for (const earlier of steps.slice(0, at)) {
      const isMoreTold = solutions.some((a) =>
        solutions.some((b) => isSame(earlier, a, b) && !isSame(later, a, b)),
      );
      const isNothingTold = earlier !== 'start' && HINTS[earlier].about === 'board';
      const wrong = `${earlier} tells all that ${later} does, or two of the solutions above must differ in ${later} alone`;
      expect(isMoreTold || isNothingTold, wrong).toBe(true);
    }
  }
});

test('no hint names on each board how few words solve it, unless it counts as telling that', () => {
  let naming = HINT_STEPS.filter((step) => !tellsCount(step));
  for (let seed = 0; seed < 12; seed++) {
    const { board, words } = madeUp(seed);
    const search = makeSearch(board, words);
    const [best] = search.solutions('shortest').take(1);
    naming = naming.filter((step) => {
      const text = plainText({ title: '', blocks: textBlock(HINTS[step].lines(search, best!)) });
      return text.match(/\d+/g)?.includes(`${search.fewest}`);
    });
  }
  expect(naming, 'name them in `tellsCount`').toEqual([]);
});

test('a hint about the board that asks what a search finds has another text for when the time runs out', () => {
  const asking = HINT_STEPS.filter((step) => {
    const read = new Set<PropertyKey>();
    const get = (search: Search, name: PropertyKey) => read.add(name) && Reflect.get(search, name);
    const search = new Proxy(replaceMethods(searchOf(), {}), { get });
    HINTS[step].lines(search, bestOf(searchOf())!);
    const isAsked = [...read].some((name) => !['board', 'words', 'options'].includes(String(name)));
    return HINTS[step].about === 'board' && isAsked;
  });
  expect(asking, 'see `unproven`').toEqual(HINT_STEPS.filter((step) => HINTS[step].unproven));
});

test('a hint about a solution counts as telling how many words it has if it differs with their number alone', () => {
  const dataOf = (step: HintStep, length: number) =>
    JSON.stringify(HINTS[step].data(searchOf(), { words: Array(length).fill('tone'), likelihood: 1 }));
  const differing = HINT_STEPS.filter((step) => dataOf(step, 2) !== dataOf(step, 3));
  // The number is asked for, or follows from the first word.
  const others = HINT_STEPS.filter((step) => tellsCount(step) && !['count', 'first'].includes(step));
  expect(others, 'see `tellsCount`').toEqual(differing);
});

test('the reasons of hints are true for the word list', () => {
  let reasons = 0;
  for (let seed = 0; seed < sample(200, 20); seed++) {
    const { board, words } = madeUp(seed);
    const search = makeSearch(board, words);
    if (!search.fewest) continue;
    const [best] = search.solutions('shortest').take(1).toArray();
    const linesOf = (step: HintStep) =>
      HINTS[step]
        .lines(search, best!)
        .map((line) => plainText({ title: '', blocks: textBlock([line]) }).trim());
    const spelled = words.map(({ word }) => word.toUpperCase());
    for (const line of [...linesOf('start'), ...linesOf('joint')]) {
      const [, count, verb, letter] =
        /^(\d+) well-known words? (start|end)s? (?:with|in) ([A-Z])\.$/.exec(line) ?? [];
      if (count === undefined) continue;
      const isCounted = (word: string) => (verb === 'start' ? word[0] : word.at(-1)) === letter;
      expect(spelled.filter(isCounted)).toHaveLength(Number(count));
      reasons++;
    }
    const [named = '', why = ''] = linesOf('hardest');
    const letter = named[0]!;
    const through = spelled.filter((word) => word.includes(letter));
    expect(named).toContain(`in ${through.length} well-known word`);
    const starts = /starts? with ([^.]*)\./.exec(why)?.[1]?.match(/\b[A-Z]\b/g);
    if (starts) expect(starts).toEqual([...new Set(through.map((word) => word[0]))].sort());
    for (const { words: chain } of search.solutions('shortest').take(20))
      expect(chain.some((word) => word.toUpperCase().includes(letter))).toBe(true);
  }
  expect(reasons).toBeGreaterThan(10);
});
