import type { Asker, ReadingApp } from '../../dispatch/contract.ts';
import type { Target } from '../../dispatch/target.ts';
import type { Prices } from '../../reply/replies/hint-steps.ts';

/** What prices depend on. Its modules are loaded only where hints cost something: the terminal starts without them. */
export async function pricesFor(
  asker: Asker,
  app: ReadingApp,
  target: Pick<Target, 'board' | 'puzzle'>,
): Promise<Prices | undefined> {
  if (asker.hintRecording === 'off') return undefined;
  const [{ areHiddenCharged }, { paidHintsOf }] = await Promise.all([
    import('../../dispatch/hint-record.ts'),
    import('./paid-hints.ts'),
  ]);
  return { paid: await paidHintsOf(asker, app, target), hiddenCharged: areHiddenCharged(asker) };
}
