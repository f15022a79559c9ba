import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../src/config/settings.ts';
import { Metrics } from '../src/operations/observability/metrics.ts';
import type { PersonExport } from '../src/store/tables/people.ts';

const PAGES = globSync(['*.md', 'docs/*.md', 'packages/*/*.md', '.github/*.md']);
const read = (file: string) => readFileSync(file, 'utf8');

/** Words in all Markdown of the repository: more would not be read. */
const MOST_WORDS = 18_000;

describe('the documents', () => {
  it('are short enough to be read, all together', () => {
    expect(PAGES.length).toBeGreaterThan(20);
    const words = PAGES.flatMap((file) => read(file).match(/\S+/g) ?? []);
    expect(words.length).toBeLessThanOrEqual(MOST_WORDS);
  });

  it.each(PAGES)('have no dead link: %s', (page) => {
    const targets = [...read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map((match) => match[1]!)
      .filter((target) => !/^[a-z]+:/.test(target));
    expect(targets.filter((target) => !existsSync(join(dirname(page), target)))).toEqual([]);
  });

  it.each(PAGES)('name no missing file: %s', (page) => {
    const named = [
      ...read(page).matchAll(/`((?:src|commands|test|bench|docs|scripts|bin)\/[\w./-]+\.\w+)`/g),
    ];
    const missing = named.map((match) => match[1]!).filter((file) => !existsSync(file));
    // The recipe for a new command names the file it makes.
    expect(missing.filter((file) => file !== 'commands/vowels.ts')).toEqual([]);
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
const STORED_KINDS: Readonly<Record<Exclude<keyof PersonExport, 'tenant' | 'hidden' | 'listed'>, RegExp>> = {
  results: /\bresults?\b/i,
  hints: /\bhints?\b/i,
  boards: /\bboards?\b/i,
  settings: /\bsettings\b/i,
  games: /\brelays?\b/i,
  madeBoards: /\bboards?\b/i,
  madeBoardResults: /\bresults?\b/i,
  soloGames: /\bboards (?:you|they) play\b/i,
  reminders: /\breminders?\b/i,
  reminded: /\breminders?\b/i,
  finds: /\bsolutions\b/i,
  holidays: /\bdays off\b/i,
};

describe('what is stored about people', () => {
  it.each(['README.md', 'src/reply/replies/own-settings.ts'])(
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

describe('docs/metrics.md', () => {
  it('names each metric of ours, and no other', () => {
    const metrics = new Metrics({ backlog: async () => [], counts: async () => [], now: () => 0 });
    const ours = metrics.names.filter((name) => name.startsWith('letterboxed_'));
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
      // Of glibc, which would keep the memory of worker threads that have ended.
      if (name!.startsWith('MALLOC_')) continue;
      const setting = SETTINGS.find((one) => one.name === name);
      expect(setting?.kind.read(value!), `${name}=${value}`).toBeDefined();
    }
  });
});
