import { describe, expect, it } from 'vitest';
import { Budget } from '../../src/work/queue.ts';

const SETTINGS = { milliseconds: 20_000, window: 300_000, people: 2 };

function budgetAt(time: number) {
  const clock = { time, now: () => clock.time };
  return { budget: new Budget(SETTINGS, clock), clock };
}

describe('the budget', () => {
  it('names the time after which a debt is paid off', () => {
    const { budget, clock } = budgetAt(0);
    budget.charge('ann', 22_000);
    expect(budget.waitOf('ann')).toBe(30_000);
    clock.time += 29_000;
    expect(budget.waitOf('ann')).toBe(1_000);
    clock.time += 1_001;
    expect(budget.waitOf('ann')).toBe(0);
  });

  it('never grows beyond what it was at first', () => {
    const { budget, clock } = budgetAt(0);
    budget.charge('ann', 1);
    clock.time += 100 * SETTINGS.window;
    budget.charge('ann', 20_000);
    expect(budget.waitOf('ann')).toBeGreaterThan(0);
  });

  it('gains nothing from a clock that is set back', () => {
    const { budget, clock } = budgetAt(1_000_000);
    budget.charge('ann', 21_000);
    clock.time = 0;
    expect(budget.waitOf('ann')).toBe(15_000);
  });

  it('forgets the person who was active least recently', () => {
    const { budget } = budgetAt(0);
    for (const person of ['ann', 'bob', 'cleo']) budget.charge(person, 30_000);
    expect(['ann', 'bob', 'cleo'].map((person) => budget.waitOf(person) > 0)).toEqual([false, true, true]);
  });
});
