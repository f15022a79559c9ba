/** The guides are followed: each of their shell commands is run, or is here with the reason why it is not. */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { COMMANDS } from '../commands/index.ts';
import { SETTINGS } from '../src/config/settings.ts';
import { makeDispatcher } from '../src/dispatch/dispatcher.ts';
import { pathOf } from '../src/reply/picture/path.ts';
import { makeSvg } from '../src/reply/picture/svg.ts';
import { LEADERBOARD_ORDER } from '../src/reply/replies/standings.ts';
import { parseBoard } from '../src/solver/board.ts';
import { walkBoard } from '../src/solver/playable.ts';
import { makeSearch } from '../src/solver/search.ts';
import { openStore } from '../src/store/store.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { run, runHere } from './chat/terminal/run.ts';
import { makeTestApp, someone, type TestApp } from './fakes/app.ts';
import { replyOf, say } from './fakes/ask.ts';
import { makeFolder } from './fakes/folder.ts';

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));
const GUIDES = globSync(['*.md', 'docs/*.md', 'packages/*/README.md', '.github/*.md']);

/** Commands that are not run here, by the reason. */
const NOT_RUN: Readonly<Record<string, readonly RegExp[]>> = {
  'needs a repository with an address': [/^(sudo )?git (clone|pull)/, /^cd /],
  'installs programs on this machine': [/^sudo apt-get /, /^curl -fsSL https:\/\/deb\.nodesource\.com\//],
  "needs npm's registry; the package test and scripts/image.ts install from it": [/^npm ci$/, /^sudo npm ci/],
  'is run by test/scripts/solver-package.test.ts': [/^npm pack /, /^npm install \.\/letterboxed-solver/],
  'is run by test/main.test.ts': [/^(npm ci && )?npm start$/],
  'is run by test/chat/terminal/setup.test.ts': [/^npm run setup( \w+)?$/],
  'is run by test/scripts/doctor.test.ts': [/^npm run (-s )?doctor\b/],
  'is run by test/scripts/discord.test.ts': [/^(sudo )?npm run (-s invite|register)$/],
  'is run by test/chat/slack/manifest.test.ts': [/^npm run manifest$/],
  'is run by test/web/site/site.test.ts': [/^npm run site\b/],
  'is run by test/scripts/evaluate.test.ts': [/^npm run evaluate -- FOLDER$/],
  'is run by test/licences.test.ts': [/^node scripts\/sbom\.ts$/, /^letterboxed about licences$/],
  'is run by test/chat/terminal/completions.test.ts': [/^source <\(letterboxed completions bash\)$/],
  'needs the command that the page makes': [/letterboxed -- vowels /],
  'is how tests are run': [
    /^(npm ci && )?(FAST_CHECK_SEED=7 )?npm test( -- \S+)?$/,
    /^npm run (test:long|check|env-example)$/,
    /^([A-Z]+=\w+ )*npx vitest run /,
    /^npx tsc --noEmit$/,
  ],
  'takes minutes, or rewrites files of this clone': [
    /^npm run (bench|format|fit|build:\w+)\b/,
    /^npm version /,
    /^node scripts\/(image|hint-path|house-schedule\/compare)\.ts$/,
  ],
  'fetches Node 26 and makes a file of 187 MB': [/^npm run executable /, /^\.\/letterboxed /],
  'only names the program': [
    /^npm run -s letterboxed --$/,
    /^npx node$/,
    /^letterboxed (solve|start|db erase)$/,
  ],
  'needs root and systemd; backups are run without sudo': [
    /^sudo (useradd|install|cp|rm|systemctl|-u (letterboxed|postgres)) ?/,
    /^journalctl /,
  ],
  'needs PostgreSQL': [/^pg_(dump|restore) /],
  'needs Docker; test/scripts/containers.test.ts checks both files, and scripts/image.ts the steps': [
    /^docker /,
    /^cp \.env\.example \.env$/,
  ],
};

interface Line {
  readonly guide: string;
  readonly line: string;
}

/** The lines of all blocks marked `sh`, without comments, and the commands within a text. */
const lines = GUIDES.flatMap((guide): Line[] => {
  const page = readFileSync(guide, 'utf8');
  const blocks = [...page.matchAll(/^( *)```sh\n(.*?)^\1```$/gms)].map(([, , block = '']) => block);
  const text = page.replaceAll(/^( *)```.*?^\1```$/gms, '');
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return [
    ...blocks.flatMap((block) => block.split('\n')),
    ...spans.filter((span) =>
      /^([A-Z_]+=\w+ )*(npm|npx|node|docker|sudo|git|source|(\.\/)?letterboxed) /.test(span),
    ),
  ]
    .map((line) => ({ guide, line: line.replace(/\s+#.*$|^\s*#.*$/, '').trim() }))
    .filter(({ line }) => line !== '');
});
const isSetting = ({ line }: Line) => /^[A-Z_]+=\S+$/.test(line);
const reasonFor = ({ line }: Line) =>
  Object.keys(NOT_RUN).find((reason) => NOT_RUN[reason]!.some((pattern) => pattern.test(line)));
const PLACEHOLDERS: Readonly<Record<string, string>> = { STEP: 'count', ID: '123456789012345678' };
const folder = makeFolder();
// The store of a bot that has run.
beforeAll(async () => (await openStore({ dataDir: folder })).close());

describe('the shell commands of the documents', () => {
  const toRun = lines.filter((line) => !isSetting(line) && reasonFor(line) === undefined);

  it('are found, and every reason is used', () => {
    expect(toRun.length).toBeGreaterThan(6);
    const tests = Object.keys(NOT_RUN).flatMap((reason) => reason.match(/(?:test|scripts)\/\S+\.ts/g) ?? []);
    expect(tests.filter((file) => !existsSync(file))).toEqual([]);
    expect(new Set(lines.map(reasonFor).filter((reason) => reason !== undefined))).toEqual(
      new Set(Object.keys(NOT_RUN)),
    );
  });

  it.each(toRun)('$guide: $line', async ({ line }) => {
    const typed = line.split(' ').map((word) => PLACEHOLDERS[word] ?? word.replace('/somewhere', folder));
    const settings = { DATA_DIR: folder, PUZZLE_SOURCE: 'house' };
    if (line.startsWith('npm run -s letterboxed -- ')) {
      expect(await run(typed.slice(5), { settings, folder })).toMatchObject({ code: 0, err: '' });
      return;
    }
    const [, name = '', words = ''] = /^npm run -s (\S+) -- (.*)$/.exec(typed.join(' ')) ?? [];
    const [node, script = ''] = scripts[name]?.split(' ') ?? [];
    expect(node, 'a command that this test knows how to run').toBe('node');
    const { main } = (await import(resolve(script))) as { main(typed: string[]): Promise<number> };
    const { code, out } = await runHere(() => main(words.split(' ')));
    expect([code, out.length > 20]).toEqual([0, true]);
  });

  it.each(lines.filter(isSetting))('$guide sets a setting: $line', ({ line }) => {
    expect(SETTINGS.map(({ name }) => name)).toContain(line.split('=')[0]);
  });

  it('call no npm script that is not there', () => {
    const called = lines.flatMap(({ line }) => /npm run (?:-s )?([\w:-]+)/.exec(line)?.[1] ?? []);
    expect(called.filter((name) => scripts[name] === undefined)).toEqual([]);
    const benches = lines.flatMap(({ line }) => /npm run bench -- (\w+)/.exec(line)?.[1] ?? []);
    expect(benches.filter((name) => !existsSync(`bench/${name}.ts`))).toEqual([]);
  });

  it('name tests that are there', () => {
    const named = lines.flatMap(({ line }) => /npx vitest run (\S+)/.exec(line)?.[1] ?? []);
    expect(named.filter((path) => globSync(`${path}*`).length === 0)).toEqual([]);
  });

  it('are marked as shell wherever they have commands', () => {
    const unmarked = GUIDES.flatMap((guide) =>
      [...readFileSync(guide, 'utf8').matchAll(/^( *)```([^\n]*)\n(.*?)^\1```$/gms)]
        .filter(([, , language]) => language !== 'sh')
        .map(([, , , block = '']) => block)
        .filter((block) => /^ *(\$ |npm |npx |node |git |sudo |docker )/m.test(block)),
    );
    expect(unmarked).toEqual([]);
  });
});

describe('docs/solver.md', () => {
  const page = readFileSync('docs/solver.md', 'utf8');

  it('has the figures that the solver finds', () => {
    const lexicon = readLexicon();
    const board = parseBoard('ozu nri lfa mbt');
    const words = walkBoard(board, lexicon);
    const search = makeSearch(board, words);
    const number = (value: number | bigint | undefined) => value?.toLocaleString('en');
    expect(page).toContain(`The word list has ${number(lexicon.size)} words`);
    expect(page).toContain(`${number(words.size)} can be played here`);
    expect(page).toContain(`${number(words.size)} words make ${number(words.size ** 2)} pairs`);
    expect(page).toContain(`Here ${number(search.count(2))} pairs solve the board`);
    expect(page).toContain(`There are ${number(search.count(3))} solutions with three words`);
    const padded = Number(search.withPadded.count(3)) - Number(search.count(3));
    expect(page).toContain(`${number(padded)} more would be one without`);
    expect(search.fewest).toBe(2);
    for (const word of ['for', 'form', 'fort', 'forum', 'fur', 'from', 'ram', 'multiform', 'mobilization'])
      expect(lexicon.find(word), word).toBeDefined();
  });

  it('has a picture that looks as the bot draws it; `PICTURES=write` writes it', () => {
    const board = parseBoard('ozu nri lfa mbt');
    const path = pathOf(board, ['forum', 'mobilization']);
    const drawn = makeSvg({ board, path, captioned: true, moving: true });
    if (process.env.PICTURES === 'write') writeFileSync('docs/pictures/board.svg', drawn);
    expect(readFileSync('docs/pictures/board.svg', 'utf8')).toBe(drawn);
  });
});

describe('what README and docs/play.md say to type', () => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await makeTestApp();
    // The board that the guide names, which only its maker can close.
    await say(testApp.app, 'board make tub pxi snq oja name:"Tea time"');
  });
  afterAll(() => testApp.close());

  const README = readFileSync('README.md', 'utf8');
  const GUIDE = readFileSync('docs/play.md', 'utf8');
  const names = COMMANDS.map(({ name }) => name);
  const spansOf = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map((found) => found[1]!);
  const lines = spansOf(GUIDE).filter((line) => names.includes(line.split(' ')[0]!));
  const section = README.slice(
    README.indexOf('## What it does'),
    README.indexOf('## Where the board comes from'),
  );
  const examples = [...section.matchAll(/^- .*$/gm)].flatMap(([row]) => spansOf(row));

  test('README has one command to try it and one to test it, and .ci/run has the second', () => {
    expect(README).toMatch(/```sh\nnpm ci && npm start .*\nnpm ci && npm test .*\n```/);
    expect(readFileSync('.ci/run', 'utf8')).toContain("sh -c 'npm ci && npm test'");
  });

  test('docs/play.md names every command of players', () => {
    expect(examples.length).toBeGreaterThan(10);
    const named = new Set(lines.map((line) => line.split(' ')[0]));
    for (const name of ['play', 'share', 'stats', 'leaderboard', 'relay', 'privacy'])
      expect(named).toContain(name);
    expect(GUIDE).toMatch(
      /fewer words, then fewer letters, then fewer \[hint points\][^,]*, then the earlier one/,
    );
    // Most days of each kind come first: `compareStandings` ranks people so.
    const days = 'Most days solved come first (before the solution, then after it, then self-reported)';
    expect(GUIDE.replaceAll('\n', ' ')).toContain(days);
    expect(LEADERBOARD_ORDER).toContain(days);
    expect(LEADERBOARD_ORDER).toMatch(
      /then fewest words,\s+fewest letters, fewest hints \(strong ones count more\), and who was earliest/,
    );
  });

  test.each([...new Set([...examples, ...lines])])('%s', async (line) => {
    expect(names).toContain(line.split(' ')[0]);
    const prepared = makeDispatcher(testApp.app, { commands: COMMANDS }).prepareLine(line, someone());
    if (prepared.kind === 'form') return;
    const { title, isMistake } = await replyOf(prepared);
    expect(isMistake).toBeUndefined();
    expect(title).not.toBe('Sorry, that went wrong');
  });
});

describe('the texts for the directories', () => {
  const page = readFileSync('docs/directories.md', 'utf8');
  const manifest = JSON.parse(readFileSync('manifest.json', 'utf8'));

  function text(name: string): string {
    return new RegExp(`^\`\`\`${name}\\n(.*?)\\n\`\`\`$`, 'ms').exec(page)![1]!;
  }

  it.each([
    ['the summary on Discord', text('summary'), 200],
    ['the description on Discord', text('description'), 400],
    ['the short description on Slack', text('short'), 140],
    ['the description in the manifest', manifest.display_information.description, 140],
    ['the long description in the manifest', manifest.display_information.long_description, 4_000],
  ])('%s fits', (_, written, most) => {
    expect(written.length).toBeGreaterThan(40);
    expect(written.length).toBeLessThanOrEqual(most);
  });

  it('is as long as Slack asks for at least', () => {
    expect(manifest.display_information.long_description.length).toBeGreaterThanOrEqual(174);
  });

  it('name commands that are there', () => {
    const named = [...page.matchAll(/\/letterboxed (\w+)/g)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => !COMMANDS.some((command) => command.name === name))).toEqual([]);
  });

  it('name pictures that are there', () => {
    const named = [...page.matchAll(/`(?:docs\/screenshots\/)?([\w-]+\.png)`/g)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !existsSync(`docs/screenshots/${name}`))).toEqual([]);
  });
});
