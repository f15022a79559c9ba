import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LIMITS, type Limits } from '../src/config/limits.ts';
import { SETTINGS } from '../src/config/settings.ts';
import { DAY, MINUTE } from '../src/core/clock.ts';
import { MAX_BYTES_BEING_READ } from '../src/http/body.ts';
import { HTTP_LIMITS } from '../src/http/server.ts';
import { Metrics } from '../src/operations/observability/metrics.ts';
import { GAME_LIMITS } from '../src/play/game.ts';
import { MAX_RACERS, RACE_TIMEOUT_MS } from '../src/players/race/game.ts';
import { MAX_RELAY_WORDS } from '../src/players/relay/game.ts';
import { MAX_SOLO_GAMES } from '../src/store/tables/games.ts';
import { MAX_MADE_BOARD_RESULTS, MAX_MADE_BOARDS } from '../src/store/tables/made-boards.ts';
import type { PersonExport } from '../src/store/tables/personal-data.ts';
import { MAX_OTHER_RESULTS } from '../src/store/tables/results.ts';
import { KEPT_MS } from '../src/store/tables/tenants.ts';

const PAGES = globSync(['*.md', 'docs/*.md', 'packages/*/*.md', '.github/*.md']);
const read = (file: string) => readFileSync(file, 'utf8');

/** Words in all Markdown of the repository: more would not be read. */
const MOST_WORDS = 17_000;
/** Of those, in README and docs. */
const MOST_WORDS_OF_GUIDES = 12_500;
/** Words of a document: before one grows beyond its size, something in it goes, or it deserves more than another. */
const SIZES: Readonly<Record<string, number>> = {
  'ARCHITECTURE.md': 1_460,
  'CHANGELOG.md': 770,
  'CODE_OF_CONDUCT.md': 110,
  'CONTRIBUTING.md': 1_410,
  'README.md': 770,
  'SECURITY.md': 75,
  '.github/pull_request_template.md': 50,
  'docs/add-a-command.md': 600,
  'docs/commands.md': 240,
  'docs/daily.md': 570,
  'docs/directories.md': 360,
  'docs/discord.md': 480,
  'docs/hints.md': 410,
  'docs/hosting.md': 2_105,
  'docs/limits.md': 750,
  'docs/measurements.md': 725,
  'docs/metrics.md': 345,
  'docs/play.md': 1_200,
  'docs/privacy.md': 725,
  'docs/security.md': 270,
  'docs/slack.md': 740,
  'docs/solver.md': 770,
  'docs/terminal.md': 835,
  'docs/terms.md': 230,
  'docs/threat-model.md': 700,
  'packages/solver/README.md': 720,
};
/** A word has a letter or a digit: the frames of tables are none. */
const sizeOf = (page: string) => read(page).match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;

/** As links name them. */
const headingsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)|[^\w\- ]/g, '$1')
      .replaceAll(' ', '-'),
  );

describe('the documents', () => {
  it('are short enough to be read, all together', () => {
    expect(PAGES.toSorted()).toEqual(Object.keys(SIZES).toSorted());
    const words = (pages: readonly string[]) => pages.reduce((sum, page) => sum + sizeOf(page), 0);
    const guides = PAGES.filter((page) => page === 'README.md' || page.startsWith('docs/'));
    expect(words(PAGES), 'cut as many words as you add, on any page').toBeLessThanOrEqual(MOST_WORDS);
    expect(words(guides), 'the same, in README and docs').toBeLessThanOrEqual(MOST_WORDS_OF_GUIDES);
  });

  it.each(PAGES)('are short enough, each: %s', (page) => {
    expect(sizeOf(page), 'cut something, or raise its size').toBeLessThanOrEqual(SIZES[page]!);
  });

  it('have few pictures, of all that there are', () => {
    const pictures = globSync('docs/{pictures,screenshots}/*');
    const text = PAGES.map(read).join('\n');
    expect(pictures.filter((picture) => !text.includes(basename(picture)))).toEqual([]);
    expect(pictures.reduce((sum, picture) => sum + statSync(picture).size, 0)).toBeLessThanOrEqual(1_500_000);
  });

  it.each(PAGES)('have no dead link: %s', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)#\s]*)(?:#([^)\s]+))?\)/g)].filter(
      ([, target = '']) => !/^[a-z]+:/.test(target),
    );
    const dead = links.filter(([, target = '', heading]) => {
      const file = target === '' ? page : join(dirname(page), target);
      return !existsSync(file) || (heading !== undefined && !headingsOf(file).includes(heading));
    });
    expect(dead.map(([link]) => link)).toEqual([]);
  });

  it.each(PAGES)('name no missing file: %s', (page) => {
    const named = [
      ...read(page).matchAll(/`((?:src|commands|test|bench|docs|scripts|bin)\/[\w./-]+\.\w+)`/g),
    ];
    const missing = named.map((match) => match[1]!).filter((file) => !existsSync(file));
    // The recipe for a new command names the file it makes.
    expect(missing.filter((file) => file !== 'commands/vowels.ts')).toEqual([]);
  });

  it('import in the recipe for a new command only what is exported', async () => {
    const recipe = read('docs/add-a-command.md');
    const imports = [...recipe.matchAll(/^ +import \{ ([^}]+) \} from '(\.\.\/src\/[^']+)';$/gm)];
    expect(imports.length).toBeGreaterThan(0);
    for (const [, names = '', from = ''] of imports)
      expect(Object.keys(await import(from))).toEqual(expect.arrayContaining(names.split(', ')));
  });

  it('name settings by their names', () => {
    const known = new Set<string>(SETTINGS.map(({ name }) => name));
    const likely =
      /`((?:DISCORD|SLACK|PUZZLE|NEWSPAPER|WEB|DATA|DATABASE|LEARN|WORDS|PUBLIC|LOG)_[A-Z_]+)[`=]/g;
    const others = PAGES.flatMap((page) =>
      [...read(page).matchAll(likely)].map((match) => `${page}: ${match[1]}`),
    ).filter((found) => !known.has(found.split(': ')[1]!));
    expect(others).toEqual([]);
  });
});

