import { afterAll, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { offeredOptions } from '../../src/dispatch/contract.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { say, unopened } from '../fakes/ask.ts';
import { WORDS } from '../fakes/small-board.ts';

const { app, close } = await makeTestApp({ words: WORDS });
afterAll(close);

test('names every command', async () => {
  const text = unopened(await say(app, 'help'));
  for (const { name, description } of COMMANDS)
    expect(text).toContain(`/letterboxed ${name} – ${description}`);
});

test.each(COMMANDS.map((command) => [command.name, command] as const))(
  'all about %s',
  async (name, command) => {
    const text = unopened(await say(app, `help ${name}`));
    for (const option of offeredOptions(command))
      expect(text).toContain(`${option.name} – ${option.description}`);
    for (const example of command.examples) expect(text).toContain(`/letterboxed ${example}`);
  },
);

test('knows a command by its other name', async () => {
  expect((await say(app, 'help boards')).title).toBe('Help: board');
});

test('suggests the nearest command for a misspelt name', async () => {
  expect(unopened(await say(app, 'help hnt'))).toContain('Did you mean hint?');
  const unknown = unopened(await say(app, 'help xyzzy'));
  expect(unknown).toMatch(/There is no command "xyzzy"\.\n\nHelp: \/letterboxed help$/);
});

test('says on Slack that threads have no slash commands', async () => {
  expect(unopened(await say(app, 'help', { ...someone(), door: 'slack' }))).toContain(
    'Mention me there instead',
  );
  expect(unopened(await say(app, 'help'))).not.toContain('Mention me');
});
