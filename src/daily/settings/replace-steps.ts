import { THREAD_STEPS } from '../../answers/thread-steps.ts';
import type { App, Request } from '../../dispatch/contract.ts';
import type { Action, Reply } from '../../reply/model/types.ts';
import { applyChange, type ChangeTexts } from './change.ts';
import { type DailyStep, DEFAULT_SETTINGS, parseStored } from './settings.ts';
import { stepsText } from './show.ts';

/**
 * What to ask before a typed list of steps takes others away; undefined where it takes none. `steps:none` says itself
 * that it takes all of them, and so does `count:off`.
 */
export async function stepsQuestion(
  { where, options }: Request,
  { store }: App,
  texts: ChangeTexts,
): Promise<Reply | undefined> {
  if (texts.steps === undefined || texts.steps.trim().toLowerCase() === 'none') return undefined;
  const subscription = await store.tenant(where.tenant).subscriptions.get(where.channel);
  const before = subscription === undefined ? DEFAULT_SETTINGS : parseStored(subscription.settings);
  const { steps } = applyChange(before, texts);
  const dropped = before.steps.filter(
    ({ step }) => texts[step] === undefined && steps.every((other) => other.step !== step),
  );
  if (dropped.length === 0) return undefined;
  const all = applyChange(before, { ...texts, steps: typed([...steps, ...dropped]) });
  const action = (wanted: readonly DailyStep[]): Action => ({
    command: 'daily',
    options: { do: options.do === 'on' ? 'on' : 'steps', ...texts, steps: typed(wanted), sure: true },
  });
  return {
    title: 'Which steps should the day have?',
    blocks: [
      {
        kind: 'facts',
        facts: [
          { label: 'Now', value: stepsText(before.steps) },
          { label: 'Only yours', value: stepsText(steps) },
          { label: 'All of them', value: stepsText(all.steps) },
        ],
      },
      { kind: 'note', line: 'Nothing has changed yet.' },
      {
        kind: 'buttons',
        buttons: [
          { label: 'Only yours', action: action(steps) },
          { label: 'All of them', action: action(all.steps) },
        ],
      },
    ],
    audience: 'asker',
  };
}

/** As `steps` is typed. */
function typed(steps: readonly DailyStep[]): string {
  return THREAD_STEPS.flatMap((name) => steps.filter(({ step }) => step === name))
    .map(({ step, at }) => `${step}@${at}`)
    .join(' ');
}
