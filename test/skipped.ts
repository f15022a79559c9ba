import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type {} from './fakes/needs.ts';

/** Prints, after the summary, how many tests were skipped for want of what: see test/fakes/needs.ts. */
export class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')]);
    const reasons = Object.groupBy(skipped, (test) => reasonOf(test) ?? '');
    for (const [needs, tests = []] of Object.entries(reasons))
      if (needs !== '') console.log(`     Skipped  ${tests.length}: needs ${needs}`);
  }
}

/** Its own or that of a suite around it. */
function reasonOf(test: TestCase): string | undefined {
  for (let at: TestCase | TestCase['parent'] = test; at.type !== 'module'; at = at.parent) {
    const { needs } = at.meta();
    if (needs !== undefined) return needs;
  }
  return undefined;
}
