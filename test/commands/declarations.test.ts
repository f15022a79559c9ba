/** What platforms ask of every command's declaration, and that its examples work. */
import { globSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { COMMAND_NAMES } from '../../commands/names.ts';
import { declareAll, entriesOf } from '../../src/chat/discord/commands.ts';
import { SUBCOMMANDS } from '../../src/chat/terminal/main.ts';
import {
  type Command,
  type Handler,
  type Options,
  offeredOptions,
  type Request,
} from '../../src/dispatch/contract.ts';
import { readLine } from '../../src/dispatch/line.ts';
import type { Jobs } from '../../src/jobs/jobs.ts';
import { wordSourceOf } from '../../src/puzzle/types.ts';
import { BUTTON_OPTIONS } from '../../src/reply/model/text.ts';
import { quiet } from '../daily/ground.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { say } from '../fakes/ask.ts';
import { sizeOf } from '../fakes/discord/commands.ts';

/** The options that handlers of `WATCHED` have read. */
const read = new Set<string>();
const WATCHED = COMMANDS.map((command) => {
  const watch = ({ run, ...handler }: Handler) => ({
    ...handler,
    run(request: Request, ...rest: unknown[]) {
      const get = (given: Options, name: string) => read.add(name) && given[name];
      return Reflect.apply(run, undefined, [
        { ...request, options: new Proxy(request.options, { get }) },
        ...rest,
      ]);
    },
  });
  if (!('actions' in command)) return { ...command, ...watch(command) } as Command;
  const actions = Object.entries(command.actions).map(([name, handler]) => [name, watch(handler)]);
  return { ...command, actions: Object.fromEntries(actions) } as Command;
});
/** Only for somebody who has solved the board, and where the bot can post. */
const READ_LATER: Readonly<Record<string, readonly string[]>> = { hunt: ['hint'], race: ['words'] };

const TYPED_SIDES = /\b[a-z]{3}(?:[ -][a-z]{3}){3}\b/;

/** Whether a command that asks for a job `searches`, and so counts twice. A new job fails to compile until it is here. */
const IS_LONG: Readonly<Record<keyof Jobs, boolean>> = {
  appraise: true,
  generate: true,
  huntSolutions: true,
  next: true,
  review: true,
  solve: true,
  words: true,
  beginnings: false,
  check: false,
  fewest: false,
  hint: false,
  house: false,
  play: false,
  recap: false,
  reveal: false,
  scores: false,
  thread: false,
};

const { app, close } = await makeTestApp();
afterAll(close);
/** The jobs that commands have asked for. */
const asked = vi.spyOn(app.work, 'run');

test('no two commands have one name', () => {
  expect(new Set(COMMANDS.map(({ name }) => name)).size).toBe(COMMANDS.length);
});

test('the terminal lists all of them, in their order', () => {
  expect(Object.entries(COMMAND_NAMES)).toEqual(
    COMMANDS.map(({ name, alias, description }) => [name, { ...(alias && { alias }), description }]),
  );
});

test('each has a test of its own, or a transcript', () => {
  const tests = globSync('test/commands/**/*.{ts,txt}').map((file) => readFileSync(file, 'utf8'));
  const isTried = (name: string) => tests.some((text) => new RegExp(`(?:['\`]|> )${name}\\b`).test(text));
  expect(COMMANDS.map(({ name }) => name).filter((name) => !isTried(name))).toEqual([]);
});

test('every name and alias is read as its command', () => {
  const seen = new Set<string>();
  for (const { name, alias = [] } of COMMANDS) {
    for (const called of [name, ...alias]) {
      expect(seen).not.toContain(called);
      seen.add(called);
      expect([called, readLine(called, COMMANDS, () => false).command]).toEqual([called, name]);
      // What only the terminal has would be read instead, as its `daily` is: channels have settings, and terminals none.
      expect([called, Object.hasOwn(SUBCOMMANDS, called)]).toEqual([called, called === 'daily']);
    }
  }
});

test('all of them fit into the one command that Discord takes', () => {
  const [declared] = declareAll(COMMANDS, [0, 1]);
  const { options = [] } = declared;
  for (const list of [options, ...options.map((one) => ('options' in one && one.options) || [])])
    expect(list.length).toBeLessThanOrEqual(25);
  const size = sizeOf({ ...declared });
  expect(size, 'names, descriptions and choices; shorten some').toBeLessThanOrEqual(8000);
});

describe.each(COMMANDS.map((command) => [command.name, command] as const))('%s', (name, command) => {
  test('is declared as every platform can take it', () => {
    const names = [name, ...command.options.map((option) => option.name)];
    for (const one of names) expect(one).toMatch(/^[a-z][a-z-]{0,31}$/);
    for (const { description } of [command, ...command.options]) {
      expect(description.length).toBeGreaterThan(0);
      expect(description.length).toBeLessThanOrEqual(100);
    }
    expect(new Set(names.slice(1)).size).toBe(command.options.length);
    for (const { options } of entriesOf([command])) expect(options.length).toBeLessThanOrEqual(25);
    for (const { kind, choices = [] } of command.options) {
      expect(choices.length).toBeLessThanOrEqual(25);
      if (kind === 'choice') expect(choices.length).toBeGreaterThan(0);
      for (const choice of choices) expect(choice).toMatch(/^[a-z][a-z0-9-]{0,99}$/);
    }
  });

  test('has no option by a name that people never see, unless only buttons set it', () => {
    const options = command.options.filter(
      ({ name, description }) => BUTTON_OPTIONS.includes(name) || description.startsWith('Set by '),
    );
    for (const option of options) expect(option.internal).toBe(true);
  });

  test('shows its board in a form that asks for words', () => {
    const asksFor = command.options.filter(({ required }) => required).map(({ kind }) => kind);
    const hasBoard = command.options.some(({ kind }) => kind === 'sides');
    if (hasBoard && asksFor.includes('words')) expect(command).toHaveProperty('formBoard');
  });

  test('has `storeUse` if it answers about typed sides without the store', async () => {
    const typed = command.examples.filter((example) => TYPED_SIDES.test(example));
    const asker = { ...someone({ mayManage: true }), door: 'terminal', hintRecording: 'off' } as const;
    const puzzles = { wordSource: wordSourceOf } as never;
    const unloaded = { ...app, log: quiet, store: undefined as never, puzzles };
    const replies = await Promise.all(typed.map((example) => say(unloaded, example, asker)));
    const needsStore = replies.some(({ title }) => title === 'Sorry, that went wrong');
    if (typed.length > 0 && !needsStore) expect(command).toHaveProperty('storeUse');
  });

  test('has examples that work as they stand, and reads each of its options', async () => {
    expect(command.examples.length).toBeGreaterThan(0);
    read.clear();
    asked.mockClear();
    const roles = command.options
      .filter(({ isRole }) => isRole)
      .map((one) => `${name} ${one.name}:${one.example}`);
    for (const example of [...command.examples, ...roles]) {
      const line = readLine(example, COMMANDS, (word) => app.lexicon.find(word) !== undefined);
      expect(line.command).toBe(name);
      if (TYPED_SIDES.test(example)) expect(line.options, example).toHaveProperty('sides');
      expect(example.split(' ')[0]).toBe(name);
      const reply = await say(app, example, someone({ mayManage: true }), WATCHED);
      expect([example, reply.isMistake]).toEqual([example, undefined]);
      expect([example, reply.title]).not.toEqual([example, 'Sorry, that went wrong']);
    }
    const isLong = asked.mock.calls.some(([job]) => IS_LONG[job]);
    expect(command.searches ?? false, '`searches: true` of a command that asks for a long job').toBe(isLong);
    const unread = offeredOptions(command).flatMap((option) => (read.has(option.name) ? [] : [option.name]));
    expect(unread, 'options that it does not read').toEqual(READ_LATER[name] ?? []);
  });
});
