import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../commands/index.ts';
import { FILES, readImports, roomOf, withDiagram } from '../scripts/architecture.ts';
import { DOORS } from '../src/dispatch/contract.ts';

const DOOR_FOLDERS = DOORS.map((name) => `src/chat/${name}`);
/** What a door may know of the dispatcher. */
const DISPATCH_FOR_DOORS = ['contract', 'phrases', 'poster', 'typed-board'].map(
  (name) => `src/dispatch/${name}.ts`,
);
/** Rooms that use no clock, no randomness, no file and no network. */
const PURE = ['src/solver/', 'src/play/'];
const IMPURE =
  /new Date\(\)|Date\.now|Math\.random|performance\.|process\.|from 'node:|\bfetch\(|setTimeout|setInterval/;

const doorOf = (file: string) => DOOR_FOLDERS.find((door) => file.startsWith(`${door}/`));

const imports = readImports();

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

  it('are drawn in ARCHITECTURE.md as scripts/architecture.ts draws them', () => {
    const page = readFileSync('ARCHITECTURE.md', 'utf8');
    expect(page).toBe(withDiagram(page));
    expect(page.match(/ --> /g)!.length).toBeGreaterThan(15);
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

  it('have a solver and a game without clock, randomness, files or network', () => {
    const impure = FILES.filter((file) => PURE.some((room) => file.startsWith(room))).filter((file) =>
      IMPURE.test(readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')),
    );
    expect(impure).toEqual([]);
  });
});