/** What people call each kind of data that an export holds. A new kind fails to compile until it is named here. */
const STORED_KINDS: Readonly<
  Record<Exclude<keyof PersonExport, 'tenant' | 'hidden' | 'listed' | 'calm' | 'inSummaries'>, RegExp>
> = {
  results: /\bresults?\b/i,
  hints: /\bhints?\b/i,
  boards: /\bboards?\b/i,
  settings: /\bsettings\b/i,
  games: /\brelays?\b/i,
  madeBoards: /\bboards?\b/i,
  madeBoardResults: /\bresults?\b/i,
  soloGames: /\bboards (?:you|they) play\b/i,
  reminders: /\breminders?\b/i,
  otherResults: /\bresults?\b/i,
  finds: /\bsolutions\b/i,
  comparisons: /\bsettings\b/i,
};

describe('what is stored about people', () => {
  it.each(['README.md', 'src/reply/replies/privacy.ts'])(
    'is listed in %s, with every kind of data',
    (page) => {
      const passages = read(page).split(page.endsWith('.md') ? /\n\n|\n(?=[-|])/ : '\n');
      const missingIn = (passage: string) =>
        [/\bids?\b/i, ...Object.values(STORED_KINDS), /\bnames?\b/i, /\bmessages?\b/i].filter(
          (kind) => !kind.test(passage),
        );
      const closest = passages.map(missingIn).toSorted((one, other) => one.length - other.length);
      // For the bot's own answers it is said twice, in short and in full.
      const wanted = page.endsWith('.md') ? [[]] : [[], []];
      expect(closest.slice(0, wanted.length)).toEqual(wanted);
    },
  );
});

const inNumbers = (value: number) => value.toLocaleString('en');

/** What docs/limits.md says of each limit. A new one fails to compile until it is named here. */
const LIMIT_LINES: Readonly<Record<keyof Limits, readonly [what: string, said: string]>> = {
  commandsPerPerson: ['Commands of a person', `${LIMITS.commandsPerPerson} in 30 s`],
  commandsPerChannel: ['Commands of a channel', `${LIMITS.commandsPerChannel} in 30 s`],
  relaysPerPerson: ['Relays that a person starts', `${LIMITS.relaysPerPerson} a day`],
  relaysPerChannel: ['Relays of a channel', `${LIMITS.relaysPerChannel} a day`],
  racesPerPerson: ['Races', `${LIMITS.racesPerPerson} a day of a person`],
  racesPerChannel: ['Races', `${LIMITS.racesPerChannel} of a channel`],
  boardsPerPerson: ['Boards that a person makes', `${LIMITS.boardsPerPerson} a day`],
  boardsPerChannel: ['Boards of a channel', `${LIMITS.boardsPerChannel} a day`],
  comparisonsPerPerson: ['Comparisons asked for', `${LIMITS.comparisonsPerPerson} a day`],
  pastDays: ['Past days fetched', `${LIMITS.pastDays} a day`],
  pastDaysPerTenant: ['Of those, for one server', `: ${LIMITS.pastDaysPerTenant}`],
  hintsPerPerson: ['Hints seen', `${inNumbers(LIMITS.hintsPerPerson)} of a person`],
  buttonsPerPerson: ['Long data of buttons', `${LIMITS.buttonsPerPerson} of a person`],
  pageRequestsPerPerson: [
    "A person's requests to personal pages",
    `${LIMITS.pageRequestsPerPerson} a minute`,
  ],
};

