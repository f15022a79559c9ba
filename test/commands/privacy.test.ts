import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeTestApp, NOON, someone, type TestApp } from '../fakes/app.ts';
import { opened, press, say } from '../fakes/ask.ts';
import { house, SIDES, WORDS } from '../fakes/small-board.ts';

const TWO = 'play bfjmcg,gkdhlnbp';
const AWAY = someone({}, { tenant: 'web:away', channel: 'c9' });

let world: TestApp;
beforeEach(async () => {
  world = await makeTestApp({ words: WORDS, house });
});
afterEach(() => world.close());

const file = (reply: Reply) => reply.blocks.find((block) => block.kind === 'file')!;
const stored = (door = 'web', person = '5') => world.store.allPeople.export(door, person);

/** Everything that can be stored about a person, in two tenants, each with data of another person too. */
async function leaveTraces(): Promise<void> {
  for (const asker of [
    someone(),
    AWAY,
    someone({ id: '6' }),
    { ...AWAY, who: { id: '6', mayManage: false } },
  ]) {
    await say(world.app, 'hint start', asker);
    await say(world.app, TWO, asker);
    await say(world.app, 'relay start', asker);
  }
  await say(world.app, 'relay bfjmcg');
  await say(world.app, 'relay gkdhln', someone({ id: '6' }));
  const at = { channel: 'general', date: '2026-11-20' as const, typedAt: NOON };
  await world.store.tenant('web:local').boards.put({ ...at, puzzle: { sides: SIDES }, typedBy: '5' });
  await world.store.tenant('web:local').subscriptions.save('general', {}, { version: 0, by: '5', at: NOON });
}

describe('privacy', () => {
  test('reaches nobody of another workspace on Slack, who may have the same id', async () => {
    const at = (workspace: string) => ({
      ...someone({}, { tenant: `slack:${workspace}`, channel: 'c1' }),
      door: 'slack' as const,
    });
    const [here, there] = [at('T1'), at('T2')];
    for (const asker of [here, there]) await say(world.app, TWO, asker);
    const { allPeople } = world.store;
    const before = await allPeople.export('slack:T2', '5');
    expect(before).toHaveLength(1);
    expect(opened(await say(world.app, 'privacy show', here))).toContain('Results: 1');
    expect(JSON.stringify(await say(world.app, 'privacy export', here))).not.toContain('slack:T2');
    await say(world.app, 'privacy hide', here);
    await say(world.app, 'privacy delete sure', here);
    expect(await allPeople.export('slack:T1', '5')).toEqual([]);
    expect(await allPeople.export('slack:T2', '5')).toEqual(before);
    expect(opened(await say(world.app, 'stats', there))).toContain('Streak: 1 day');
  });

  test('shows what is stored, or that nothing is', async () => {
    expect(opened(await say(world.app, 'privacy'))).toContain('Nothing is stored about you.');
    await leaveTraces();
    const reply = await say(world.app, 'privacy show');
    expect(reply.audience).toBe('asker');
    const shown = opened(reply).split('\n');
    expect(shown).toEqual(
      expect.arrayContaining([
        'Results: 2',
        'Hints seen: 2',
        'Boards you typed or made: 1',
        'Daily settings you saved: 1',
        'Relays: 2',
        'Boards you play: 2',
        'Leaderboards: you’re shown',
      ]),
    );
  });

  test('exports everything as a file, without the words of others', async () => {
    await leaveTraces();
    const reply = await say(world.app, 'privacy export');
    expect(reply.audience).toBe('asker');
    const { name, type, content } = file(reply);
    expect([name, type]).toEqual(['letterboxed-data.json', 'application/json']);
    const data = JSON.parse(content);
    expect(data).toMatchObject({ platform: 'web', person: '5', exportedAt: '2026-11-20T17:00:00.000Z' });
    expect(data.stored.map(({ tenant }: { tenant: string }) => tenant)).toEqual(['web:away', 'web:local']);
    expect(data.stored[1]).toMatchObject({
      results: [{ words: 2, lengths: [6, 8] }],
      hints: [{ puzzle: '2026-11-20', step: 'start' }],
      games: [{ thread: 'general', started: true, words: ['bfjmcg'] }],
      settings: [{ channel: 'general' }],
      boards: [{ date: '2026-11-20' }],
      soloGames: [{ words: ['bfjmcg', 'gkdhlnbp'] }],
    });
    expect(content).not.toContain('"gkdhln"');
    expect(content).not.toContain('"6"');
  });

  test('erases after a confirmation, in all tenants, and nobody else’s data', async () => {
    await leaveTraces();
    const before = await stored('web', '6');
    const question = await say(world.app, 'privacy delete');
    expect(opened(question)).toContain('This erases 2 results');
    expect(await stored()).toHaveLength(2);
    const other = someone({ id: '8' });
    await say(world.app, 'hint', other);
    expect(opened(await say(world.app, 'privacy delete', other))).toContain(
      'This erases 1 hint you’ve seen,',
    );
    const sure = question.blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []))[0]!;
    expect(sure).toMatchObject({ look: 'danger' });
    const done = await press(world.app, sure.action);
    expect(done.title).toBe('Everything about you is erased');
    expect(await stored()).toEqual([]);
    const after = await stored('web', '6');
    expect(after.map(({ results, hints }) => [results, hints])).toEqual(
      before.map(({ results, hints }) => [results, hints]),
    );
    expect(opened(await say(world.app, 'privacy'))).toContain('Nothing is stored about you.');
    expect(opened(await say(world.app, 'leaderboard'))).not.toContain('@5');
    expect(opened(await say(world.app, 'stats'))).toContain('Nothing yet');
  });

  test('erases at once with `sure`, and nothing at other doors', async () => {
    await leaveTraces();
    await world.store.tenant('slack:T1').hints.see('5', '2026-11-20', ['start'], { at: NOON });
    await say(world.app, 'privacy delete sure');
    expect(await stored()).toEqual([]);
    expect(await stored('slack')).toHaveLength(1);
  });

  test('hides from all leaderboards at once, and unhides', async () => {
    await say(world.app, TWO);
    await say(world.app, TWO, AWAY);
    const board = (asker = someone({ id: '9' })) => say(world.app, 'leaderboard', asker).then(opened);
    const boardAway = () => board({ ...AWAY, who: { id: '9', mayManage: false } });
    expect([await board(), await boardAway()].every((text) => text.includes('@5'))).toBe(true);
    await say(world.app, 'privacy hide', AWAY);
    expect([await board(), await boardAway()].some((text) => text.includes('@5'))).toBe(false);
    expect(opened(await say(world.app, 'privacy'))).toContain('you’re hidden');
    await say(world.app, 'privacy unhide');
    expect([await board(), await boardAway()].every((text) => text.includes('@5'))).toBe(true);
  });
});
