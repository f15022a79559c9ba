import { describe, expect, it } from 'vitest';
import type { JobAsker } from '../../src/work/job.ts';
import { Budget, FairQueue } from '../../src/work/queue.ts';

const BOUNDS = { total: 100, channel: 100, person: 100 };

/** Tasks written as channel, person and number: `a ann 1`. */
function queueOf(lines: readonly string[]) {
  const queue = new FairQueue<{ asker: JobAsker; line: string }>(BOUNDS);
  for (const line of lines) queue.add({ asker: askerOf(line), line });
  return queue;
}

function askerOf(line: string): JobAsker {
  const [channel = '', person] = line.split(' ');
  return person === '-' || person === undefined ? { channel } : { channel, person };
}

function drain(queue: ReturnType<typeof queueOf>): string[] {
  const lines: string[] = [];
  for (let task = queue.take(); task !== undefined; task = queue.take()) lines.push(task.line);
  return lines;
}

describe('the queue', () => {
  it.each([
    ['keeps the order of one person', ['a ann 1', 'a ann 2'], ['a ann 1', 'a ann 2']],
    [
      'gives channels turns, however long the line of one is',
      ['a ann 1', 'a ann 2', 'a ann 3', 'b bob 1', 'c cleo 1', 'b bob 2'],
      ['a ann 1', 'b bob 1', 'c cleo 1', 'a ann 2', 'b bob 2', 'a ann 3'],
    ],
    [
      'gives the people of a channel turns within the turns of the channel',
      ['a ann 1', 'a ann 2', 'a abe 1', 'a - 1', 'b bob 1', 'b bob 2', 'b bob 3'],
      ['a ann 1', 'b bob 1', 'a abe 1', 'b bob 2', 'a - 1', 'b bob 3', 'a ann 2'],
    ],
  ])('%s', (_, added, taken) => expect(drain(queueOf(added))).toEqual(taken));

  it('puts a channel that comes back behind those that wait', () => {
    const queue = queueOf(['a ann 1', 'b bob 1', 'c cleo 1']);
    expect(queue.take()?.line).toBe('a ann 1');
    queue.add({ asker: askerOf('a ann 2'), line: 'a ann 2' });
    expect(drain(queue)).toEqual(['b bob 1', 'c cleo 1', 'a ann 2']);
  });

  it('passes over those that may not run, without loss of their turn', () => {
    const queue = queueOf(['a ann 1', 'a abe 1', 'b bob 1']);
    const notAnn = ({ asker }: { asker: JobAsker }) => asker.person !== 'ann';
    expect(queue.take(notAnn)?.line).toBe('a abe 1');
    expect(queue.take(notAnn)?.line).toBe('b bob 1');
    expect(queue.take(notAnn)).toBeUndefined();
    expect(queue.has(notAnn)).toBe(false);
    expect(drain(queue)).toEqual(['a ann 1']);
    expect([queue.size, queue.channels]).toEqual([0, 0]);
  });

  it('loses a task that waits no longer, and nothing else', () => {
    const queue = queueOf(['a ann 1', 'b bob 1', 'b cleo 1']);
    const given = { asker: askerOf('a ann 2'), line: 'a ann 2' };
    queue.add(given);
    expect([queue.remove(given), queue.remove(given)]).toEqual([true, false]);
    expect(queue.size).toBe(3);
    expect(drain(queue)).toEqual(['a ann 1', 'b bob 1', 'b cleo 1']);
    const alone = { asker: askerOf('c dan 1'), line: 'c dan 1' };
    queue.add(alone);
    expect(queue.remove(alone)).toBe(true);
    expect([queue.size, queue.channels]).toEqual([0, 0]);
  });

  it('finds what gives way to a channel with fewer, never what the bot itself needs', () => {
    const queue = queueOf(['a ann 1', 'a ann 2', 'a abe 1', 'b bob 1', 'c - 1', 'c - 2', 'c - 3', 'c - 4']);
    const displacedBy = (channel: string) => queue.displacedBy({ channel })?.line;
    expect(displacedBy('d')).toBe('a ann 2');
    expect(displacedBy('b')).toBe('a ann 2');
    expect(displacedBy('a')).toBeUndefined();
    expect(queueOf(['a abe 1', 'a ann 1', 'a ann 2']).displacedBy({ channel: 'd' })?.line).toBe('a ann 2');
    queue.add({ asker: askerOf('b bob'), line: 'b bob 2' });
    expect(displacedBy('b')).toBeUndefined();
  });
});

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
