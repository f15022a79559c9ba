import type { Asker } from '../../dispatch/contract.ts';

/** What prices depend on; undefined where hints cost nothing, as in the terminal, which starts sooner without it. */
export async function loadPrices({ hintRecording }: Asker) {
  return hintRecording === 'off' ? undefined : import('./paid-hints.ts');
}
