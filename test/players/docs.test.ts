import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { LEADERBOARD_ORDER } from '../../src/reply/replies/standings.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { replyOf, say } from '../fakes/ask.ts';

const { app, close } = await makeTestApp();
afterAll(close);
// The board that the guide names, which only its maker can close.
await say(app, 'board make tub pxi snq oja name:"Tea time"');

const GUIDE = readFileSync(new URL('../../docs/play.md', import.meta.url), 'utf8');
const names = COMMANDS.map(({ name }) => name);
const lines = [...GUIDE.matchAll(/`([^`\n]+)`/g)]
  .map((found) => found[1]!)
  .filter((line) => names.includes(line.split(' ')[0]!));

test('the guide names every command of players', () => {
  const named = new Set(lines.map((line) => line.split(' ')[0]));
  for (const name of ['play', 'share', 'stats', 'leaderboard', 'relay', 'privacy'])
    expect(named).toContain(name);
  expect(GUIDE).toMatch(
    /fewer words, then fewer letters, then fewer \[hint points\][^,]*, then the earlier one/,
  );
  // Most days of each kind come first: `compareStandings` ranks people so.
  const days = 'Most days solved come first (before the solution, then after it, then self-reported)';
  expect(GUIDE.replaceAll('\n', ' ')).toContain(days);
  expect(LEADERBOARD_ORDER).toContain(days);
  expect(LEADERBOARD_ORDER).toMatch(
    /then fewest words,\s+fewest letters, fewest hints \(strong ones count more\), and who was earliest/,
  );
});

test.each(lines)('%s', async (line) => {
  const prepared = makeDispatcher(app, { commands: COMMANDS }).prepareLine(line, someone());
  if (prepared.kind === 'form') return;
  const { title, isMistake } = await replyOf(prepared);
  expect(isMistake).toBeUndefined();
  expect(title).not.toBe('Sorry, that went wrong');
});
