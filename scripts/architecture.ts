/** Writes the list of rooms and the diagram of their imports into ARCHITECTURE.md, from the rooms and the code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { heightOf, ROOMS, readImports } from './architecture/rooms.ts';

const PAGE = new URL('../ARCHITECTURE.md', import.meta.url);

/** The page with its two generated blocks as they should be now. */
export function withRooms(page: string): string {
  return replaceBlock(replaceBlock(page, 'rooms', listOfRooms()), 'mermaid', diagram());
}

function replaceBlock(page: string, name: string, content: string): string {
  const block = new RegExp(`^\`\`\`${name}\n.*?^\`\`\`$`, 'ms');
  if (!block.test(page)) throw new Error(`ARCHITECTURE.md has no block "${name}"`);
  return page.replace(block, () => `\`\`\`${name}\n${content}\n\`\`\``);
}

function listOfRooms(): string {
  const width = Math.max(...ROOMS.map(([room]) => room.length)) + 4;
  return ROOMS.map(([room, about]) => `${`${room}/`.padEnd(width)}${about}`).join('\n');
}

/** An arrow for each import between rooms, unless a longer way leads there, too. */
function diagram(): string {
  const heights = new Map<number, Set<number>>();
  for (const { from, to } of readImports()) {
    const [above, below] = [heightOf(from), heightOf(to)];
    if (above > below && below >= 0) heights.set(above, (heights.get(above) ?? new Set()).add(below));
  }
  const below = (room: number) => heights.get(room) ?? new Set<number>();
  const reaches = (room: number, target: number): boolean =>
    [...below(room)].some((next) => next === target || reaches(next, target));
  const names = ROOMS.map(([room]) => room).toReversed();
  const idOf = (room: number) => names[room]!.replace('/', '_');
  const arrows = [...heights.keys()]
    .toSorted((one, other) => other - one)
    .flatMap((room) => {
      const direct = [...below(room)].filter(
        (target) => ![...below(room)].some((next) => next !== target && reaches(next, target)),
      );
      return direct.toSorted((one, other) => other - one).map((to) => `  ${idOf(room)} --> ${idOf(to)}`);
    });
  const nodes = names.map((name, room) => `  ${idOf(room)}["${name}/"]`).toReversed();
  return ['flowchart TD', ...nodes, ...arrows].join('\n');
}

if (import.meta.main) writeFileSync(PAGE, withRooms(readFileSync(PAGE, 'utf8')));
