/**
 * Hostile people and ordinary ones at both chat platforms, with daily threads opening in the middle of it. The bot is a
 * process of its own, whose clock begins at noon and runs like the real one.
 *
 *   LONG=1 SIEGE=600 npx vitest run test/abuse/siege.test.ts   a thousand people for 600 seconds, on an idle machine
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { MINUTE, SECOND } from '../../src/core/clock.ts';
import { onlyLong } from '../fakes/sample.ts';
import { makeFolder } from '../store/folders.ts';
import { openPlatforms, posted, switchOn, WholeBot } from '../whole-bot/platforms.ts';
import { Crowd } from './crowd.ts';

const IS_WHOLE = process.env.SIEGE !== undefined;
const PLAN = IS_WHOLE
  ? { milliseconds: Number(process.env.SIEGE) * SECOND, channels: 200, ordinary: 1_000, hostile: 100, ordinaryRate: 15, hostileRate: 50 } // biome-ignore format: one line reads better
  : { milliseconds: 20 * SECOND, channels: 20, ordinary: 100, hostile: 20, ordinaryRate: 3, hostileRate: 10 }; // biome-ignore format: one line reads better
/** Milliseconds at most for openings that are still missing at the end. */
const PATIENCE = 2 * MINUTE;
/** When it begins, by the clocks of the bot and of the platforms: a thread opens only while its puzzle has hours left. */
const NOON = Date.UTC(2026, 10, 20, 12);

// Openings have a time in whole minutes, so that this takes two.
test('hostile people keep nobody from an answer, and no opening from its channel', {
  timeout: 2 * PLAN.milliseconds + 10 * MINUTE,
  ...onlyLong,
}, async () => {
  // Whole minutes ahead, since the bot's cron job follows the real clock.
  const ahead = Math.round((NOON - Date.now()) / MINUTE) * MINUTE;
  const now = () => Date.now() + ahead;
  // The sample's platforms stand still: a busy machine does not keep their limits of three seconds for an answer.
  const clock = { now: IS_WHOLE ? now : () => NOON };
  const platforms = await openPlatforms(PLAN.channels, clock, clock);
  onTestFinished(() => platforms.close());
  // Discord's real limit, which the daily threads keep to.
  const { DISCORD_REQUESTS_PER_SECOND: _, ...settings } = platforms.settings;
  const bot = new WholeBot({ ...settings, DATA_DIR: makeFolder() }, { ahead });
  onTestFinished(() => void bot.child.kill('SIGKILL'));
  await bot.nextMessage();
  // Openings are at whole minutes; this one is in the middle.
  const half = PLAN.milliseconds / 2;
  const due = Math.ceil((now() + half + PLAN.channels * 100) / MINUTE) * MINUTE;
  await switchOn(platforms, { zones: ['UTC'], openings: [new Date(due).toISOString().slice(11, 16)] });
  const crowd = new Crowd(platforms, PLAN);
  await sleep(due - half - now());
  const { rss: begin = 0 } = await bot.ask({ vitals: true });
  const openings = () => posted(platforms).openings;
  const lastOpening = (async () => {
    while (openings().length < PLAN.channels && now() < due + half + PATIENCE) await sleep(500);
    return now() - due;
  })();
  crowd.start();
  await sleep(PLAN.milliseconds);
  await crowd.stop();
  const { loop } = await bot.ask({ vitals: true });
  const seconds = Math.max(0, await lastOpening) / SECOND;
  // As Linux counts it, in kilobytes.
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${bot.child.pid}/status`, 'utf8'))?.[1]);
  await bot.stop();

  const { ordinary, hostile } = crowd.tallies;
  const times = ordinary.first.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor(share * times.length)] ?? Number.NaN);
  console.info(
    `${times.length} ordinary and ${hostile.first.length} hostile commands answered; first answers to ordinary people: ` +
      `median ${at(0.5)} ms, p99 ${at(0.99)} ms; longest turn ${loop!.busiest.toFixed(0)} ms; ` +
      `last opening ${seconds.toFixed(1)} s after its time; ${Math.round(begin / 1e6)} to ${Math.round(peak / 1e3)} MB`,
  );
  expect(ordinary.unanswered).toEqual([]);
  expect(times.length).toBeGreaterThan((PLAN.ordinaryRate * PLAN.milliseconds) / SECOND / 2);
  expect(openings().length).toBe(PLAN.channels);
  expect(new Set(openings()).size).toBe(PLAN.channels);
  expect(bot.log).toBe('');
});