describe('docs/limits.md', () => {
  const lines = read('docs/limits.md').split('\n');

  it.each<readonly [what: string, said: string]>([
    [
      'Connections to a port',
      `${inNumbers(HTTP_LIMITS.maxConnections)}, of which each waits for ${HTTP_LIMITS.maxUnanswered} answers`,
    ],
    ['Request bodies', `${MAX_BYTES_BEING_READ / 2 ** 20} MB`],
    ...Object.values(LIMIT_LINES),
    ['Races', `, of ${MAX_RACERS} racers, ${RACE_TIMEOUT_MS / MINUTE} minutes`],
    ['Relays: one in a thread', `${MAX_RELAY_WORDS} words`],
    ['Results: ', `of other games ${inNumbers(MAX_OTHER_RESULTS)},`],
    ['Boards being played', `${MAX_SOLO_GAMES} of a person`],
    ['Boards made for a channel', `${MAX_MADE_BOARDS} (`],
    ['Results of such a board', `${inNumbers(MAX_MADE_BOARD_RESULTS)} (`],
    ['Solutions found', `for ${KEPT_MS.finds / DAY} days`],
    ['Hints seen', `for ${KEPT_MS.hints / DAY} days, of typed boards ${KEPT_MS.hintsOfTypedSides / DAY}`],
    ['Boards of the day typed by hand', `for ${KEPT_MS.handBoards / DAY} days`],
    [
      'Words and letters typed into a game',
      `${GAME_LIMITS.words} words of ${GAME_LIMITS.lettersOfWord} letters, ${GAME_LIMITS.letters} letters`,
    ],
  ])('%s: %s', (what, said) => {
    expect(lines.find((line) => line.startsWith(`- ${what}`))).toContain(said);
  });
});

describe('docs/security.md', () => {
  it('names each host that the bot reaches', () => {
    const sources = globSync(['src/chat/*/*.ts', 'src/puzzle/*.ts']).map(read).join('\n');
    const hosts = [...sources.matchAll(/'https:\/\/([\w.-]+)'/g)].map((match) => match[1]!);
    expect(hosts).toEqual(expect.arrayContaining(['cdn.discordapp.com', 'files.slack.com']));
    const named = [...read('docs/security.md').matchAll(/`([\w*]+(?:[.][\w*]+)+)`/g)].map(
      (match) => match[1]!,
    );
    const isNamed = (host: string) =>
      named.some((one) => one === host || (one.startsWith('*') && host.endsWith(one.slice(1))));
    expect(hosts.filter((host) => !isNamed(host))).toEqual([]);
  });
});

describe('docs/metrics.md', () => {
  it('names each metric of ours, and no other', async () => {
    const metrics = new Metrics({ backlog: async () => [], counts: async () => [], now: () => 0 });
    const text = await metrics.text();
    const ours = [...text.matchAll(/^# TYPE (letterboxed_\w+)/gm)].map((match) => match[1]!);
    const rows = [...read('docs/metrics.md').matchAll(/^\| `(letterboxed_\w+)`/gm)].map((match) => match[1]!);
    expect(rows.toSorted()).toEqual(ours.toSorted());
  });
});

describe('the Procfile', () => {
  const lines = read('Procfile').trim().split('\n');

  it('has a release step, and a process for each part of the work', () => {
    expect(lines.map((line) => line.split(':')[0])).toEqual(['release', 'web', 'gateway', 'worker']);
    for (const line of lines) expect(line).toMatch(/node bin\/start\.js( check)?$/);
  });

  it('sets nothing that is no setting, and nothing it would not take', () => {
    for (const [, name, value] of read('Procfile').matchAll(/([A-Z_]+)=(\S+)/g)) {
      // Variables of glibc, which would keep the memory of ended worker threads.
      if (name!.startsWith('MALLOC_')) continue;
      const setting = SETTINGS.find((one) => one.name === name);
      expect(setting?.kind.read(value!), `${name}=${value}`).toBeDefined();
    }
  });
});
