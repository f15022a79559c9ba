import type { App } from '../../dispatch/contract.ts';
import type { ChallengeShown } from '../../reply/replies/challenge.ts';
import { type Challenge, endOf } from './challenge.ts';

export function shownOf(
  { clock, publicPage }: Pick<App, 'clock' | 'publicPage'>,
  challenge: Challenge,
): ChallengeShown {
  const { name, board, appraisal, madeBy, sides } = challenge;
  const until = endOf(challenge);
  return { name, board, appraisal, madeBy, until, isOpen: clock.now() < until, page: publicPage({ sides }) };
}
