import type { Asker } from '../../dispatch/contract.ts';

/** The module about prices; undefined where hints are not recorded and cost nothing: the terminal starts sooner without it. */
export async function loadPrices({ hintRecording }: Asker) {
  return hintRecording === 'off' ? undefined : import('./paid-hints.ts');
}
