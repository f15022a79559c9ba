import type { App, Dispatcher, Request } from '../dispatch/contract.ts';
import { reactivate } from './suspension.ts';

/** The same dispatcher; a place that rests is woken when someone runs a command there, for the next tick to see to. */
export function withReactivation(
  dispatcher: Dispatcher,
  { store, clock, puzzles, log }: Pick<App, 'store' | 'clock' | 'puzzles' | 'log'>,
): Dispatcher {
  async function look({ where: { tenant, channel, direct } }: Pick<Request, 'where'>): Promise<void> {
    if (direct) return;
    try {
      const now = clock.now();
      if (!(await reactivate(store, { tenant, channel }, now, puzzles.dateAt(now)))) return;
      log.info({ tenant, channel }, 'someone came by: the resting place is tried again');
    } catch (error) {
      log.warn({ tenant, channel, err: error }, 'a resting place could not be woken');
    }
  }

  return {
    ...dispatcher,
    prepare(request) {
      void look(request);
      return dispatcher.prepare(request);
    },
    prepareLine(line, asker) {
      void look(asker);
      return dispatcher.prepareLine(line, asker);
    },
    dispatch(request) {
      void look(request);
      return dispatcher.dispatch(request);
    },
    dispatchLine(line, asker) {
      void look(asker);
      return dispatcher.dispatchLine(line, asker);
    },
  };
}
