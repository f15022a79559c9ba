import { spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { COMMAND_NAMES } from '../../../commands/names.ts';
import { EXIT } from '../../../src/chat/terminal/contract.ts';
import { HELP_GROUPS } from '../../../src/chat/terminal/help.ts';
import { bareEnvironment } from '../../bare-environment.ts';
import { makeFolder } from '../../fakes/folder.ts';
import { listening, originOf } from '../../fakes/loopback.ts';
import { needs } from '../../fakes/needs.ts';
import { smallPng } from '../../fakes/pictures.ts';
import { sample } from '../../fakes/sample.ts';
import { withoutHintNumbers } from '../../reply/look.ts';
import { random } from '../../solver/random-boards.ts';
import { type Run, type RunOptions, run, runProcess } from './run.ts';

/** The terminal can't send a reminder, nor post a race, and says so when asked. */
const NOT_HERE = ['remind', 'race'];
const SUBCOMMAND_NAMES = ['backup', 'daily', 'db', 'completions', 'lexicon', 'setup'];

const folder = makeFolder();

const SETTINGS = { DATA_DIR: join(folder, 'data'), PUZZLE_SOURCE: 'house' };

function letterboxed(typed: readonly string[], settings = {}, cwd?: string): Promise<Run> {
  return run(typed, { settings: { ...SETTINGS, ...settings }, ...(cwd !== undefined && { folder: cwd }) });
}

function piped(typed: readonly string[], input: string): Promise<Run> {
  return run(typed, { settings: SETTINGS, input });
}

let dumped: Promise<Run> | undefined;
/** All our words, which take half a second to print. */
function dump(): Promise<Run> {
  dumped ??= letterboxed(['lexicon', '--dump']);
  return dumped;
}

/** In a process of its own, which has a time zone and a language. */
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

const BOARD = 'ozu nri lfa mbt';
/** What each command answers, as text and as data: what scripts read. `vitest run command-line -u` writes the file. */
const SESSION = [
  'solve --json --limit 2 tub pxi snq oja',
  'solve --json -n 2 -e niqab --limit 1 tub pxi snq oja',
  `solve --json -e forum -e multiform,nubiform --limit 3 ${BOARD}`,
  `solve --json -r forum -r nun --limit 1 ${BOARD}`,
  `solve ${BOARD} --played forum,mobilization --limit 2`,
  'solve bcd fgh jkl mnp',
  `hint --step first ${BOARD}`,
  `hint --json --solution ${BOARD}`,
  `hint --json start ${BOARD}`,
  `hint --json meaning ${BOARD}`,
  `hint first words:forum,mobilization ${BOARD} --json`,
  `check unform,nope,mobilization ${BOARD} --json`,
  `next forum ${BOARD} --limit 2`,
  `next forum ${BOARD} --limit 2 --json`,
  `next forum,mobilization ${BOARD} --json`,
  `words ${BOARD} --starts mob --all`,
  `words ${BOARD} --starts mob --limit 1 --json`,
  'generate --seed tea --difficulty easy --json --solution',
  'reveal sides:tub-pxi-snq-oja --spoilers hide',
  ...[`words ${BOARD} --limit 2 --spoilers hide`, `next forum ${BOARD} --limit 2 --spoilers hide`],
  'next --help',
  'lexicon -h',
  'setup -h',
  // A board alone, and lists of the length and page that are asked for.
  `${BOARD} -n 2`,
  `solve ${BOARD} --limit 5`,
  `solve ${BOARD} --each --limit 2`,
  `solve ${BOARD} --json --limit=2 page:2`,
  `words ${BOARD} --json --limit=2 page:2`,
  ...[`solve ${BOARD} --sort alpha --limit 3`, `solve ${BOARD} sort:length --json --limit 2`],
  ...[`solve ${BOARD} --explain -e forum`, `words ${BOARD} --pattern f?r*m --all`],
  ...['solve abcd efgh ijkl mnop qrst --limit 1', 'solve tub pxi snq oja --count 4'],
  // Nothing is found, or a word is wrong: status 1, as text and as data.
  ...['reveal qx zj vk w', 'next forum fu oq rm', `words ${BOARD} --starts zzz`, 'hint qx zj vk w'],
  ...['solve --json qx zj vk w', 'reveal --json qx zj vk w', 'next --json forum fu oq rm'],
  ...[`words --json ${BOARD} --starts zzz`, 'hint --json qx zj vk w'],
  ...[`check forum,mozart ${BOARD}`, `check --json forum,mozart ${BOARD}`],
  // What has to be corrected: status 2, and one line that says how.
  ...['solve', 'check', 'solve --foo x', 'hint lenghts', 'forum', 'yesterday'],
  ...[`${BOARD} zzz`, 'ozu-nri-lfa-mbt forum'],
  ...[`sovle ${BOARD}`, `solve -n two ${BOARD}`, `solve ${BOARD} -n`],
  ...[`solve --limit -5 ${BOARD}`, `solve -n 2 -n 3 ${BOARD}`, `solve --json -r zzzz ${BOARD}`],
  `solve --played forum --explain ${BOARD}`,
  ...[`solve -r forum -e forum ${BOARD}`, `solve -r nubiform --everyday ${BOARD}`, `next nope ${BOARD}`],
  ...[`words page:2 --all ${BOARD}`, `next zzz --json ${BOARD}`, `solve --words gone.txt ${BOARD}`],
  ...[`words ${BOARD} pattern:f(o+)*`, `solve ${BOARD} --picture board.gif`],
  'solve --sides ozu-nri-lfa-mbt --sides tub-pxi-snq-oja',
  ...['wrods please', `solve ${BOARD} --spoilers maybe`, 'solve qx zj vk w --picture=board.png'],
  ...[`solve ${BOARD} --batch`, 'solve --batch --words -', 'solve --batch --picture board.svg'],
  `words ${BOARD} page:2 --limit 2`,
  // Lists of a chosen length that have nothing to list.
  ...[`words ${BOARD} --starts mob page:2 --limit 9`, `words ${BOARD} --starts zzz --limit 2`],
  ...[`next forum,mobilization ${BOARD} --limit 2`, 'next forum fu oq rm --limit 2'],
  ...[`solve ${BOARD} --spoilers hide --spoilers show`, `solve --words +gone.txt ${BOARD}`],
  // The operator's tools.
  ...['db', 'db repair', 'db check twice', 'db application', 'db application letterboxed', 'db erase U1'],
  ...['backup', 'backup a.db b.db', 'daily what', 'daily plan --at soon', 'daily plan --days 0'],
  'completions tcsh',
  // Every word after -e or -r belongs to it, wherever the board is.
  ...[`${BOARD} -e forum mobilization --plain --limit 1`, `-e forum multiform -n 2 ${BOARD} --plain --all`],
  ...[`${BOARD} exclude:forum multiform words:2 --plain --limit 1`],
  ...[`solve ${BOARD} words=2 --exclude FORUM -e multiform --plain --limit 1`],
  ...[`${BOARD} -n 3 -r forum nun --plain`, `${BOARD} require:forum nun words:3 --plain`],
  // One solution or word a line, and nothing else.
  ...[`${BOARD} --plain --limit 2`, `solve ${BOARD} --plain page:2 --limit 2`, 'solve qx zj vk w --plain'],
  ...[`next forum ${BOARD} --plain --limit 1`, `words ${BOARD} --plain --starts mob`],
  ...[`solve ${BOARD} -n 9 --plain --limit 1`, `solve ${BOARD} --spoilers hide`],
  ...[`${BOARD} --help`, 'do you see it', 'who broke that mug', `solv ${BOARD}`],
  ...[`solve ${BOARD} --words 3`, `words ${BOARD} pattern:/(m/`, `words ${BOARD} length:7-5`],
  ...[`words ${BOARD} --plain length:8-9 --once`, `words ${BOARD} --plain pattern:/^m.*[nt]$/ length:5-6`],
  ...[`words ${BOARD} --plain sort:alpha starts:fi`],
];

/**
 * The command lines and the board formats of the documents of other solvers: conor-mcavoy/letter-boxed,
 * wintermute-ui/LetterBoxed-Solver, cwoodhayes/letterboxed_solver, Ned Batchelder's script, tamjidrahman/letterboxsolver.
 */
const OTHER_SOLVERS = [
  [`"Box('ozu', 'nri', 'lfa', 'mbt')" --sort alpha`, 'sides:ozu-nri-lfa-mbt sort:alpha'],
  ['[[vro], [wal], [eth], [bdi]]', 'sides:vro-wal-eth-bdi'],
  [
    'vro wal eth bdi -n 3 -e whiled blowhard -a --limit 2',
    'sides:vro-wal-eth-bdi words:3 exclude:whiled,blowhard all:true --limit=2',
  ],
  ['-n 2 vro wal eth bdi', 'sides:vro-wal-eth-bdi words:2'],
  [
    'vro wal eth bdi --num 2 --exclude whiled blowhard --all',
    'sides:vro-wal-eth-bdi words:2 exclude:whiled,blowhard all:true',
  ],
  ['"vro wal eth bdi" 5', 'sides:vro-wal-eth-bdi most:5'],
  ['"TUB PXI SNQ OJA" 5', 'sides:tub-pxi-snq-oja most:5'],
  ['tub pxi snq oja', 'sides:tub-pxi-snq-oja'],
  ['tub pxi snq oja --explain', 'sides:tub-pxi-snq-oja explain:true'],
  ['tub pxi snq oja --explain', 'tub pxi snq oja --explain --plain --limit 3'],
  [`"[['j', 'l', 'i'], ['c', 'u', 'd'], ['b', 't', 'k'], ['a', 's', 'r']]"`, 'sides:jli-cud-btk-asr'],
] as const;

function inShell(line: string, input = ''): Run {
  const shell = `letterboxed() { "${process.execPath}" bin/letterboxed.js "$@"; }\n${line}`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', shell], {
    env: { ...bareEnvironment(), ...SETTINGS },
    input,
    maxBuffer: 2 ** 26,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

/** Splits a line as a shell does. */
const words = (line: string) =>
  Array.from(line.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);

describe('the command line', () => {
  it.each(sample(IN_BOTH, IN_BOTH.slice(1, 2)).map((typed) => [typed]))(
    'answers %j in a process of its own as in this one, where the other tests run it',
    async (typed) => {
      const home = makeFolder();
      writeFileSync(join(home, '.env'), 'DATA_DIR=kept\nPUZZLE_SOURCE=house\n');
      expect(await runProcess(typed, { folder: home })).toEqual(await run(typed, { folder: home }));
    },
  );

  it(
    'says that its answer could not be written, with the status of a fault',
    needs('/dev/full', existsSync('/dev/full')),
    () => {
      const full = openSync('/dev/full', 'w');
      for (const typed of sample([['--version'], ['solve', '--batch']], [['--version']])) {
        const stdio = ['pipe', full, 'pipe'] as const;
        const { status, stderr } = spawnSync(process.execPath, ['bin/letterboxed.js', ...typed], {
          input: `${BOARD}\n${BOARD}\n`,
          env: bareEnvironment(),
          stdio: [...stdio],
          encoding: 'utf8',
        });
        expect([status, stderr]).toEqual([3, "The answer can't be written (ENOSPC).\n"]);
      }
      closeSync(full);
    },
  );

  it('answers these lines as in expected/command-line.txt', async () => {
    const settings = { DATA_DIR: join(folder, 'session') };
    const session: string[] = [];
    for (const line of SESSION) {
      const { code, out, err } = await letterboxed(words(line), settings);
      const status = code === 0 ? [] : [`exit ${code}\n`];
      const shown = withoutHintNumbers(out).replace(/(\.\d\d)\d+/g, '$1');
      session.push([`$ ${line}\n`, shown, err, ...status].join(''));
    }
    await expect(session.join('\n')).toMatchFileSnapshot('expected/command-line.txt');
  });

  it.each(OTHER_SOLVERS)('answers %j, of another solver, as solve %s', async (line, own) => {
    const solved = await letterboxed(['solve', ...own.split(' ')]);
    expect(solved).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/: [A-Z]{3}(?: [A-Z]{3}){3}\n/),
    });
    expect(await letterboxed(words(line))).toEqual(solved);
  });

  // Most of the time of a command is loading.
  const LOADING: [string[], number][] = [
    [['--help'], 40],
    [['vro', 'walrov'], 50],
    [['vro', 'wal', 'eth', 'bdi', 'gkm', '1'], 86],
  ];
  it.each(sample(LOADING, LOADING.slice(2)))(
    '%j loads no other commands, no store and at most %i modules',
    async (typed, most) => {
      const NODE_OPTIONS = `--import=${pathToFileURL('test/loaded-modules.js')}`;
      const { err } = await inProcess(typed, { settings: { NODE_OPTIONS } });
      const loaded = err.match(/^file:.*$/gm) ?? [];
      expect(loaded.length).toBeGreaterThan(10);
      expect(loaded.length).toBeLessThanOrEqual(most);
      const packages = loaded.flatMap((url) => /node_modules\/([^/]+)/.exec(url)?.[1] ?? []);
      expect(packages.filter((name) => name !== 'lru-cache')).toEqual([]);
      const others =
        /src\/(daily|http|operations|web|players\/(?!results\/prices)|store\/(engines|tables))\/|generate|commands\/index/;
      expect(loaded.filter((url) => others.test(url))).toEqual([]);
    },
  );

  it('solves the board of a picture: a file, or what is piped in', async () => {
    const board = 'test/fakes/board.png';
    const solved = await letterboxed(['solve', BOARD, '2']);
    expect(await letterboxed(['solve', board, '2'])).toEqual(solved);
    expect(await letterboxed([board, '2'])).toEqual(solved);
    for (const sides of [['--sides', board], [`--sides=${board}`], [`sides:${board}`]])
      expect(await letterboxed(['solve', ...sides, '2'])).toEqual(solved);
    expect(inShell(`letterboxed < ${board}`)).toEqual(await letterboxed(['solve', BOARD]));
  });

  it('solves nothing of a picture with letters that may be others, and says what is wrong with a file', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'twice.png'), await smallPng('ozu', 'nri', 'lfa', 'mbo'));
    writeFileSync(join(folder, 'text.png'), 'ozu nri lfa mbt');
    expect(await letterboxed(['solve', join(folder, 'twice.png')])).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^I'm not sure of 2 letters .* O\?ZU NRI LFA MBO\?\./),
    });
    const refused = { code: 2, out: '' };
    expect(await letterboxed([join(folder, 'text.png')])).toMatchObject({
      ...refused,
      err: expect.stringContaining('can’t read that file'),
    });
    expect(await letterboxed(['solve', 'none.png'])).toMatchObject({
      ...refused,
      err: expect.stringContaining('"none.png" can\'t be read'),
    });
  });

  it('takes files where the person stands, also where npm runs it in the folder of the clone', async () => {
    const here = makeFolder();
    copyFileSync('test/fakes/board.png', join(here, 'board.png'));
    writeFileSync(join(here, 'own.txt'), 'forum\nmobilization\n');
    const typed = ['solve', 'board.png', '--words', 'own.txt', '--picture', 'first.svg', '--plain'];
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('INIT_CWD', here);
    // Another script's program is called by that script, which names files as it stands itself.
    vi.stubEnv('npm_lifecycle_event', 'other');
    expect(await letterboxed(typed)).toMatchObject({ code: 2, out: '' });
    vi.stubEnv('npm_lifecycle_event', 'letterboxed');
    expect(await letterboxed(typed)).toMatchObject({ code: 0, out: 'forum mobilization\n' });
    expect(existsSync(join(here, 'first.svg'))).toBe(true);
  });

  it('solves the sides that a shell pipes in without a command', async () => {
    // The last line has no end.
    const { out } = inShell('printf "ozu\nnri\nlfa\nmbt" | letterboxed');
    expect(out).toBe((await letterboxed(['solve', BOARD])).out);
  });

  it('reads a side from each line, with or without an end of the last line, also with its letters apart', async () => {
    const { out } = await letterboxed(['solve', 'jli cud btk asr']);
    for (const input of ['jli\nCUD\nbtk\nasr', 'jli\ncud\nbtk\nasr\n', 'j l i\nc u d\nb t k\na s r\n'])
      expect(await piped(['solve'], input)).toEqual({ code: 0, out, err: '' });
    expect((await piped(['solve'], '\n')).err).toContain('The sides are missing');
    // Without an end of line, the input has ended when the words are asked for again.
    expect(await piped(['check'], '42')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Which words?'),
    });
    const four = await piped(['solve', '--json'], 'a b c d');
    expect(JSON.parse(four.out).sides).toEqual(['a', 'b', 'c', 'd']);
    const three = await piped(['solve', '--json'], 'a b c d\ne f g h\ni j k l\n');
    expect(JSON.parse(three.out).sides).toEqual(['abcd', 'efgh', 'ijkl']);
  });

  it('names the tokens to write into .env where the set-up can’t ask for them', async () => {
    expect(await piped(['setup'], 'discord\n')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/write DISCORD_TOKEN, or SLACK_BOT_TOKEN and SLACK_APP_TOKEN, into \.env/),
    });
  });

  it.each(COMMANDS.flatMap(({ storeUse, examples }) => (storeUse === undefined ? [] : examples)))(
    'answers %s though `storeUse` keeps the store closed',
    async (example) => {
      const { code, err } = await letterboxed(example.split(' '));
      expect(code, err).not.toBe(EXIT.fault);
    },
  );

  it('lists every command once, except one that the terminal refuses', async () => {
    const listed = Object.values(HELP_GROUPS).flat();
    const { out } = await letterboxed(['help']);
    expect(new Set(listed).size).toBe(listed.length);
    const all = [
      ...Object.keys(COMMAND_NAMES).filter((name) => !NOT_HERE.includes(name)),
      ...SUBCOMMAND_NAMES,
    ];
    expect([...listed].sort()).toEqual([...new Set(all)].sort());
    for (const name of listed) expect(out).toMatch(new RegExp(`^  ${name} {2,}`, 'm'));
    expect(await letterboxed(['help', 'all'])).toEqual({ code: 0, out, err: '' });
    for (const name of NOT_HERE) expect((await letterboxed([name])).code).toBe(2);
  });

  it('gives help as data', async () => {
    const all = JSON.parse((await letterboxed(['help', '--json'])).out);
    expect(all.groups[0].commands[0]).toEqual({ name: 'solve', about: COMMAND_NAMES.solve.description });
    const one = await letterboxed(['solve', '--help', '--json']);
    expect(await letterboxed(['help', 'solve', '--json'])).toEqual(one);
    expect(JSON.parse(one.out).options[2]).toMatchObject({ name: 'words', short: '-n', min: 1, max: 12 });
    expect(JSON.parse((await letterboxed(['lexicon', '--help', '--json'])).out).flags).toContainEqual(
      expect.objectContaining({ name: '--dump' }),
    );
  });

  it('prints all solutions with --all, those of fewer words first', async () => {
    const lines = async (line: string) => (await letterboxed(words(line))).out.trimEnd().split('\n');
    const two = await lines(`solve ${BOARD} -n 2 --plain --all`);
    expect([two.length, two[0]]).toEqual([22, 'forum mobilization']);
    const { shortest, safest, counts } = JSON.parse(
      (await letterboxed(words(`${BOARD} -n 3 -a --json`))).out,
    );
    expect(shortest).toHaveLength(6_767);
    expect([safest, counts]).toEqual([undefined, { 1: 0, 2: 22, 3: 6_767 }]);
    const upTo = await lines(`solve ${BOARD} most:3 --all --plain`);
    expect(upTo).toHaveLength(22 + 6_767);
    expect(upTo.slice(0, 22)).toEqual(two);
  });

  const PIPELINES = readFileSync('docs/terminal.md', 'utf8')
    .split('## Pipes')[1]!
    .split('```')[1]!
    .trim()
    .split('\n')
    .slice(1);
  const lacks = (line: string) =>
    ['jq', 'fzf'].some(
      (tool) => line.includes(`| ${tool} `) && spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0,
    );

  it.each(PIPELINES.filter((line) => !lacks(line)))('runs %s', async (line) => {
    let input = '';
    for (const part of line.match(/(?:'[^']*'|[^|'])+/g)!.map((one) => one.trim())) {
      // The word list of a pipe needs a process, as does the loop of a shell.
      const isHere = /^letterboxed (?!.*--words -)/.test(part);
      const isDump = part === 'letterboxed lexicon --dump';
      const inThisProcess = () => (isDump ? dump() : piped(words(part).slice(1), input));
      const { code, out, err } = isHere ? await inThisProcess() : inShell(part, input);
      expect({ part, code, err }).toEqual({ part, code: 0, err: '' });
      input = out;
    }
    expect(input).toMatch(/^\S.*\n/);
  });

  it('names each part of the data of solve in docs/terminal.md', async () => {
    const page = readFileSync('docs/terminal.md', 'utf8');
    const list = join(folder, 'second.txt');
    writeFileSync(list, 'forum\nmobilization\nnubiform\n');
    const keysOf = (data: unknown): string[] =>
      typeof data !== 'object' || data === null
        ? []
        : Object.entries(data).flatMap(([key, value]) => [key, ...keysOf(value)]);
    const found = new Set<string>();
    for (const line of [
      BOARD,
      'tub pxi snq oja everyday',
      `${BOARD} --words ${list} --words ${list}`,
      'abcde fghij klmno prstu --time 600',
    ]) {
      const { out } = await letterboxed(['solve', ...words(line), '--json', '--limit', '1']);
      for (const key of keysOf(JSON.parse(out))) if (/\D/.test(key)) found.add(key);
    }
    expect([...found]).toEqual(expect.arrayContaining(['counts', 'wider', 'beside', 'betterMayExist']));
    expect([...found].filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
  });

  it('has one shape of data for commands without their own', async () => {
    const settings = { DATA_DIR: join(folder, 'shapes') };
    const lines = v.array(v.string());
    const shape = v.strictObject({
      title: v.string(),
      sides: v.optional(lines),
      date: v.optional(v.pipe(v.string(), v.isoDate())),
      facts: v.optional(v.record(v.string(), v.string())),
      text: v.optional(lines),
      hidden: v.optional(v.array(v.strictObject({ label: v.string(), lines }))),
      tables: v.optional(v.array(v.array(v.record(v.string(), v.union([v.string(), v.number()]))))),
      notes: v.optional(lines),
      files: v.optional(v.array(v.strictObject({ name: v.string(), content: v.string() }))),
      next: v.optional(v.array(v.strictObject({ label: v.string(), typed: v.string() }))),
    });
    const read = async (line: string) => {
      const { code, out, err } = await letterboxed([...words(line), '--json'], settings);
      expect({ line, code, err }).toEqual({ line, code: 0, err: '' });
      return v.parse(shape, JSON.parse(out));
    };
    const today = await read('today');
    expect(today.sides).toHaveLength(4);
    const best = JSON.parse(
      (await letterboxed(['solve', ...today.sides!, '--json', '--limit', '1'], settings)).out,
    );
    await read(`play ${best.shortest[0].words.join(',')}`);
    for (const line of ['stats', 'leaderboard', 'leaderboard day', 'archive', 'hunt', 'share', 'board'])
      expect((await read(line)).title).not.toBe('');
    expect((await read('leaderboard')).tables).toHaveLength(1);
    expect((await read('review')).text![0]).toMatch(/^\d+ of 100\./);
    const { hidden, sides } = await read(`reveal ${BOARD}`);
    expect(sides).toEqual(BOARD.split(' '));
    expect(hidden![0]!.lines[0]).toBe('FORUM – MOBILIZATION');
    expect((await read('privacy export')).files).toHaveLength(1);
    for (const { typed } of today.next!) expect(typed).not.toContain('letterboxed');
  });

  it('prints whole data if the last solutions fill what is printed together', async () => {
    const [list, board] = [join(folder, 'pairs.txt'), 'ac bd'];
    const firsts = Array.from({ length: 40 }, (_, at) => 'ab'.repeat(at + 2));
    const seconds = Array.from({ length: 50 }, (_, at) => `b${'cd'.repeat(at + 1)}`);
    writeFileSync(list, [...firsts, ...seconds].join('\n'));
    const { out } = await letterboxed(['solve', board, '--words', list, '--all', '--json']);
    expect(JSON.parse(out).shortest).toHaveLength(2_000);
  });

  it('ends a long list when nobody reads on', () => {
    const { out } = inShell('letterboxed riu pgh lcs yao -n 3 -a --plain --time 600 | head -n 2');
    expect(out.trim().split('\n')).toHaveLength(2);
  });

  it('explains with ten examples, solutions, and how much of the word graph was visited', async () => {
    const { out } = await letterboxed(['solve', BOARD, 'explain', '--json']);
    const { stages, solutions, visited } = JSON.parse(out);
    expect(stages.map(({ kept }: { kept: string[] }) => kept.length)).toEqual([10, 10, 10]);
    expect(solutions).toHaveLength(10);
    expect(visited.nodes).toBeLessThanOrEqual(visited.edges + 1);
  });

  it('reads the word list that it dumps', async () => {
    const [dumped, own] = ['dump.txt', 'listed.txt'].map((name) => join(folder, name));
    const { out } = await dump();
    const lines = out.split(/(?<=\n)/);
    const some = sample(lines, lines.slice(-5000)).join('');
    writeFileSync(dumped!, some);
    expect((await letterboxed(['lexicon', '--dump', '--words', dumped!])).out).toBe(some);
    // With the dump, solutions come in the same order as with our list.
    const played = lines.filter((line) => /^[ozunrilfambt]+\t/.test(line));
    writeFileSync(dumped!, played.join(''));
    const list = ['solve', BOARD, '--json', '--limit', '50'];
    expect((await letterboxed([...list, '--words', dumped!])).out).toBe((await letterboxed(list)).out);
    writeFileSync(own!, 'mobilization\nforum\t everyday\t1\nforum\teveryday\t0.5\n');
    const solved = await letterboxed(['solve', '--plain', '--words', own!, BOARD]);
    expect(solved).toMatchObject({ code: 0, out: 'forum mobilization\n' });
  });

  it('tries a second word list after the first, and shows its solutions beside', async () => {
    const [small, large] = ['small,1.txt', 'large.txt'].map((name) => join(folder, name));
    writeFileSync(small!, 'forum\nmobilization\n');
    writeFileSync(large!, 'unform\nmobilization\njuxtaposition\nniqab\n');
    const both = ['--words', small!, '--words', large!];
    const { out } = await letterboxed(['solve', BOARD, ...both]);
    expect(out).toMatch(/Shortest and safest:\n {2}FORUM – MOBILIZATION\n\nWith both word lists:/);
    expect(out).toContain('UNFORM – MOBILIZATION');
    const data = JSON.parse((await letterboxed(['solve', BOARD, '--json', ...both])).out);
    expect([data.shortest.length, data.beside.length]).toEqual([1, 2]);
    const fallen = await letterboxed(['solve', 'tub pxi snq oja', '--plain', ...both]);
    expect(fallen).toEqual({ code: 0, out: 'juxtaposition niqab\n', err: '' });
    const text = await letterboxed(['solve', 'tub pxi snq oja', ...both]);
    expect(text.out).toContain('The first word list has no solution.\n');
    const three = await letterboxed(['solve', BOARD, ...both, '--words', large!]);
    expect(three).toMatchObject({ code: 2, err: 'Give --words once or twice.\n' });
  });

  it.each([
    ['--spoilers hide hint', 'hint --spoilers hide'],
    ['--words hint --json hint', 'hint --words hint --json'],
    ['--words=hint --step count hint', 'hint --step count --words=hint'],
    ['--exclude forum --json solve', 'solve --exclude forum --json'],
  ])('finds the command after the flags of %j and their values', async (flagsFirst, commandFirst) => {
    const home = makeFolder();
    writeFileSync(join(home, 'hint'), 'forum\nmobilization\n');
    const [one, other] = [flagsFirst, commandFirst].map((line) => words(`${line} ${BOARD}`));
    const settings = { DATA_DIR: join(home, 'data') };
    const expected = await letterboxed(other!, settings, home);
    expect(expected.code).toBe(0);
    rmSync(join(home, 'data'), { recursive: true, force: true });
    expect(await letterboxed(one!, settings, home)).toEqual(expected);
  });

  it('solves a batch with one answer for each line, and an error for a line that is no board', async () => {
    const { code, out } = await piped(
      ['solve', '--batch', '--json', '--limit', '1'],
      `ozu nri lfa mbt\nnonsense\n\njli cud btk asr\n${'z'.repeat(1_000_000)}\no|z|u|n|r|i|l|f|a|m|b|t\n`,
    );
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(2);
    expect(lines).toHaveLength(5);
    expect(lines[0].fewest).toBe(2);
    expect(lines[1]).toEqual({ line: 2, error: expect.stringContaining('where a side ends') });
    expect(lines[2].sides).toEqual(['jli', 'cud', 'btk', 'asr']);
    expect(lines[3]).toEqual({ line: 5, error: expect.stringContaining('too long for a board') });
    expect(lines[4].sides).toEqual([...'ozunrilfambt']);
  });

  // In no file: dates, commands and steps change.
  it.each([
    ['today tomorrow', /isn’t out yet/],
    ['--help xyzzy', /There is no "xyzzy" to help with/],
    ['xyzzy', /There is no "xyzzy" here\. There is: today, play/],
    [`hint --step everything ${BOARD}`, /Choose count, hardest/],
  ])('exits 2 on %s with one clear line', async (line, message) => {
    const { code, err } = await letterboxed(words(line));
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    [`help ${BOARD}`, /^Solve any board/m],
    ['lexicon', /^words +\d+$/m],
    [`check forum yesterday ${BOARD}`, /^I can’t use "yesterday" there\.$/m],
  ])('answers %j', async (line, answer) => {
    expect((await letterboxed(words(line))).out).toMatch(answer);
  });

  it('saves the picture of the first solution, of either kind', async () => {
    for (const [name, start] of [
      ['board.png', '\u{89}PNG'],
      ['board.svg', '<svg '],
    ] as const) {
      const file = join(folder, name);
      const { code, err } = await letterboxed(['solve', BOARD, '--picture', file]);
      expect({ code, err }).toEqual({ code: 0, err: `The picture is in ${file}.\n` });
      const saved = readFileSync(file, 'latin1');
      expect(saved.slice(0, start.length)).toBe(start);
      if (name === 'board.svg') expect(saved.match(/<animate /g)).toHaveLength(6);
    }
    const file = join(folder, 'explained.svg');
    const explained = await letterboxed(['solve', BOARD, '--explain', '--picture', file]);
    expect(explained).toMatchObject({ code: 0, err: `The picture is in ${file}.\n` });
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(folder, 'board.svg'), 'utf8'));
    for (const [below, reason] of [
      [join(folder, 'none'), 'ENOENT'],
      [file, 'ENOTDIR'],
    ] as const) {
      const { code, err } = await letterboxed(['solve', BOARD, '--picture', join(below, 'a.svg')]);
      expect([code, err]).toEqual([2, expect.stringMatching(`can't be written \\(${reason}\\)\\.\n$`)]);
    }
  });

  it.each(['--version', '-v'])('says its version on %s', async (flag) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await letterboxed([flag])).toEqual({ code: 0, out: `letterboxed ${version}\n`, err: '' });
  });

  it('uses the settings of the bot in this folder', async () => {
    const home = makeFolder();
    writeFileSync(join(home, '.env'), 'DATA_DIR=kept\nPUZZLE_SOURCE=house\n');
    const { code, out } = await run(['today'], { folder: home });
    expect(code).toBe(0);
    expect(out).toContain('Made by this bot');
    expect(existsSync(join(home, 'kept', 'letterboxed.db'))).toBe(true);
  });

  it('exits 2 with a sentence when those settings exist but can not be read', async () => {
    const home = makeFolder();
    mkdirSync(join(home, '.env'));
    const { code, err } = await letterboxed(['solve', 'ozu nri lfa mbt'], {}, home);
    expect(code).toBe(2);
    expect(err).toBe(".env is there but can't be read (EISDIR).\n");
  });

  it('asks the newspaper for nothing where no platform is set up', async () => {
    const home = makeFolder();
    const asked: string[] = [];
    const newspaper = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.writeHead(500).end();
    });
    const address = originOf(await listening(newspaper));
    const settings = { DATA_DIR: home, PUZZLE_SOURCE: '', NEWSPAPER_URL: address };
    await letterboxed(['today'], settings, home);
    expect(asked).toEqual([]);
    const token = `${'A'.repeat(24)}.${'b'.repeat(6)}.${'c'.repeat(27)}`;
    await letterboxed(['today'], { ...settings, DISCORD_TOKEN: token }, home);
    expect(asked).not.toEqual([]);
    newspaper.close();
  });

  it('meets garbage with an exit status of its own and no stack trace', async () => {
    const next = random(11);
    const plain = 'solve hint check words --json -n 9999 --limit 🙂 אבג \u202e ozu [[ ]] "" - -- %s {}';
    const bits = [...plain.split(' '), 'x'.repeat(5000)];
    const pick = () => bits[Math.floor(next() * bits.length)]!;
    for (let round = 0; round < sample(40, 10); round++) {
      const args = Array.from({ length: 1 + Math.floor(next() * 5) }, pick);
      const { code, err } = await letterboxed(args);
      expect([0, 1, 2], JSON.stringify(args)).toContain(code);
      expect(err, JSON.stringify(args)).not.toMatch(/\n\s+at /);
    }
  });
});
