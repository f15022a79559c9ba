import { expect, onTestFinished, test, vi } from 'vitest';
import { StoreError, type StoreTrouble } from '../../../src/core/errors.ts';
import { StoreOutage } from '../../../src/operations/observability/store-outage.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

function watched() {
  const lines: string[] = [];
  const clock = { seconds: 0 };
  const note = (level: string) => (_: object, message: string) => lines.push(`${level}: ${message}`);
  const log = { ...quiet, info: note('info'), error: note('error') };
  vi.spyOn(performance, 'now').mockImplementation(() => clock.seconds * 1_000);
  onTestFinished(() => void vi.restoreAllMocks());
  const outage = new StoreOutage(log);
  const fail = (code: StoreTrouble) => outage.failed(new StoreError(code, `It is ${code}.`));
  return { lines, clock, outage, fail };
}

test('logs one error for each cause of an outage, and one line once it is over', () => {
  const { lines, clock, outage, fail } = watched();
  for (; clock.seconds <= 200; clock.seconds++) fail('store.unreachable');
  fail('store.exhausted');
  outage.worked();
  expect(lines).toEqual([
    'error: The store fails. It is store.unreachable.',
    'error: The store fails. It is store.exhausted.',
  ]);
  clock.seconds += 30;
  outage.worked();
  outage.worked();
  expect(lines.slice(2)).toEqual(['info: The store works again. It failed for 201 s.']);
  fail('store.unreachable');
  expect(lines).toHaveLength(4);
});

test('goes on while queries fail for other reasons, and passes all of them on', () => {
  const { clock, outage, fail } = watched();
  const passed: string[] = [];
  const onQuery = outage.watching((_, outcome) => passed.push(outcome));
  fail('store.unreachable');
  clock.seconds = 1;
  onQuery('delivery', 'failed', 1);
  expect(outage.trouble()).toBe('store.unreachable');
  onQuery('delivery', 'done', 1);
  expect(outage.trouble()).toBeUndefined();
  clock.seconds = 2;
  fail('store.unreachable');
  expect(outage.trouble()).toBe('store.unreachable');
  expect(passed).toEqual(['failed', 'done']);
});

test('says that the disk is full while some writes fit into room that was there already', () => {
  const { clock, outage, fail } = watched();
  for (; clock.seconds < 100; clock.seconds++) {
    if (clock.seconds % 20 === 0) fail('store.full');
    outage.worked();
    expect(outage.trouble()).toBe('store.full');
  }
  clock.seconds = 111;
  outage.worked();
  expect(outage.trouble()).toBeUndefined();
});

test.each<[StoreTrouble, number]>([
  ['store.full', 240],
  ['store.damaged', 240],
  ['store.denied', 240],
  // Once is no outage.
  ['store.busy', 180],
])('does not say that a store works again which is %s at the check of each minute', (code, seconds) => {
  const { lines, clock, outage, fail } = watched();
  for (; clock.seconds < 300; clock.seconds++) {
    if (clock.seconds % 60 === 0) fail(code);
    else outage.worked();
  }
  expect(lines).toEqual([`error: The store fails. It is ${code}.`]);
  clock.seconds = 330;
  outage.worked();
  expect(lines[1]).toBe(`info: The store works again. It failed for ${seconds} s.`);
});

test.each<StoreTrouble>(['store.busy', 'store.unable'])(
  'takes a query now and then that is %s for no outage',
  (code) => {
    const { lines, clock, outage, fail } = watched();
    for (; clock.seconds < 600; clock.seconds += 120) fail(code);
    expect([lines, outage.trouble()]).toEqual([[], undefined]);
  },
);
