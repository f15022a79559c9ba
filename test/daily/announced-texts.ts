/** What messages of the daily thread announce, read from their texts as they are at any door, with exact moments. */

import { STEP_NAMES, THREAD_STEPS, type ThreadStep } from '../../src/reply/replies/thread-steps.ts';

/** Steps and their moments. */
export type Coming = ReadonlyMap<ThreadStep, number>;

const MOMENT = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
/** With its day, a moment has no `at`. */
const AT = `(?: at)? (${MOMENT})`;

/** The steps in a list such as `word lengths, hardest letter and the solution`; none if anything else is in it. */
function stepsNamed(list: string): ThreadStep[] {
  const names = list.toLowerCase().split(/, | and /);
  const steps = names.map((name) => THREAD_STEPS.find((step) => STEP_NAMES[step] === name));
  return steps.includes(undefined) ? [] : steps.filter((step) => step !== undefined);
}

/** The steps that a message in the thread contains. */
export function stepsOf(text: string): readonly ThreadStep[] {
  const [title = ''] = text.split('\n');
  return stepsNamed(title.replace(/^Hint \d+ of \d+: /, ''));
}

/** What an opening lists as in the thread: what comes at a later moment, and what is there or follows at once. */
export function announcedIn(opening: string): {
  readonly coming: Coming;
  readonly now: readonly ThreadStep[];
} {
  const [, line = ''] = /^Thread: (.*)\.$/m.exec(opening) ?? [];
  const coming = new Map<ThreadStep, number>();
  const now: ThreadStep[] = [];
  for (const together of line.split('; ')) {
    const [list = '', moment] = together.split(new RegExp(AT));
    const steps = stepsNamed(list);
    if (moment === undefined) now.push(...steps);
    else for (const step of steps) coming.set(step, Date.parse(moment));
  }
  return { coming, now };
}

/** What `daily show` says is next; `now` without a moment. */
export function shownNext(text: string): { readonly name: string; readonly at: number } | undefined {
  const [, name = '', moment = ''] =
    new RegExp(String.raw`^Next, (.*?):?\s+(${MOMENT})`, 'm').exec(text) ?? [];
  if (moment !== '') return { name, at: Date.parse(moment) };
  return /^Next, /m.test(text) ? { name: 'now', at: 0 } : undefined;
}
