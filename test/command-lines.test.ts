/** The command lines of the documents, read as the door reads them for which they are written. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../commands/index.ts';
import { entriesOf, makeShowCommand } from '../src/chat/discord/commands.ts';
import { UserError } from '../src/core/errors.ts';
import { isCalled } from '../src/dispatch/contract.ts';
import { readLine } from '../src/dispatch/line.ts';
import { readOptions } from '../src/dispatch/options.ts';
import type { Action } from '../src/reply/model/types.ts';

const PAGES = globSync(['*.md', 'docs/*.md', 'packages/*/*.md']);
const COMMAND_PAGE = 'docs/commands.md';
const entries = entriesOf(COMMANDS);
const named = (word: string) => COMMANDS.find((command) => isCalled(command, word));

/** The fields of a command as the guides write them for Discord: a value goes on to the next `name:`. */
function fieldsOf(text: string): Record<string, string> {
  const fields = text.matchAll(/(?<=^|\s)([a-z]+):(.*?)(?=\s+[a-z]+:(?!\d)|\s*$)/g);
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
}

/** @throws UserError for a line that can't be read */
function readTyped(line: string): Action {
  const { command, options } = readLine(line, COMMANDS, () => false);
  if (options instanceof UserError) throw options;
  return { command, options: readOptions(named(command)!, options) };
}

/** @throws UserError for a value that a field does not take */
function readOnDiscord(line: string): Action | undefined {
  const [, path = '', rest = ''] = /^((?:[a-z]+(?:\s|$))*)(.*)$/.exec(line)!;
  const entry = entries.find((one) => one.path.join(' ') === path.trim());
  if (entry === undefined) return undefined;
  const { command, added } = entry;
  const fields = fieldsOf(rest);
  expect(entry.options.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(fields)));
  return { command: command.name, options: readOptions(command, { ...fields, ...added }) };
}

/** Code of a page that begins with a command. */
const spans = PAGES.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/`(\/letterboxed )?([a-z]+(?: [^`]*)?)`/g)].flatMap(
    ([, slash, line = '']) => (named(line.split(' ')[0]!) || slash ? [{ page, line, slash }] : []),
  ),
);
const forDiscord = ({ page, line, slash }: (typeof spans)[number]) =>
  page === 'docs/discord.md' || page === COMMAND_PAGE ? slash : slash && /^(me|tools) /.test(line);
const inTerminal = ({ page, line }: (typeof spans)[number]) =>
  page === 'docs/terminal.md' && / --|^about licences$/.test(line);

describe('the command lines of the documents', () => {
  it('are found', () => {
    expect(spans.filter(forDiscord).length).toBeGreaterThan(5);
    expect(spans.length).toBeGreaterThan(100);
  });

  it.each(spans.filter((span) => forDiscord(span)))('$page: $line can be chosen on Discord', ({ line }) => {
    expect(readOnDiscord(line)).toBeDefined();
  });

  it.each(spans.filter((span) => !forDiscord(span) && !inTerminal(span)))(
    '$page: $line can be typed',
    ({ line }) => {
      const { command } = readTyped(line);
      expect(isCalled(named(command)!, line.split(' ')[0]!)).toBe(true);
    },
  );
});

it('reads a field of Discord with quotation marks, which a typed line needs, as without', () => {
  const steps = 'start@08:00 count@12:00';
  expect(readOnDiscord(`daily steps steps:"${steps}"`)).toEqual(readOnDiscord(`daily steps steps:${steps}`));
});

describe(COMMAND_PAGE, () => {
  const show = makeShowCommand(entries, readTyped, () => undefined);
  const rowOf = (line: string) => {
    const [path = '', fields = ''] = show(line).split(' with ');
    const chosen = [path, ...fields.split('` `')].map((part) => part.replaceAll('`', '')).join(' ');
    return { line, onDiscord: chosen.trim() };
  };
  // Of each command the shortest example that is more than its name.
  const rows = COMMANDS.map(({ name, examples }) => {
    const longer = examples.filter((one) => one !== name && !one.includes(':'));
    return rowOf(longer.toSorted((one, other) => one.length - other.length)[0] ?? examples[0]!);
  })
    .filter(({ line, onDiscord }) => onDiscord !== `/letterboxed ${line}`)
    .toSorted((one, other) => one.line.localeCompare(other.line));

  it('has each command that is not the same on Discord; `TABLES=write` writes it', () => {
    const page = readFileSync(COMMAND_PAGE, 'utf8');
    const head = page.slice(0, page.indexOf('|---|---|\n') + '|---|---|\n'.length);
    const table = rows.map(({ line, onDiscord }) => `| \`${line}\` | \`${onDiscord}\` |\n`).join('');
    if (process.env.TABLES === 'write') writeFileSync(COMMAND_PAGE, head + table);
    expect(readFileSync(COMMAND_PAGE, 'utf8')).toBe(head + table);
  });

  it.each(rows)('$line is on Discord what it is typed', ({ line, onDiscord }) => {
    expect(readOnDiscord(onDiscord.replace('/letterboxed ', ''))).toEqual(readTyped(line));
  });
});
