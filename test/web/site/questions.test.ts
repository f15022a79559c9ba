import { describe, expect, it, vi } from 'vitest';
import { bundle } from '../../../scripts/site.ts';
import { offeredOptions } from '../../../src/dispatch/contract.ts';
import { hintTitle } from '../../../src/reply/replies/hint-steps.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import { DOCUMENTS } from '../../../src/web/site/documents.ts';
import { QUESTIONS } from '../../../src/web/site/questions.ts';
import { Site } from '../../../src/web/site/site.ts';
import { readLexicon } from '../../../src/wordlists/load.ts';
import { sample } from '../../fakes/sample.ts';
import { addedTo } from '../pages/playing.ts';

const SIDES = 'ozu nri lfa mbt';
const site = new Site({
  lexicon: readLexicon,
  everyday: readLexicon,
  house: (date) => ({ date, source: 'house', board: parseBoard(SIDES), par: 5 }),
  now: () => Date.parse('2026-11-20T17:00Z'),
  address: 'https://example.org/boards/',
});

const CASES = QUESTIONS.flatMap(({ command }) =>
  [undefined, ...offeredOptions(command)].map((option, index) => ({
    isAnswered: sample(true, index % 3 === 0),
    title: `${command.name} ${option?.name ?? ''}`,
    command,
    option,
  })),
);

it('the pages of the site are as they were read: what one has that the page of unknown addresses has not', async () => {
  const { '404.html': plain = '', ...others } = DOCUMENTS;
  const seen = Object.entries({ '': plain, ...others }).flatMap(([name, html]) => [
    `# ${name || '404.html'}`,
    ...addedTo(name === '' ? [] : plain.split('\n'), html.split('\n')),
  ]);
  // Of a board its letters alone: how boards are drawn is tested elsewhere.
  const text = seen
    .join('\n')
    .replaceAll(/<svg.*?<.svg>|how="[^"]*&quot;words/g, (one) => one.replaceAll(/<[^>]*>|[&{:,][^:]*/g, ''));
  await expect(`${text}\n`).toMatchFileSnapshot('expected/documents.txt');
});

describe('the questions of the site', () => {
  // The commands' own tests answer each option as well, without a site around them.
  it.each(CASES)('$title', async ({ command, option, isAnswered }) => {
    const needed = command.options.filter(({ required }) => required).map(({ name }) => name);
    const options = {
      ...(command.name !== 'generate' && { sides: SIDES }),
      ...(needed.includes('words') && { words: 'forum' }),
      ...(option && { [option.name]: option.kind === 'flag' ? 'yes' : (option.example ?? '1') }),
    };
    if (option?.name === 'sides' && command.name === 'generate') options.sides = '5';
    // A day in place of sides.
    if (option?.name === 'date') delete options.sides;
    if (option !== undefined) expect(DOCUMENTS['tools.html']).toContain(`name="${option.name}"`);
    if (!isAnswered) return;
    const { title, parts } = await site.answer({}, { command: command.name, options });
    expect(title).not.toBe('');
    expect(parts).not.toEqual([]);
  });

  it('gives a board’s address', async () => {
    const { parts } = await site.answer({}, { command: 'make', options: { sides: SIDES } });
    expect(parts).toContainEqual({
      kind: 'link',
      address: 'https://example.org/boards/?board=ozu-nri-lfa-mbt&par=8',
    });
    const facts = expect.arrayContaining([{ label: 'Par', value: '8 words' }]);
    expect(parts).toContainEqual({ kind: 'facts', facts });
    // Without sides, it has one of its own, which is easy where one of any difficulty would be fiendish.
    vi.stubGlobal('crypto', { getRandomValues: (numbers: Uint32Array) => numbers.fill(2) });
    const own = await site.answer({}, { command: 'make', options: {} });
    vi.unstubAllGlobals();
    expect(own.title).toMatch(/^Your board: [A-Z ]{15}$/);
    const difficulty = { label: 'Difficulty', value: expect.stringMatching(/^(gentle|easy)/) };
    const easy = expect.arrayContaining([difficulty]);
    expect(own.parts).toContainEqual({ kind: 'facts', facts: easy });
  });

  it('asks whether a side is missing where there are three', async () => {
    const missing = { kind: 'note', line: expect.stringContaining('is one missing?') };
    const answerOf = (sides: string) => site.answer({}, { command: 'solve', options: { sides } });
    expect((await answerOf('ozu nri lfa')).parts[0]).toEqual(missing);
    for (const whole of [SIDES, 'ozunrilfambt', 'oz nr'])
      expect((await answerOf(whole)).parts).not.toContainEqual(missing);
  });

  it('draws five sides as a board, fewer than four as a box, and labelled sides as they are answered', async () => {
    for (const [sides, drawn] of [
      ['ozu nri lfa mbt ckd', 5],
      ['ozu nri', 4],
    ] as const)
      expect((await site.draw({}, { sides })).view.sides).toHaveLength(drawn);
    const { alt } = await site.draw({}, { sides: 'Top: OZU, right: NRI, bottom: LFA, left: MBT' });
    expect(alt).toContain('Top: O Z U; right: N R I;');
  });

  it('goes on with hints from those that are shown', async () => {
    const options = { sides: SIDES, step: 'count', shown: 'start' };
    expect((await site.answer({}, { command: 'hint', options })).title).toBe(hintTitle(['start', 'count']));
  });

  it.each([
    ['solve', {}, 'Fill in “Sides”.'],
    ['make', { sides: 'jq xz' }, 'No words that I know solve this board'],
    ['privacy', {}, 'doesn’t know'],
    ['solve', { sides: SIDES, who: 'me' }, 'no option'],
  ])('refuses %s %j', async (command, options, reason) => {
    await expect(site.answer({}, { command, options })).rejects.toThrow(reason);
  });

  it('takes a board for solvable if the time runs out before a solution is found', async () => {
    expect(await site.isSolvable({ board: 'jq xz' })).toBe(false);
    let milliseconds = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => (milliseconds += 10_000));
    expect(await site.isSolvable({ board: 'abcde fghij klmno pqrst' })).toBe(true);
    now.mockRestore();
  });

  it('opens what was asked for, but not what may offend', async () => {
    const sides = 'sta heo inc klr';
    const { parts } = await site.answer({}, { command: 'words', options: { sides, pattern: 'shit*' } });
    const { parts: other } = await site.answer({}, { command: 'words', options: { sides, pattern: 's*n' } });
    expect(parts).toContainEqual(expect.objectContaining({ kind: 'spoiler', isOpen: false }));
    expect(other).toContainEqual(expect.objectContaining({ kind: 'spoiler', isOpen: true }));
  });
});

it('needs nothing of Node in its worker, with all that its commands import', async () => {
  const { code } = await bundle('web/site/worker.ts');
  expect(code.match(/["']node:\w+["']/g)).toBeNull();
});
