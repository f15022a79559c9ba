/** What the day's messages announce is true when they are posted, and stays true for people who read them later. */

import { expect, test } from 'vitest';
import { DAY, type PuzzleDate } from '../../src/core/clock.ts';
import { showSettings } from '../../src/daily/settings/show.ts';
import type { App } from '../../src/dispatch/contract.ts';
import { lineText, plainText } from '../../src/reply/model/text.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { stepName, THREAD_STEPS } from '../../src/reply/replies/board.ts';
import { someone } from '../fakes/app.ts';
import { sample } from '../fakes/sample.ts';
import { random } from '../solver/random-boards.ts';
import { announced, linesOf, momentsIn, stepsOf } from './announced.ts';
import { fakePuzzleService } from './fakes.ts';
import { type Ground, HOUR, MINUTE, makeGround, subscribe } from './ground.ts';
import { randomSettings } from './years.ts';

/** The rows of all days, by what people call the step. */
async function sentSteps(ground: Ground, dates: readonly PuzzleDate[]): Promise<Map<string, string>> {
  const sent = new Map<string, string>();
  for (const date of dates) {
    for (const [step, state] of Object.entries(await ground.rows(date)))
      if (state === 'sent' || state.includes('posted in one message')) sent.set(`${date} ${step}`, state);
  }
  return sent;
}

function expectNoPastNext(replies: readonly Reply[], now: number): void {
  for (const reply of replies)
    for (const line of linesOf(reply))
      if (/next/i.test(lineText(line, { moment: () => '' })))
        expect(momentsIn(line).filter((moment) => moment <= now)).toEqual([]);
}

test('random days: no opener announces what is posted already, and no time in the past is called next', async () => {
  const next = random(18);
  let openers = 0;
  let kept = 0;
  for (let run = 0; run < sample(20, 3); run++) {
    const begin = Date.UTC(2026, 10, 18) + Math.floor((next() * DAY) / MINUTE) * MINUTE;
    const settings = { ...randomSettings(next), weekends: true };
    const ground = await makeGround(begin);
    await subscribe(ground.store, settings, { at: begin });
    const app = {
      store: ground.store,
      clock: ground.clock,
      puzzles: fakePuzzleService(),
      posterOf: () => undefined,
    } as unknown as App;
    const dates = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'] as const;
    let known = 0;
    const posted = new Map<string, number>();
    const promises: { readonly date: string; readonly text: string; readonly at: number }[] = [];
    for (let now = begin; now < begin + 2 * DAY; ) {
      const before = await sentSteps(ground, dates);
      await ground.at(now);
      const { messages } = ground.platform;
      for (const { reply, thread } of messages.slice(known)) {
        const date = String(reply.rerun?.options.date);
        for (const step of stepsOf(reply)) posted.set(`${date} ${stepName(step)}`, now);
        const promised = announced(reply);
        for (const { at } of promised) expect(at).toBeGreaterThan(now);
        promises.push(...promised.map((one) => ({ ...one, date })));
        if (thread !== undefined) continue;
        openers++;
        const text = plainText(reply).toLowerCase();
        for (const key of before.keys()) {
          const [day, step] = key.split(' ');
          if (day === date && step !== 'opening' && step !== 'closing')
            expect(text).not.toContain(stepName(step as never));
        }
      }
      known = messages.length;
      expectNoPastNext(
        [
          ...messages.map(({ reply }) => reply),
          await showSettings({ ...someone(), command: 'daily', options: {} }, app),
        ],
        now,
      );
      const post = await ground.nextPost();
      // A downtime now and then; otherwise minute by minute, as far as anything happens.
      now = Math.max(now + MINUTE, next() < 0.2 ? now + next() * 9 * HOUR : (post?.at ?? now + DAY));
      now = Math.ceil(now / MINUTE) * MINUTE;
    }
    for (const { date, text, at } of promises)
      for (const step of THREAD_STEPS.map(stepName).filter((name) => text.includes(name))) {
        const moment = posted.get(`${date} ${step}`);
        if (moment === undefined) continue;
        expect([run, date, step, moment >= at]).toEqual([run, date, step, true]);
        kept++;
      }
  }
  expect(openers).toBeGreaterThan(sample(6, 4));
  expect(kept).toBeGreaterThan(sample(10, 6));
});
