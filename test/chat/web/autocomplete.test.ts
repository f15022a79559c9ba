import { afterAll, expect, test } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { autocomplete } from '../../../src/chat/web/autocomplete.ts';
import { offeredOptions } from '../../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { makeTestApp, someone } from '../../fakes/app.ts';

const { app, close } = await makeTestApp();
afterAll(close);

test('a value is suggested without the name of its option only where it may be typed so', async () => {
  const dispatcher = makeDispatcher(app, { commands: COMMANDS });
  const suggested = async (line: string) =>
    (await autocomplete(line, someone(), dispatcher)).map(({ label }) => label);
  let named = 0;
  let alone = 0;
  for (const command of COMMANDS)
    for (const { name, choices, positional } of offeredOptions(command)) {
      const [choice] = choices ?? [];
      if (choice === undefined) continue;
      expect(await suggested(`${command.name} ${name}:${choice}`)).toContain(choice);
      const isAlone = (await suggested(`${command.name} ${choice}`)).includes(choice);
      const others = offeredOptions(command).filter((other) => other.name !== name && other.positional);
      if (others.some((other) => other.choices?.includes(choice))) continue;
      expect(isAlone, `${command.name} ${choice}`).toBe(positional === true);
      if (isAlone) alone++;
      else named++;
    }
  expect([named > 0, alone > 0]).toEqual([true, true]);
});
