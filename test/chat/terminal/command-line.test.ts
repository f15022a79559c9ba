import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { sample } from '../../fakes/sample.ts';
import { random } from '../../solver/random-boards.ts';
import { type Run, type RunOptions, run, runProcess } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'letterboxed-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SETTINGS = { DATA_DIR: join(folder, 'data'), PUZZLE_SOURCE: 'house' };

function letterboxed(typed: readonly string[], settings = {}, cwd?: string): Promise<Run> {
  return run(typed, { settings: { ...SETTINGS, ...settings }, ...(cwd !== undefined && { folder: cwd }) });
}

/** In a process of its own, which has an input, a time zone and a language. */
function inProcess(typed: readonly string[], options: RunOptions = {}): Promise<Run> {
  return runProcess(typed, { ...options, settings: { ...SETTINGS, ...options.settings } });
}

/** With each exit status, as text and as data, with a database, and with settings of the folder. */
const IN_BOTH = [
  ['solve', '--json', 'tub pxi snq oja'],
  ['solve', 'qx zj vk w'],
  ['sovle', 'ozu nri lfa mbt'],
  ['check', 'forum,mozart', 'ozu nri lfa mbt', '--json'],
  ['hint', 'tub pxi snq oja', '--spoilers=hide'],
  ['generate', '--seed', 'tea', '--difficulty', 'easy'],
  ['today', '2026-01-05'],
  ['db', 'check'],
  ['db', 'repair'],
  ['hint', '--help'],
  ['solve', '--words', 'gone.txt', 'ozu nri lfa mbt'],
];

