import { identityScope } from '../../core/channel-ref.ts';
import { counted } from '../../core/text.ts';
import type { App } from '../../dispatch/contract.ts';
import { dateAt } from '../../puzzle/calendar.ts';
import { HINT_STEPS, stepsOf } from '../../reply/model/facts.ts';
import type { Block } from '../../reply/model/types.ts';
import { HINTS } from '../../reply/replies/hint-steps.ts';
import { bestFirst } from './stats.ts';

/** How far a person is with the board of the day, and what they have solved before. */
export async function progressBlock(
  { store, clock }: Pick<App, 'store' | 'clock'>,
  tenant: string,
  person: string,
): Promise<Block> {
  const { hints, results } = store.tenant(tenant);
  const date = dateAt(clock.now());
  const seen = new Set<string>(stepsOf(await hints.seenOn(person, date)));
  const names = HINT_STEPS.filter((step) => seen.has(step)).map((step) => HINTS[step].name.toLowerCase());
  const today = await store.allPeople.resultsOf(identityScope(tenant), person, date);
  const [best] = today.toSorted(bestFirst);
  const facts = [
    { label: 'Hints you’ve seen today', value: names.length === 0 ? 'none' : names.join(', ') },
    {
      label: 'Your result today',
      value: best === undefined ? 'not solved yet' : counted(best.words, 'word'),
    },
    { label: 'Boards you’ve solved here', value: String(await results.days(person)) },
  ];
  return { kind: 'facts', facts };
}
