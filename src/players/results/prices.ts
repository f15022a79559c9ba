import type { Asker, ReadingApp } from '../../dispatch/contract.ts';
import type { NamedBoard } from '../../reply/model/named-board.ts';
import type { NextHint, Prices } from '../../reply/replies/hint-steps.ts';
import type { PricedBoard } from './paid-hints.ts';

/** What prices depend on. Its modules are loaded only where hints cost something: the terminal starts without them. */
export async function pricesFor(
  asker: Asker,
  app: ReadingApp,
  target: PricedBoard,
): Promise<Prices | undefined> {
  if (asker.hintRecording === 'off') return undefined;
  const [{ areHiddenCharged }, { paidHintsOf }] = await Promise.all([
    import('../../dispatch/hint-record.ts'),
    import('./paid-hints.ts'),
  ]);
  const opens = (asker.opens ?? []).length > 0;
  return { paid: await paidHintsOf(asker, app, target), hiddenCharged: opens || areHiddenCharged(asker) };
}

/** The hint that a press of *Hint* shows, after words or about the whole board; undefined where hints cost nothing. */
export async function nextHintFor(
  asker: Asker,
  app: ReadingApp,
  { board, date }: NamedBoard,
  played: readonly string[],
): Promise<NextHint | undefined> {
  const target = { board, puzzle: date === undefined ? undefined : { date } };
  const prices = await pricesFor(asker, app, target);
  if (prices?.paid === undefined) return undefined;
  const [{ readCardSteps }, { nextStep, priceOf }, { hintsInThread }] = await Promise.all([
    import('../../dispatch/hint-record.ts'),
    import('../../reply/replies/hint-steps.ts'),
    import('./stats.ts'),
  ]);
  const { ownCardSteps } = await readCardSteps(asker, app, { board, date });
  const inThread = await hintsInThread(app.store, asker.where, date);
  const step = nextStep([...ownCardSteps, ...inThread], played.length > 0);
  return { step, points: priceOf([step], prices.paid) };
}
