import { expect, test } from 'vitest';
import { main } from '../../scripts/manifest.ts';
import { runHere } from '../chat/terminal/run.ts';

test.each([
  [['--url', 'bot'], /^--url "bot" should be an https:\/\/ address/],
  [['--url', 'http://bot.example.org'], /^--url .* should be an https:\/\/ address/],
  [['--help'], /^npx node scripts\/manifest\.ts /],
  [['--urk', 'https://bot.example.org'], /^npx node scripts\/manifest\.ts /],
  [['--url'], /^npx node scripts\/manifest\.ts /],
])('%j writes nothing, and says what to type', async (typed, message) => {
  expect(await runHere(() => main(typed))).toEqual({ code: 2, out: '', err: expect.stringMatching(message) });
});

test('for an address, and for tokens that change, it is printed', async () => {
  const { out } = await runHere(() => main(['--url', 'https://bot.example.org', '--rotation']));
  const { settings } = JSON.parse(out);
  expect(settings).toMatchObject({ socket_mode_enabled: false, token_rotation_enabled: true });
});
