import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../commands/index.ts';
import { DOORS } from '../src/dispatch/contract.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Lowest first: a room imports only from itself and from rooms before it. */
const ROOMS = [
  'src/core',
  'src/solver',
  'src/play',
  'src/work',
  'src/wordlists',
  'src/store',
  'src/puzzle',
  'src/config',
  'src/reply',
  'src/answers',
  'src/dispatch',
  'src/daily',
  'src/players',
  'commands',
  'src/http',
  'src/pages',
  'src/chat',
  'src/operations',
  'src',
];
const DOOR_FOLDERS = DOORS.map((name) => `src/chat/${name}`);
/** What a door may know of the dispatcher. */
const DISPATCH_FOR_DOORS = ['src/dispatch/contract.ts', 'src/dispatch/poster.ts'];
/** The terminal's answers as data are handlers too, and share what handlers use. */
const HANDLERS_OF_A_DOOR = 'src/chat/terminal/data/';
const FOR_HANDLERS = 'src/dispatch/board/';
/** Rooms that use no clock, no randomness, no file and no network. */
const PURE = ['src/solver/', 'src/play/'];
const IMPURE =
  /new Date\(\)|Date\.now|Math\.random|performance\.|process\.|from 'node:|\bfetch\(|setTimeout|setInterval/;

const roomOf = (file: string) => ROOMS.findIndex((room) => file.startsWith(`${room}/`));
const doorOf = (file: string) => DOOR_FOLDERS.find((door) => file.startsWith(`${door}/`));

interface Import {
  from: string;
  to: string;
}

const files = ['src', 'commands'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);
const imports = files.flatMap((file): Import[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => ({
    from: file,
    to: relative(ROOT, resolve(ROOT, dirname(file), match[1]!)),
  })),
);

/** Each set of files that reach one another by their imports, types included, sorted by name. */
function findCircles(): string[][] {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const reachable = (start: string) => {
    const reached = new Set<string>();
    const open = [start];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      for (const { to } of targets.get(file) ?? []) {
        if (reached.has(to)) continue;
        reached.add(to);
        open.push(to);
      }
    }
    return reached;
  };
  const reachedFrom = new Map(files.map((file) => [file, reachable(file)]));
  const circles = files
    .filter((file) => reachedFrom.get(file)!.has(file))
    .map((file) =>
      [...reachedFrom.get(file)!].filter((other) => reachedFrom.get(other)?.has(file)).toSorted(),
    );
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()];
}

describe('the rooms', () => {
  it('include every source file', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports.length).toBeGreaterThan(100);
    expect(files.filter((file) => roomOf(file) < 0)).toEqual([]);
  });

  it('are listed in ARCHITECTURE.md, highest first', () => {
    const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
    const [, list = ''] = /^```rooms\n(.*?)^```$/ms.exec(page) ?? [];
    const listed = [...list.matchAll(/^(\S+)\/ /gm)].map((match) => match[1]);
    expect(listed.toReversed()).toEqual(ROOMS);
  });

  it('import only themselves and the rooms below', () => {
    expect(imports.filter(({ from, to }) => roomOf(to) > roomOf(from))).toEqual([]);
  });

  it('contain no import circle', () => {
    expect(findCircles()).toEqual([]);
  });

  it('have a core that imports nothing of ours', () => {
    const outward = imports.filter(
      ({ from, to }) => from.startsWith('src/core/') && !to.startsWith('src/core/'),
    );
    expect(outward).toEqual([]);
  });

  it('have one file for each command and no other file in commands/ but the index', () => {
    const names = files.filter((file) => file.startsWith('commands/')).map((file) => file.slice(9, -3));
    expect(names.toSorted()).toEqual([...COMMANDS.map(({ name }) => name), 'index'].toSorted());
  });

  it('have a folder for each door', () => {
    const folders = readdirSync(join(ROOT, 'src/chat'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(folders.toSorted()).toEqual(DOORS.toSorted());
  });

  it('have no door that imports another door', () => {
    const crossing = imports.filter(
      ({ from, to }) => doorOf(from) && doorOf(to) && doorOf(from) !== doorOf(to),
    );
    expect(crossing).toEqual([]);
  });

  it("have no door that imports dispatch's internals", () => {
    const internal = imports.filter(
      ({ from, to }) =>
        from.startsWith('src/chat/') &&
        to.startsWith('src/dispatch/') &&
        !DISPATCH_FOR_DOORS.includes(to) &&
        !(from.startsWith(HANDLERS_OF_A_DOOR) && to.startsWith(FOR_HANDLERS)),
    );
    expect(internal).toEqual([]);
  });

  it('have a solver and a game without clock, randomness, files or network', () => {
    const impure = files
      .filter((file) => PURE.some((room) => file.startsWith(room)))
      .filter((file) =>
        IMPURE.test(readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')),
      );
    expect(impure).toEqual([]);
  });
});