describe('the command line', () => {
  it.each(sample(IN_BOTH, IN_BOTH.slice(1, 2)).map((typed) => [typed]))(
    'answers %j in a process of its own as in this one, where the other tests run it',
    async (typed) => {
      const home = mkdtempSync(join(folder, 'both-'));
      writeFileSync(join(home, '.env'), 'DATA_DIR=kept\nPUZZLE_SOURCE=house\n');
      expect(await runProcess(typed, { folder: home })).toEqual(await run(typed, { folder: home }));
    },
  );

  it('solves as JSON, in the promised shape', async () => {
    const { code, out } = await letterboxed(['solve', '--json', 'tub pxi snq oja']);
    const answer = JSON.parse(out);
    expect(code).toBe(0);
    expect(Object.keys(answer)).toEqual(['sides', 'playable', 'fewest', 'counts', 'shortest', 'safest']);
    expect(answer.shortest[0].words).toEqual(['juxtaposition', 'niqab']);
    expect(answer.counts['2']).toBe(2);
  });

  it('loads only what it needs to solve a typed board', async () => {
    const NODE_OPTIONS = `--import=${pathToFileURL('test/loaded-modules.js')}`;
    const { code, err } = await inProcess(['solve', 'tub pxi snq oja'], { settings: { NODE_OPTIONS } });
    const loaded = err.split('\n').filter((url) => url.startsWith('file:'));
    expect(code).toBe(0);
    expect(loaded.find((url) => url.endsWith('/src/solver/search.ts'))).toBeDefined();
    const packages = loaded.flatMap((url) => /node_modules\/([^/]+)/.exec(url)?.[1] ?? []);
    expect(packages).toEqual(['lru-cache']);
    const others =
      /src\/(daily|http|operations|pages|players|store\/(engines|tables))\/|calendar|generate|saved-game/;
    expect(loaded.filter((url) => others.test(url))).toEqual([]);
  });

  it('solves a board that is typed alone, and lists no option of our own buttons', async () => {
    const rest = ['ozu', 'nri', 'lfa', 'mbt', '-n', '2'];
    const [alone, named, hint] = await Promise.all([
      letterboxed(rest),
      letterboxed(['solve', ...rest]),
      letterboxed(['hint', '--help']),
    ]);
    expect(alone).toEqual(named);
    expect(alone.out).toContain('FORUM – MOBILIZATION');
    expect(hint.out).toContain('  sides: ');
    expect(hint.out).not.toContain('shown:');
  });

  it('takes exclusions, exact lengths and limits', async () => {
    const { out } = await letterboxed([
      'solve',
      '--json',
      '-n',
      '2',
      '-e',
      'niqab',
      '--limit',
      '1',
      'tub',
      'pxi',
      'snq',
      'oja',
    ]);
    expect(JSON.parse(out).shortest.map((solution: { words: string[] }) => solution.words)).toEqual([
      ['juxtaposition', 'niqabs'],
    ]);
  });

  it('solves a batch with one answer for each line, and an error for a line that is no board', async () => {
    const { code, out } = await inProcess(['solve', '--batch', '--json', '--limit', '1'], {
      input: 'ozu nri lfa mbt\nnonsense\n\njli cud btk asr\n',
    });
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(2);
    expect(lines).toHaveLength(3);
    expect(lines[0].fewest).toBe(2);
    expect(lines[1]).toEqual({ line: 2, error: expect.stringContaining('where a side ends') });
    expect(lines[2].sides).toEqual(['jli', 'cud', 'btk', 'asr']);
  });

  it('gives one hint at a time and does not show the solution', async () => {
    const hint = ['hint', '--step', 'count', 'tub pxi snq oja'];
    const [hidden, shown] = await Promise.all([letterboxed([...hint, '--spoilers=hide']), letterboxed(hint)]);
    expect(hidden.out).toContain('How many words it takes: (hidden)');
    expect(shown.out).toContain('2 words can do it, in 2 ways.');
    expect(shown.out).not.toMatch(/niqab/i);
  });

  it('checks words and says which rule is broken', async () => {
    const [wrong, right] = await Promise.all(
      ['unform,nope,mobilization', 'unform,mobilization'].map((words) =>
        letterboxed(['check', words, 'ozu nri lfa mbt']),
      ),
    );
    expect([wrong?.code, right?.code]).toEqual([1, 0]);
    expect(wrong?.out).toMatch(/✓ UNFORM\n✗ NOPE/);
  });

  it('makes the same board of the same seed', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => letterboxed(['generate', '--seed', 'tea', '--difficulty', 'easy'])),
    );
    expect(first).toEqual(second);
    expect(first?.code).toBe(0);
  });

  it('exits 1 when there is no solution, and says why', async () => {
    const { code, out } = await letterboxed(['solve', 'bcd fgh jkl mnp']);
    expect(code).toBe(1);
    expect(out).toContain('No word in the word list can be played on this board.');
  });

  it.each([
    [['solve'], /The sides are missing/],
    [['solve', '--foo', 'x'], /Unknown option '--foo'/],
    [
      ['solve', '-n', 'two', 'ozu nri lfa mbt'],
      /"two" doesn’t work for words. Type a whole number from 1 to 8/,
    ],
    [['hint', '--step', 'everything', 'ozu nri lfa mbt'], /Choose start, count/],
    [['solve', '--limit', '-5', 'ozu nri lfa mbt'], /--limit needs a value after it\. See: /],
    [['solve', 'ozu nri lfa mbt', '-n'], /--words-exactly needs a value after it/],
    [['xyzzy'], /There is no "xyzzy" here\. There is: today, play/],
    [['forum'], /"forum" isn’t a command\. To play it on the day’s board, type play before it\./],
    [['sovle', 'ozu nri lfa mbt'], /Did you mean solve\?/],
    [['solve', '-n', '2', '-n', '3', 'ozu nri lfa mbt'], /--words-exactly is given 2 times; once is enough/],
    [['solve', '--board', 'ozu nri lfa mbt', '--sides', 'tub pxi snq oja'], /sides is there twice/],
    [['solve', '--json', '-r', 'zzzz', 'ozu nri lfa mbt'], /ZZZZ can’t be required/],
    [['solve', '-r', 'forum', '-e', 'forum', 'ozu nri lfa mbt'], /you also exclude it/],
    [['solve', '-r', 'nubiform', '--everyday', 'ozu nri lfa mbt'], /it is not an everyday word/],
    [['words', 'page:2', '--all', 'ozu nri lfa mbt'], /like: --limit 50/],
    [['next', 'zzz', '--json', 'ozu nri lfa mbt'], /needs Z twice in a row/],
    [['solve', '--words', join(folder, 'gone.txt'), 'ozu nri lfa mbt'], /gone\.txt" can't be read/],
    [['check'], /Which words\? Try: check forum,mozart/],
    [['today', 'tomorrow'], /isn’t out yet/],
    [['hint', 'lenghts'], /Did you mean lengths\?/],
    [['next', 'nope', 'ozu nri lfa mbt'], /NOPE has P/],
  ])('exits 2 on %j with one clear line', async (args, message) => {
    const { code, err } = await letterboxed(args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('uses the word list that is named', async () => {
    const file = join(folder, 'own.txt');
    writeFileSync(file, 'adgjbehkcfil\n');
    const { out } = await letterboxed(['solve', '--json', '--words', file, 'abc def ghi jkl']);
    expect(JSON.parse(out)).toMatchObject({
      playable: 1,
      fewest: 1,
      shortest: [{ words: ['adgjbehkcfil'], likelihood: 1 }],
    });
  });

  it('takes name:value as at every door, and flags, for one thing', async () => {
    const ways = [
      ['solve', '-n', '3', '-e', 'niqab', '--json', 'tub pxi snq oja'],
      ['solve', 'words:3', 'exclude:niqab', '--json', 'sides:tub pxi snq oja'],
      ['solve', 'tub', 'pxi', 'snq', 'oja', 'words=3', '--exclude', 'NIQAB', '--json'],
    ];
    const runs = await Promise.all(ways.map((args) => letterboxed(args)));
    expect(JSON.parse(runs[0]!.out).shortest[0].words).toHaveLength(3);
    for (const { out } of runs) expect(out).toBe(runs[0]!.out);
  });

  it('lists plainly what is asked for by number', async () => {
    const [next, words] = await Promise.all([
      letterboxed(['next', 'forum', 'ozu nri lfa mbt', '--limit', '2']),
      letterboxed(['words', 'ozu nri lfa mbt', '--starts', 'mob', '--all']),
    ]);
    expect(next.out).toBe('Fewest more words: 1\n  mobilization\n  mum mobilization\n');
    expect(words.out).toMatch(/^ *[\d.]+ % +\d+ {2}mob/);
  });

  it("shows the day's board in characters, labelled, with local times", async () => {
    const { code, out } = await inProcess(['today'], {
      settings: { TZ: 'Asia/Kolkata', LANG: 'en_US.UTF-8' },
    });
    expect(code).toBe(0);
    expect(out).toContain('┌─○───○───○─┐');
    expect(out).toMatch(/House board, made by this bot/);
    // 03:00 in New York, summer or winter, is this in Kolkata.
    expect(out).toMatch(/On until: .*(12:30|1:30).PM/);
    expect(out).toContain('→ Hint: npm run -s letterboxed -- hint date:');
  });

  it('shows solutions, and hides them for a shared screen', async () => {
    const [hidden, shown] = await Promise.all(
      [['--spoilers', 'hide'], []].map((more) => letterboxed(['reveal', 'sides:tub-pxi-snq-oja', ...more])),
    );
    expect(hidden?.out).not.toMatch(/niqab/i);
    expect(hidden?.out).toContain('Leave out --spoilers hide to see what is hidden.');
    expect(shown?.out).toContain('JUXTAPOSITION – NIQAB');
  });

  it('goes up the ladder of hints from one call to the next, once a hint was shown', async () => {
    const settings = { DATA_DIR: join(folder, 'ladder') };
    const steps: (string | undefined)[] = [];
    for (const more of [['--spoilers=hide'], [], ['--spoilers=hide'], []]) {
      const { out } = await letterboxed(['hint', 'tub pxi snq oja', ...more], settings);
      steps.push(/^Hint (\d)/.exec(out)?.[1]);
    }
    expect(steps).toEqual(['1', '1', '2', '2']);
  });

  it('takes lists in several parts', async () => {
    const board = 'ozu nri lfa mbt';
    const [without, required] = await Promise.all([
      letterboxed(['solve', board, '-e', 'forum', '-e', 'multiform,nubiform', '--json', '--limit', '100']),
      letterboxed(['solve', board, '-r', 'forum', '-r', 'nun', '--json', '--limit', '1']),
    ]);
    const words = JSON.parse(without!.out).shortest.flatMap(
      (solution: { words: string[] }) => solution.words,
    );
    expect(words).not.toHaveLength(0);
    for (const excluded of ['forum', 'multiform', 'nubiform']) expect(words).not.toContain(excluded);
    expect(JSON.parse(required!.out).shortest[0].words).toEqual(expect.arrayContaining(['forum', 'nun']));
  });

  it('looks the same with and without options', async () => {
    const board = 'ozu nri lfa mbt';
    const [usual, limited, each] = await Promise.all(
      [[], ['--limit', '5'], ['--one-each', '--limit', '2']].map((more) =>
        letterboxed(['solve', board, ...more]),
      ),
    );
    const listed = (text: string | undefined) => text?.slice(0, text.indexOf('\n→'));
    expect(listed(limited?.out)).toBe(listed(usual?.out));
    expect(each?.out).toMatch(/^Solutions: OZU NRI LFA MBT\n\nPlayable words: 890\n/);
    expect(each?.out).toContain('One for each first word:\n  FORUM – MOBILIZATION');
  });

  it.each(['--version', '-v'])('says its version on %s', async (flag) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await letterboxed([flag])).toEqual({ code: 0, out: `letterboxed ${version}\n`, err: '' });
  });

  it('turns pages of lists', async () => {
    const board = 'ozu nri lfa mbt';
    const pages = ['--limit=4', '--limit=2 page:1', '--limit=2 page:2'].map((typed) => typed.split(' '));
    const lists = async (command: string, name: string) =>
      (await Promise.all(pages.map((typed) => letterboxed([command, board, '--json', ...typed])))).map(
        ({ out }) => JSON.parse(out)[name],
      );
    for (const [command, name] of [
      ['solve', 'shortest'],
      ['solve', 'safest'],
      ['words', 'words'],
    ] as const) {
      const [all, first, second] = await lists(command, name);
      expect([...first, ...second]).toEqual(all);
    }
  });

  it('has nothing to add to a board that is solved', async () => {
    const board = 'ozu nri lfa mbt';
    const [next, solve, hint] = await Promise.all([
      letterboxed(['next', 'forum,mobilization', board, '--json']),
      letterboxed(['solve', board, '--played', 'forum,mobilization', '--limit', '2']),
      letterboxed(['hint', 'first', 'words:forum,mobilization', board, '--json']),
    ]);
    expect(JSON.parse(next.out)).toMatchObject({ fewestMore: 0, ways: [] });
    expect(solve.out).toBe(
      'Solved: OZU NRI LFA MBT, after FORUM – MOBILIZATION\n\nEvery letter is used already: nothing is left.\n',
    );
    expect(JSON.parse(hint.out)).toMatchObject({ solved: true });
  });

  it.each([
    [1, ['solve', 'qx zj vk w']],
    [1, ['reveal', 'qx zj vk w']],
    [1, ['next', 'forum', 'fu oq rm']],
    [1, ['words', 'ozu nri lfa mbt', '--starts', 'zzz']],
    [1, ['hint', 'qx zj vk w']],
    [1, ['check', 'forum,mozart', 'ozu nri lfa mbt']],
  ])('exits %i on %j, as text and as data', async (code, args) => {
    const runs = await Promise.all([letterboxed(args), letterboxed([...args, '--json'])]);
    expect(runs.map((run) => run.code)).toEqual([code, code]);
  });

  it('uses the settings of the bot in this folder', async () => {
    const home = mkdtempSync(join(folder, 'bot-'));
    writeFileSync(join(home, '.env'), 'DATA_DIR=kept\nPUZZLE_SOURCE=house\n');
    const { code, out } = await run(['today'], { folder: home });
    expect(code).toBe(0);
    expect(out).toContain('House board, made by this bot');
    expect(existsSync(join(home, 'kept', 'letterboxed.db'))).toBe(true);
  });

  it('exits 2 with a sentence when those settings exist but can not be read', async () => {
    const home = mkdtempSync(join(folder, 'odd-'));
    mkdirSync(join(home, '.env'));
    const { code, err } = await letterboxed(['solve', 'ozu nri lfa mbt'], {}, home);
    expect(code).toBe(2);
    expect(err).toBe(".env is there but can't be read (EISDIR).\n");
  });

  it('asks the newspaper for nothing where no platform is set up', async () => {
    const home = mkdtempSync(join(folder, 'none-'));
    const asked: string[] = [];
    const newspaper = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.writeHead(500).end();
    });
    await once(newspaper.listen(0, '127.0.0.1'), 'listening');
    const { port } = newspaper.address() as AddressInfo;
    const settings = { DATA_DIR: home, PUZZLE_SOURCE: '', NEWSPAPER_URL: `http://127.0.0.1:${port}` };
    await letterboxed(['today'], settings, home);
    expect(asked).toEqual([]);
    const token = `${'A'.repeat(24)}.${'b'.repeat(6)}.${'c'.repeat(27)}`;
    await letterboxed(['today'], { ...settings, DISCORD_TOKEN: token }, home);
    expect(asked).not.toEqual([]);
    newspaper.close();
  });

  it("falls back on the house's board, and says so, when the newspaper can't be reached", async () => {
    const { code, out } = await letterboxed(['today'], {
      DATA_DIR: join(folder, 'unreachable'),
      PUZZLE_SOURCE: 'newspaper',
      NEWSPAPER_URL: 'http://127.0.0.1:9',
    });
    expect(code).toBe(0);
    expect(out).toContain('House board, made by this bot');
  });

  it('helps with everything it has', async () => {
    const [all, one, own] = await Promise.all(
      [['--help'], ['hint', '--help'], ['lexicon', '-h']].map((args) => letterboxed(args)),
    );
    for (const name of ['today', 'hint', 'solve', 'lexicon'])
      expect(all?.out).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    expect(one?.out).toContain('npm run -s letterboxed -- hint lengths');
    expect(own?.out).toContain('--dump');
  });

  it('meets garbage with an exit status of its own and no stack trace', async () => {
    const next = random(11);
    const bits = [
      'solve',
      'hint',
      'check',
      'words',
      '--json',
      '-n',
      '9999',
      '--limit',
      '🙂',
      'אבג',
      '\u202e',
      'ozu',
      '[[',
      ']]',
      '""',
      '-',
      '--',
      '%s',
      '{}',
      'x'.repeat(5000),
    ];
    const pick = () => bits[Math.floor(next() * bits.length)]!;
    for (let round = 0; round < 40; round++) {
      const args = Array.from({ length: 1 + Math.floor(next() * 5) }, pick);
      const { code, err } = await letterboxed(args);
      expect([0, 1, 2], JSON.stringify(args)).toContain(code);
      expect(err, JSON.stringify(args)).not.toMatch(/\n\s+at /);
    }
  });

  it('says what is wrong on standard error and exits 2, whatever is piped into it', async () => {
    const { code, out, err } = await inProcess(['sovle', 'ozu nri lfa mbt'], {
      input: '🙂\u0000nonsense\n'.repeat(3),
    });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^There is no "sovle" here\. Did you mean solve\?.*\n$/);
  });

  it('reads a megabyte of garbage without a hang', async () => {
    const { code, out } = await inProcess(['solve', '--batch'], {
      input: `${'z'.repeat(1_000_000)}\nozu nri lfa mbt\n`,
    });
    expect(code).toBe(2);
    expect(out).toContain('too long for a board');
    expect(out).toContain('"fewest":2');
  });
});
