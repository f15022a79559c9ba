/**
 * Modules are loaded once for all test files of a worker, so an `afterAll` at the top of a helper would run for one
 * file only. `test/setup.ts` runs these tasks after each file.
 */
const tasks: (() => unknown)[] = [];

/** Does something when the tests of the current file are done. */
export function afterFile(task: () => unknown): void {
  tasks.push(task);
}

export async function runAfterFile(): Promise<void> {
  for (const task of tasks.splice(0).reverse()) await task();
}
