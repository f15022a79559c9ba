/** The rooms of the source. Run, it writes their list and the diagram of their imports into ARCHITECTURE.md. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const PAGE = join(ROOT, 'ARCHITECTURE.md');

/**
 * The rooms of the source, highest first: a room imports only from itself and from rooms below it. The list and the diagram
 * of ARCHITECTURE.md are made from this, and test/rooms.test.ts enforces it.
 */
export const ROOMS = [
  ['src', 'the start: main.ts, bot.ts and terminal.ts, and app.ts, which makes the app for all of them'],
  [
    'src/operations',
    'lifecycle/ opens and stops doors and store; observability/ has log, metrics and health pages',
  ],
  ['src/chat', 'the doors: discord/ slack/ web/ terminal/'],
  [
    'src/web',
    'all that runs in a browser: board/ site/ pages/ (personal links) chat/, and what serves them below PUBLIC_URL',
  ],
  ['src/http', 'one router and one server, for health, metrics, the site, Slack and the local chat'],
  ['commands', 'what a person can type: one file for each command, and index.ts as the table of contents'],
  ['src/players', 'results, streaks, standings, reviews, and the relay, a game of several people'],
  ['src/daily', 'the daily thread: settings/ plan/ (pure) delivery/ and its queue'],
  ['src/dispatch', 'the contract of a command; parsing, forms, permissions, rate limits'],
  ['src/jobs', 'the jobs behind answers, which judge and search boards, and where each of them runs'],
  ['src/reply', 'what a command answers, before any platform: model/ replies/ picture/'],
  ['src/config', 'every setting, declared once, and its one reader'],
  ['src/puzzle', 'where the board of a date comes from'],
  ['src/store', 'what survives a restart: engines/ tables/ and the migrations'],
  ['src/wordlists', "the word list and how likely the newspaper's game accepts each word"],
  ['src/work', 'worker threads with deadlines'],
  ['src/play', 'pure: one game on one board, move by move, the same for every door'],
  ['src/solver', 'pure: no clock, no randomness, no file, no network'],
  [
    'src/core',
    'what every room may use, such as errors, channel references and backoff; imports none of ours',
  ],
] as const;

/** How far up a file's room is: 0 for the lowest, -1 for a file outside all rooms. */
export function heightOf(file: string): number {
  const lowestFirst = ROOMS.map(([room]) => room).toReversed();
  return lowestFirst.findIndex((room) => file.startsWith(`${room}/`));
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
