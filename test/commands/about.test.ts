import { afterAll, expect, test } from 'vitest';
import { makeTestApp } from '../fakes/app.ts';
import { say, unopened } from '../fakes/ask.ts';
import { WORDS } from '../fakes/small-board.ts';

const { app, close } = await makeTestApp({ words: WORDS });
afterAll(close);

test('shows version, sources, credits and a privacy summary', async () => {
  const text = unopened(await say(app, 'about'));
  expect(text).toContain('Letter Boxed bot 0.0.0-test');
  expect(text).toContain('https://example.org/letterboxed');
  expect(text).toContain('Not made, endorsed or paid for by the newspaper');
  expect(text).toContain('SCOWL');
  expect(text.split('Privacy: ')[1]?.match(/\./g)).toHaveLength(2);
});

test('shows no address when the program has none', async () => {
  const text = unopened(await say({ ...app, about: { version: '1.0.0' } }, 'about'));
  expect(text).toContain('Letter Boxed bot 1.0.0');
  expect(text).not.toMatch(/https?:|Source and help/);
});
