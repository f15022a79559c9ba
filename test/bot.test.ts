import { expect, test } from 'vitest';
import { mayBeMoved } from '../src/bot.ts';
import { readConfig } from '../src/config/config.ts';

test.each([
  ['the local chat on house boards', { PUZZLE_SOURCE: 'house' }, true],
  ['the newspaper, which would be asked for boards to come', { PUZZLE_SOURCE: 'newspaper' }, false],
  ['Discord, whose posts go by it', { PUZZLE_SOURCE: 'house', DISCORD_TOKEN: 'a.b.c' }, false],
])('whether people may move the clock of a bot with %s', (_, settings, may) => {
  expect(mayBeMoved(readConfig({ WEB_CHAT: 'on', ...settings }))).toBe(may);
});
