import type { TestOptions } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** What the test needs and this machine or run lacks, which is why it is skipped. */
    needs?: string;
  }
}

/**
 * Options of a test or a suite that not every machine can run. Elsewhere it is skipped, and the summary says why
 * (test/skipped.ts).
 *
 * @example describe('zsh', needs('zsh', has('zsh')), () => { … });
 */
export function needs(what: string, isThere: boolean): TestOptions {
  return isThere ? {} : { skip: true, meta: { needs: what } };
}
