import { type Backoff, doubling, pauseAfter } from '../../../core/backoff.ts';
import { HOUR, MINUTE } from '../../../core/clock.ts';
import type { Log } from '../../../core/log.ts';
import { readFailure } from '../api/errors.ts';
import { retrying, type SlackApi } from '../api/slack-api.ts';
import { NotInstalled, type Workspaces } from './workspaces.ts';

export interface RemovalsTools {
  readonly log: Log;
  readonly api: SlackApi;
  readonly workspaces: Workspaces;
  /** Keeps the bot running until a check is done. */
  readonly track: (check: Promise<void>) => void;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

const PAUSES: Backoff = { pauses: doubling(MINUTE, HOUR), jitter: 0 };
/** About a day in all. After it the report stands: a workspace that is gone must not be kept. */
const MOST_CHECKS = 30;

/**
 * Removals of the app as Slack reports them. It may report one again hours later, when the app is installed again: then
 * its token works, and nothing was removed.
 */
export class Removals {
  readonly #tools: RemovalsTools;
  /** Workspaces about which Slack gave no answer, and that are checked again. */
  readonly #unanswered = new Set<string>();
  #isStopped = false;

  constructor(tools: RemovalsTools) {
    this.#tools = tools;
  }

  /** Checks a report after the acknowledgement of its event, and records the removal if there was one. */
  report(team: string): void {
    this.#tools.track(this.#check(team, 1));
  }

  /** Checks nothing more. */
  stop(): void {
    this.#isStopped = true;
  }

  async #check(team: string, checks: number): Promise<void> {
    const { log, api, workspaces, sleep } = this.#tools;
    const token = await workspaces.token(team).catch(() => undefined);
    try {
      await retrying(() => api.call(team, 'auth.test', {}), sleep);
    } catch (error) {
      const failure = readFailure(error);
      const isAnswered = failure.kind === 'refused' || error instanceof NotInstalled;
      if (isAnswered || checks === MOST_CHECKS) return workspaces.markRemoved(team, token);
      if (checks === 1)
        log.warn({ door: 'slack', team, failure }, 'a removal could not be checked: Slack is asked again');
      void this.#checkLater(team, checks);
    }
  }

  async #checkLater(team: string, checks: number): Promise<void> {
    if (this.#unanswered.has(team)) return;
    this.#unanswered.add(team);
    await this.#tools.sleep(pauseAfter({ failures: checks, random: Math.random }, PAUSES));
    this.#unanswered.delete(team);
    if (!this.#isStopped) this.#tools.track(this.#check(team, checks + 1));
  }
}
