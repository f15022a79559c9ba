/** A day's thread in Slack: the real daily thread and door on the fake platform. */

import { afterEach, describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/core/clock.ts';
import { type World, world } from '../../fakes/world.ts';
import { messageOf, type OpenedSlack, read } from './open-slack.ts';

const SIX = Date.parse('2026-11-20T11:00:00Z');

let made: World;
let slack: OpenedSlack;
afterEach(() => made.close());

async function open(): Promise<void> {
  made = await world({ doors: ['slack'] });
  slack = made.slack!;
  slack.test.clock.time = SIX;
}

async function until(moment: number): Promise<void> {
  while (made.clock.time < moment) await made.at(made.clock.time + HOUR / 4);
}

const posts = () => slack.channel.messages.filter(({ byApp, metadata }) => byApp && metadata !== undefined);
const _titles = () => posts().map(({ text, threadTs }) => [text, threadTs]);

describe('a day’s thread', () => {
  it('shows its solution to whoever asks for it, and to nobody else', async () => {
    await open();
    await messageOf(slack.ann.slash(slack.channel, '/letterboxed daily on'));
    await until(SIX + 15 * HOUR);
    const [opening, , , solution] = posts();
    const before = JSON.stringify(solution);
    const shown = await messageOf(slack.bob.press(solution!, 'Show'));
    expect(shown).toMatchObject({ only: slack.bob.id, threadTs: opening!.ts });
    const all = await messageOf(slack.ann.press(solution!, 'Show all'));
    expect(all.only).toBe(slack.ann.id);
    expect(read(all)).toContain('[picture: ');
    expect(read(all)).not.toContain('[Show');
    expect(JSON.stringify(solution)).toBe(before);
    for (const word of read(shown).match(/\b[A-Z]{5,}\b/g)!) expect(before.toUpperCase()).not.toContain(word);
  });
});
