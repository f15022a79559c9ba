/** What a day's messages say, and that none gives a word away before it is opened, at any door. */
import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../src/core/clock.ts';
import {
  cacheAnswers,
  openingMessage,
  plannedThread,
  withNextStep,
} from '../../../src/daily/delivery/messages.ts';
import { scheduleOf } from '../../../src/daily/plan/schedule.ts';
import { DEFAULT_SETTINGS } from '../../../src/daily/settings/settings.ts';
import type { Puzzle } from '../../../src/puzzle/types.ts';
import { plainText, toEveryone } from '../../../src/reply/model/text.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import { THREAD_STEPS } from '../../../src/reply/replies/thread-steps.ts';
import { PUZZLE } from '../../reply/setting.ts';
import { fakeSteps } from '../fakes.ts';

const answer = cacheAnswers(fakeSteps());
const DAY = scheduleOf(DEFAULT_SETTINGS, PUZZLE.date);

describe('the opening', () => {
  const reply = openingMessage(
    { puzzle: PUZZLE, settings: DEFAULT_SETTINGS },
    plannedThread(DAY),
    DAY.opensAt,
  );

  test('leaves the day of a step that comes on another one to the platform, which shows the reader’s', () => {
    const settings = {
      ...DEFAULT_SETTINGS,
      opening: '17:38' as const,
      steps: [
        { step: 'count', at: '17:39' },
        { step: 'solution', at: '12:00' },
      ] as const,
    };
    const day = scheduleOf(settings, PUZZLE.date);
    const noteOf = ({ blocks }: Reply) =>
      blocks.flatMap((block) => (block.kind === 'note' ? [block.line] : []))[0];
    const [count, solution] = day.steps.map(({ dueAt }) => dueAt) as [number, number];
    expect(noteOf(openingMessage({ puzzle: PUZZLE, settings }, plannedThread(day), day.opensAt))).toEqual([
      'Thread: ',
      'words needed',
      ' at ',
      { moment: count, style: 'time' },
      '; ',
      'the solution',
      ' ',
      { moment: solution, style: 'weekday' },
      '.',
    ]);
    const plain = { ...reply, blocks: [] };
    const coming = [{ step: 'solution', at: solution }] as const;
    const lastPiece = (now: number) =>
      [noteOf(withNextStep(plain, PUZZLE, { ...day, coming }, now))].flat().at(-1);
    expect(lastPiece(count)).toEqual({ moment: solution, style: 'weekday' });
    expect(lastPiece(solution - HOUR)).toEqual({ moment: solution, style: 'time' });
  });

  test('has no later step below a hint while another one is due, since it may change before it comes', () => {
    const now = DAY.opensAt;
    const coming = (['start', 'count'] as const).map((step, later) => ({ step, at: now + later * HOUR }));
    const notesAt = (moment: number) =>
      plainText(withNextStep({ ...reply, blocks: [] }, PUZZLE, { ...DAY, coming }, moment));
    expect(notesAt(now)).not.toMatch(/Start letters|Words needed/);
    expect(notesAt(now - 1)).toContain('Start letters');
  });
});

describe('steps', () => {
  test('have no buttons that could be taken for those of a hidden hint', async () => {
    for (const steps of [...THREAD_STEPS.map((step) => [step]), ['start', 'count'] as const, THREAD_STEPS]) {
      const { blocks } = await answer(PUZZLE, steps);
      const labels = blocks
        .flatMap((block) => (block.kind === 'buttons' ? block.buttons : []))
        .map(({ label }) => label);
      expect(new Set(labels).size).toBe(labels.length);
      // Slack adds a button named Show to whatever is hidden.
      expect(labels.filter((label) => /show|reveal/i.test(label))).toEqual([]);
    }
  });

  test('are made again after a failure, and anew once a board has its dictionary', async () => {
    let made = 0;
    const cached = cacheAnswers(async () => {
      if (++made === 1) throw new Error('a fault');
      return toEveryone(`${made}`, []);
    });
    await expect(cached(PUZZLE, ['count'])).rejects.toThrow();
    const titleOf = async (puzzle: Puzzle) => (await cached(puzzle, ['count'])).title;
    const { dictionary: _, ...bare } = PUZZLE;
    expect([await titleOf(bare), await titleOf(bare)]).toEqual(['2', '2']);
    expect(await titleOf({ ...bare, dictionary: [{ word: 'forum', obscure: false }] })).toBe('3');
  });

  test('of boards that were typed at two moments name each one’s', async () => {
    for (const typedAt of [1_000, 2_000]) {
      const reply = await answer({ ...PUZZLE, source: 'hand', typedAt }, ['solution']);
      expect(JSON.stringify(reply)).toContain(`"moment":${typedAt}`);
    }
  });
});
