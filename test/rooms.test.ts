import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../commands/index.ts';
import { DOORS } from '../src/core/channel-ref.ts';

const DOOR_FOLDERS = DOORS.map((name) => `src/chat/${name}`);
/** What a door may know of the dispatcher. */
const DISPATCH_FOR_DOORS = ['contract', 'poster', 'typed-board', 'wishes'].map(
  (name) => `src/dispatch/${name}.ts`,
);
/** Rooms that use no clock, no randomness, no file and no network. */
const PURE = ['src/solver/', 'src/play/', 'src/vision/'];
const IMPURE =
  /new Date\(\)|Date\.now|Math\.random|performance\.|process\.|from 'node:|\bfetch\(|setTimeout|setInterval/;

const doorOf = (file: string) => DOOR_FOLDERS.find((door) => file.startsWith(`${door}/`));

const PAGE = readFileSync('ARCHITECTURE.md', 'utf8');
/** The rooms as the page lists them, highest first: a room imports only from itself and from rooms below it. */
const ROOMS = Array.from(blockOf('rooms').matchAll(/^(\S+)\/ /gm), ([, room]) => room!);

/** The content of a fenced block of ARCHITECTURE.md. */
function blockOf(name: string): string {
  return new RegExp(`^\`\`\`${name}\n(.*?)\n\`\`\`$`, 'ms').exec(PAGE)![1]!;
}

/** A file's room, as its place in that list; -1 for a file outside all rooms. */
function roomOf(file: string): number {
  // The last one that fits, since `src/` holds most others.
  return ROOMS.findLastIndex((room) => file.startsWith(`${room}/`));
}

const FILES = ['src', 'commands'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);
/** Imports between files of ours, types included. */
const imports = FILES.flatMap((from) =>
  Array.from(readFileSync(from, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g), ([, path]) => ({
    from,
    to: join(dirname(from), path!),
  })),
);

/** An arrow for each import between rooms, unless a longer way leads there, too. */
function diagram(): string {
  const below = ROOMS.map(() => new Set<number>());
  for (const { from, to } of imports) if (roomOf(from) < roomOf(to)) below[roomOf(from)]!.add(roomOf(to));
  const reaches = (room: number, target: number): boolean =>
    [...below[room]!].some((next) => next === target || reaches(next, target));
  const idOf = (room: number) => ROOMS[room]!.replace('/', '_');
  const nodes = ROOMS.map((name, room) => `  ${idOf(room)}["${name}/"]`);
  const arrows = below.flatMap((targets, room) =>
    [...targets]
      .filter((target) => ![...targets].some((next) => reaches(next, target)))
      .toSorted((one, other) => one - other)
      .map((target) => `  ${idOf(room)} --> ${idOf(target)}`),
  );
  return ['flowchart TD', ...nodes, ...arrows].join('\n');
}

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
  const reachedFrom = new Map(FILES.map((file) => [file, reachable(file)]));
  const circles = FILES.filter((file) => reachedFrom.get(file)!.has(file)).map((file) =>
    [...reachedFrom.get(file)!].filter((other) => reachedFrom.get(other)?.has(file)).toSorted(),
  );
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()];
}

describe('the rooms', () => {
  it('include every source file', () => {
    expect(FILES.length).toBeGreaterThan(50);
    expect(imports.length).toBeGreaterThan(100);
    expect(FILES.filter((file) => roomOf(file) < 0)).toEqual([]);
  });

  it('are drawn in ARCHITECTURE.md with the imports between them', async () => {
    expect(diagram().match(/ --> /g)!.length).toBeGreaterThan(15);
    await expect(PAGE.replace(blockOf('mermaid'), diagram)).toMatchFileSnapshot('../ARCHITECTURE.md');
  });

  it('import only themselves and the rooms below', () => {
    expect(imports.filter(({ from, to }) => roomOf(to) < roomOf(from))).toEqual([]);
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

  it('have one file for each command and no other files in commands/ but the index and the names', () => {
    const names = FILES.filter((file) => file.startsWith('commands/')).map((file) => file.slice(9, -3));
    expect(names.toSorted()).toEqual([...COMMANDS.map(({ name }) => name), 'index', 'names'].toSorted());
  });

  it('have a folder for each door', () => {
    const folders = readdirSync('src/chat', { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(folders.toSorted()).toEqual(DOORS.toSorted());
    const [, named] = /^src\/chat\/ +the doors: (.*)$/m.exec(blockOf('rooms'))!;
    expect(named).toBe(DOORS.map((door) => `${door}/`).join(' '));
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
        from.startsWith('src/chat/') && to.startsWith('src/dispatch/') && !DISPATCH_FOR_DOORS.includes(to),
    );
    expect(internal).toEqual([]);
  });

  it('have a solver, a game and a reader of pictures without clock, randomness, files or network', () => {
    const impure = FILES.filter((file) => PURE.some((room) => file.startsWith(room))).filter((file) =>
      IMPURE.test(readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')),
    );
    expect(impure).toEqual([]);
  });
});

describe('tests', () => {
  const filesWith = (pattern: RegExp, but: RegExp) =>
    globSync('test/**/*.ts').filter((file) => !but.test(file) && pattern.test(readFileSync(file, 'utf8')));

  it('are skipped by test/fakes/needs.ts alone: whoever runs them reads why', () => {
    const skips = /\.(?:skipIf|runIf|todo)\(|\b(?:it|test|describe|context)\.(?:skip|only)\b|\bskip:\x20true/;
    expect(filesWith(/^import .* from 'vitest';/m, /^$/).length).toBeGreaterThan(100);
    expect(filesWith(skips, /^test\/fakes\/needs\.ts/)).toEqual([]);
  });

  it('with fast-check use test/fakes/fast-check.ts, so that `npm run test:long` checks other cases', () => {
    expect(filesWith(/^import .* from 'fast-check';/m, /^test\/fakes\/fast-check\.ts$/)).toEqual([]);
  });
});
