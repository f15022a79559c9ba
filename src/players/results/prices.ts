import type { Asker } from '../../dispatch/contract.ts';

/** What prices depend on, loaded only where hints cost something: the terminal starts without it. */
export async function loadPrices({ hintRecording }: Asker) {
  return hintRecording === 'off' ? undefined : import('./paid-hints.ts');
}
