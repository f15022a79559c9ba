/** What replies tell, what they cost, and what later cards show: each way around them that was found, replayed at the doors. */
import { afterEach, describe, expect, test } from 'vitest';
import type { HintStep } from '../../../src/reply/model/facts.ts';
import { lineText } from '../../../src/reply/model/text.ts';
import type { Line } from '../../../src/reply/model/types.ts';
import { ALL_HINT_POINTS, HINTS, hintPoints } from '../../../src/reply/replies/hint-steps.ts';
import { TODAY } from '../../fakes/app.ts';
import { say } from '../../fakes/ask.ts';
import { onlyLong } from '../../fakes/sample.ts';
import { resultIn } from '../../fakes/stored.ts';
import { type Name, newYork, type Place, type Shown, type World, world } from '../../fakes/world.ts';
import { openPage } from '../web/serve.ts';

let made: World;
afterEach(() => made.close());

const points = (...steps: HintStep[]) => hintPoints(steps);
/** The first word of the small board's best solution, and the sentences that tell it. */
const FIRST = /BFJMCG|The first word/;

describe.each(['discord', 'slack', 'web'] as const)('%s', (door) => {
  let place: Place;
  async function open(): Promise<void> {
    made = await world({ doors: [door] });
    [place] = made.places as [Place];
  }
  const ask = (line: string, who: Name = 'ben') => place.ask(who, line);
  /** The hint points of the result that somebody has once they play the best solution. */
  async function cost(who: Name = 'ben'): Promise<number> {
    await ask('play words:bfjmcg,gkdhlnbp', who);
    const { tenant, channel } = place.ref;
    const results = await made.store.tenant(tenant).channelResults.ofDay(channel, TODAY);
    return results.find(({ words }) => words === 2)!.hints;
  }
  /** Opens the first hidden part of an answer, and returns its text. Discord opens it by itself, and tells nobody. */
  async function show(answer: Shown, who: Name = 'ben'): Promise<string> {
    if (door === 'slack') return (await answer.press(who, 'Show')).text;
    if (door !== 'web') return '';
    const page = openPage(made.web!.door.url, who);
    for (let block = 0; block < 9; block++) {
      const { lines } = await page.ask('/open', { message: answer.id, block });
      if (lines !== undefined) return lines.map((line) => lineText(line as Line)).join('\n');
    }
    throw new Error('nothing is hidden');
  }
  /** What Discord may have shown counts when it is sent. */
  const sent = door === 'discord';
  /** What doors have no part in: nothing is opened, so that all of it was told where it was asked. */
  const once = door === 'web' ? {} : onlyLong;

  // Discord offers no such option.
  if (!sent)
    test('a card shows no hint because its asker says that it was shown', once, async () => {
      await open();
      // After these words, it is another hint.
      await ask('hint step:first words:bfjmcg,gkdhln');
      const card = await ask('hint step:start shown:"first,masked,meaning,lengths,joint"');
      expect(card.text).toMatch(/^Hint 2 of \d/);
      expect(card.text).not.toMatch(FIRST);
      for (const step of ['masked', 'meaning', 'lengths', 'joint'] as const)
        expect(card.text).not.toContain(HINTS[step].label);
      expect(await cost()).toBe(points('start', 'first'));
    });

  test('a card after some words shows no hint of the board, and the other way round', once, async () => {
    await open();
    const onwards = await ask('hint step:first words:bfjmcg,gkdhln');
    expect(onwards.text).toContain('Go on with NBP');
    const hint = await ask('hint');
    expect(hint.text).toMatch(/^Hint 2 of \d/);
    expect(hint.text).not.toMatch(FIRST);
    expect(hint.text).toContain(HINTS.count.label);
    expect(await cost()).toBe(points('count', 'first'));
  });

  if (!sent)
    test('a solution that somebody opened in the thread marks their results in other channels, too', async () => {
      await open();
      await ask('daily on', 'ada');
      for (let hour = 13; hour < 24; hour++) await made.at(newYork(20, hour));
      const solution = (await place.messages()).find(({ text }) => text.startsWith('The solution'))!;
      await show(solution);
      const elsewhere = { ...place.ref, channel: 'elsewhere', direct: false };
      const [ben, cleo] = (['ben', 'cleo'] as const).map((who) => place.named(who).replace(/\W/g, ''));
      for (const id of [ben!, cleo!])
        await say(made.app, 'play words:bfjmcg,gkdhlnbp', {
          door,
          who: { id, mayManage: false },
          where: elsewhere,
        });
      expect(await resultIn(made.store, place.ref.tenant, ben!, 'elsewhere', TODAY)).toMatchObject({
        hints: 0,
        afterSolution: true,
      });
      expect(
        (await resultIn(made.store, place.ref.tenant, cleo!, 'elsewhere', TODAY))?.afterSolution,
      ).toBeUndefined();
    });

  test('a test of the daily thread costs its manager what is hidden in it, once it may have been read', async () => {
    await open();
    // On Slack, everybody in a channel manages it.
    const manager = door === 'slack' ? 'ben' : 'ada';
    await ask('daily test', manager);
    expect(await cost(manager)).toBe(sent ? ALL_HINT_POINTS : 0);
  });

  test('what everybody may open in the thread costs nobody, and the same in an answer does', async () => {
    await open();
    await ask('daily on', 'ada');
    for (const hour of [13, 15, 17]) await made.at(newYork(20, hour));
    const [step] = (await place.messages()).filter(({ text }) => text.includes(HINTS.start.label));
    await show(step!);
    await show(await ask(`thread steps:start`, 'cleo'), 'cleo');
    expect(await cost('ben')).toBe(0);
    await ask('play words:bfjm,mcgkdhlnbp', 'cleo');
    const { tenant, channel } = place.ref;
    const results = await made.store.tenant(tenant).channelResults.ofDay(channel, TODAY);
    expect(results.map(({ hints }) => hints).sort()).toEqual([0, points('start')]);
  });
});
