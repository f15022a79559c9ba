/** Lines as people type them, with what they mean, and what the reader makes of them. */
import { readFileSync } from 'node:fs';
import { COMMANDS } from '../../commands/index.ts';
import { UserError } from '../../src/core/errors.ts';
import { isTypedTime, isZoneName, readClockTime, readZone } from '../../src/daily/settings/local-time.ts';
import { handlerOf, type Options } from '../../src/dispatch/contract.ts';
import { readLine } from '../../src/dispatch/line.ts';
import { readOptions } from '../../src/dispatch/options.ts';
import { readDate } from '../../src/puzzle/calendar.ts';
import type { Action } from '../../src/reply/model/types.ts';
import { parseBoard } from '../../src/solver/board.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { NOON } from '../fakes/app.ts';

const lexicon = readLexicon();
const isWord = (word: string) => lexicon.find(word) !== undefined;

export interface MeantLine {
  readonly line: string;
  readonly meant: readonly string[];
}

/** Rows of `LINE => MEANT | MEANT`. */
export function readMeant(file: URL): MeantLine[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((row) => row.includes(' => ') && !row.startsWith('#'))
    .map((row) => {
      const [line = '', meant = ''] = row.split(' => ');
      return { line, meant: meant.split(' | ').map((one) => one.trim()) };
    });
}

/** One spelling for each value, so that `9pm` and `21:00` are the same. */
function plainOptions(command: string, options: Options): string {
  const declared = COMMANDS.find(({ name }) => name === command)!;
  const plain = Object.entries(readOptions(declared, options)).map(([name, value]) => {
    const text = String(value);
    const { kind } = declared.options.find((option) => option.name === name)!;
    if (kind === 'date' && text !== 'last') return [name, readDate(text.replace('tomorrow', 'today'), NOON)];
    if (name === 'until')
      return [
        name,
        text.replace(
          /^(\d+) (week|month)s?$/,
          (_, count, unit) => `${count * (unit === 'week' ? 7 : 30)} days`,
        ),
      ];
    if (kind === 'sides') return [name, parseBoard(text).sides.join(' ')];
    if (name === 'at' || (command === 'daily' && isTypedTime(text)))
      return [name, readClockTime(text.replace(/^(?:me )?at /, ''), name)];
    return [name, isZoneName(text) ? readZone(text) : text.toLowerCase()];
  });
  return JSON.stringify(plain.filter(([, text]) => text !== readDate('today', NOON)).sort());
}

function keyOf({ command, options }: Action): string {
  try {
    return `${command} ${plainOptions(command, options)}`;
  } catch (error) {
    return `${command} ${JSON.stringify(options)}: ${(error as Error).message}`;
  }
}

/** What a row means, in the words of `keyOf`. */
function expectedKey(meant: string): string {
  const [first, ...words] = meant.split(' ');
  if (first === 'friendly' || first === 'sentence' || first === 'say') return 'said';
  if (first === 'move') return keyOf({ command: 'play', options: { words: words.join(','), typed: true } });
  if (/ (?:start-over|ask):/.test(meant)) {
    const [name = '', value = ''] = words[0]!.split(':');
    return keyOf({ command: 'play', options: { [name]: value, ...(name === 'ask' && { typed: true }) } });
  }
  const { command, options: read } = readLine(meant, COMMANDS, isWord);
  if (read instanceof UserError) throw new Error(`${meant}: ${read.message}`);
  return keyOf({ command, options: read });
}

/** What would cost something, or change something for others, and so may only be offered. */
function isDeed({ command, options }: Action): boolean {
  const declared = COMMANDS.find(({ name }) => name === command)!;
  const { access } = handlerOf(declared, readOptions(declared, options));
  return (
    access === 'manager' ||
    (command === 'privacy' && options.do === 'delete' && options.sure !== undefined) ||
    ['share', 'relay'].includes(command) ||
    (command === 'board' && options.do !== 'list')
  );
}

/** What takes something away from who asked, or shows it to others, and so may be done only where it is meant. */
function isTaking({ command, options }: Action): boolean {
  return (
    (command === 'privacy' && (options.do === 'hide' || options.do === 'unhide')) ||
    (command === 'play' && options['start-over'] !== undefined) ||
    (command === 'remind' && options.off !== undefined)
  );
}

export interface Understood {
  readonly line: string;
  readonly outcome: 'right' | 'offered' | 'missed' | 'wrong' | 'wrong deed';
  readonly read: string;
}

/** How a line was understood. */
export function understood({ line, meant }: MeantLine): Understood {
  const expected = meant.map(expectedKey);
  const asked = readLine(line, COMMANDS, isWord);
  const given = asked.options;
  const offers = (asked.offers ?? []).map(({ action }) => keyOf(action));
  const played =
    asked.alsoWords && keyOf({ command: 'play', options: { words: asked.alsoWords.join(','), typed: true } });
  const isOffered = [...offers, ...(played ? [played] : [])].some((one) => expected.includes(one));
  if (given instanceof UserError) {
    const read = [given.code, ...offers].join(' ; ');
    const isSaid = given.code !== 'line.offer' && expected.includes('said');
    return { line, read, outcome: isSaid ? 'right' : isOffered ? 'offered' : 'missed' };
  }
  const action = { command: asked.command, options: given };
  const read = keyOf(action);
  // A command that is typed by its name is no guess.
  if (isDeed(action) && asked.label !== undefined) return { line, read, outcome: 'wrong deed' };
  if (isTaking(action) && asked.label !== undefined && !expected.includes(read))
    return { line, read, outcome: 'wrong deed' };
  return { line, read, outcome: expected.includes(read) ? 'right' : isOffered ? 'offered' : 'wrong' };
}
