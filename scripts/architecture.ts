/** The rooms of the source, as ARCHITECTURE.md lists them. Run, it draws the imports between them into that page. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const PAGE = join(ROOT, 'ARCHITECTURE.md');

/** The rooms as the page lists them, highest first: a room imports only from itself and from rooms below it. */
const ROOMS = Array.from(
  blockOf(readFileSync(PAGE, 'utf8'), 'rooms').matchAll(/^(\S+)\/ /gm),
  ([, room]) => room!,
);

/** A file's room, as its place in that list; -1 for a file outside all rooms. */
export function roomOf(file: string): number {
  // The last one that fits, since `src/` holds most others.
  return ROOMS.findLastIndex((room) => file.startsWith(`${room}/`));
}

export const FILES: readonly string[] = ['src', 'commands'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);

export interface Import {
  readonly from: string;
  readonly to: string;
}

/** Imports between files of ours, types included. */
export function readImports(): Import[] {
  return FILES.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => ({
      from: file,
      to: relative(ROOT, resolve(ROOT, dirname(file), match[1]!)),
    })),
  );
}

/** The page with the diagram as it should be now. */
export function withDiagram(page: string): string {
  return page.replace(blockOf(page, 'mermaid'), diagram);
}

function blockOf(page: string, name: string): string {
  const [, content] = new RegExp(`^\`\`\`${name}\n(.*?)\n\`\`\`$`, 'ms').exec(page) ?? [];
  if (content === undefined) throw new Error(`ARCHITECTURE.md has no block "${name}"`);
  return content;
}

/** An arrow for each import between rooms, unless a longer way leads there, too. */
function diagram(): string {
  const below = ROOMS.map(() => new Set<number>());
  for (const { from, to } of readImports())
    if (roomOf(from) < roomOf(to)) below[roomOf(from)]!.add(roomOf(to));
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

if (import.meta.main) writeFileSync(PAGE, withDiagram(readFileSync(PAGE, 'utf8')));
