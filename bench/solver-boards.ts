import { makeBoard, parseBoard } from '../src/solver/board.ts';
import type { Lexicon } from '../src/solver/lexicon.ts';
import { walkBoard } from '../src/solver/playable.ts';
import { makeSearch } from '../src/solver/search.ts';
import type { Board } from '../src/solver/types.ts';
import { random } from '../test/solver/random-boards.ts';
import { heading, milliseconds, quantile, row } from './table.ts';

const SHAPES = [
  [5, 4],
  [6, 4],
  [8, 3],
  [5, 5],
] as const;
const BOARDS = 100;
const LIMIT = 1000;
/** Boards and lists that made work without bound before chains became states of letters needed. */
const HOSTILE = [
  'es es es es es es es es',
  'aeinst aeinst aeinst aeinst',
  'aeist aeist aeist aeist aeist',
  'aer ist lno dcu aer ist lno dcu',
  'ae ae ae ae ae ae st st',
  'aei nst aei nst',
  'ssii eaat taii ites tais niei',
  'eeeeee eeeeee eeeeee eeeeee',
];

/** Letters drawn at random: any of the alphabet, or all five vowels and the rest consonants. */
function randomBoard(sides: number, size: number, seed: number, withVowels: boolean): Board {
  const next = random(seed);
  const alphabet = 'abcdefghijklmnopqrstuvwxyz'.split('');
  const letters = withVowels ? 'aeiou'.split('') : [];
  const rest = alphabet.filter((letter) => !letters.includes(letter));
  while (letters.length < sides * size) letters.push(rest.splice(Math.floor(next() * rest.length), 1)[0]!);
  for (let at = letters.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1));
    [letters[at], letters[other]] = [letters[other]!, letters[at]!];
  }
  return makeBoard(
    Array.from({ length: sides }, (_, side) => letters.slice(side * size, (side + 1) * size).join('')),
  );
}

/** Time until the fewest words of large boards are proven, and until three words are counted. */
export function measureLargeBoards(lexicon: Lexicon): void {
  heading(
    'boards of distinct letters',
    'proven within 1 s',
    'median ms',
    'p95 ms',
    '3 words counted: p95 ms',
  );
  for (const [sides, size] of SHAPES) {
    for (const withVowels of [false, true]) {
      const proven: number[] = [];
      const counted: number[] = [];
      for (let seed = 1; seed <= BOARDS; seed++) {
        const board = randomBoard(sides, size, 1000 * sides + 100 * size + seed, withVowels);
        const began = performance.now();
        const search = makeSearch(board, walkBoard(board, lexicon), {
          stop: () => performance.now() - began > 10 * LIMIT,
        });
        const isProven = search.fewest !== undefined || search.cut === undefined;
        proven.push(isProven ? performance.now() - began : Infinity);
        const before = performance.now();
        search.counted(3);
        counted.push(performance.now() - before);
      }
      const times = proven.toSorted((a, b) => a - b);
      row(
        `${sides}×${size}, ${withVowels ? 'all five vowels' : 'any letters'}`,
        `${times.filter((time) => time < LIMIT).length} of ${BOARDS}`,
        milliseconds(quantile(times, 0.5)),
        milliseconds(quantile(times, 0.95)),
        milliseconds(
          quantile(
            counted.sort((a, b) => a - b),
            0.95,
          ),
        ),
      );
    }
  }
}

/** Boards with many repeats, told to stop after a second: what is known by then, and when. */
export function measureHostileBoards(lexicon: Lexicon): void {
  heading('board', 'words', '1 word', '2 words', 'fewest', 'ms so far', '3 words', 'whole answer ms', 'MB');
  for (const text of HOSTILE) {
    const board = parseBoard(text);
    const began = performance.now();
    const search = makeSearch(board, walkBoard(board, lexicon), {
      stop: () => performance.now() - began > LIMIT,
    });
    const counts = [1, 2].map((words) => String(search.count(words)));
    const { atLeast, atMost } = search.fewestBounds;
    const first = performance.now() - began;
    const three = search.counted(3);
    search.solutions('shortest').take(10).toArray();
    search.solutions('surest').take(10).toArray();
    row(
      text,
      search.words.length,
      ...counts,
      atLeast === atMost ? atLeast : `${atLeast} to ${atMost ?? '–'}`,
      milliseconds(first),
      `${three.exact ? '' : 'at least '}${three.value}`,
      milliseconds(performance.now() - began),
      Math.round(process.memoryUsage().rss / 2 ** 20),
    );
  }
}
