import { type ChannelRef, channelKey } from '../../core/channel-ref.ts';
import type { DeliveryState } from '../../store/schema.ts';
import type { StepState } from '../../store/tables/all-deliveries.ts';
import type { PlanQuestion } from './plan.ts';

/** How far the steps of days are in channels, as plans ask for it. */
export class StepStates {
  readonly #steps = new Map<string, Pick<StepState, 'state' | 'doneAt'>>();

  get size(): number {
    return this.#steps.size;
  }

  set({ state, doneAt, ...key }: StepState): void {
    this.#steps.set(channelKey(key, key.date, key.step), { state, doneAt });
  }

  stateOf(channel: ChannelRef, date: string, step: string): DeliveryState | undefined {
    return this.#steps.get(channelKey(channel, date, step))?.state;
  }

  /** When the day's thread was opened; undefined before that. */
  openedAt(channel: ChannelRef, date: string): number | undefined {
    const opening = this.#steps.get(channelKey(channel, date, 'opening'));
    return opening?.state === 'sent' ? (opening.doneAt ?? undefined) : undefined;
  }

  /** The same for one channel. */
  in(channel: ChannelRef): Pick<PlanQuestion, 'stateOf' | 'openedAt'> {
    return {
      stateOf: (date, step) => this.stateOf(channel, date, step),
      openedAt: (date) => this.openedAt(channel, date),
    };
  }
}
