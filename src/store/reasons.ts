import * as v from 'valibot';

/**
 * Why a channel is suspended, or why a delivery waits, was given up or was skipped: a code and its data.
 * Sentences are made where a reason is shown.
 */
export type Reason =
  | v.InferOutput<typeof plainReason>
  /** It was too late for the step; `last` is what went wrong with the last attempt. */
  | { readonly code: 'puzzle-over'; readonly last?: Reason }
  /** There is no thread to post the step in; `opening` is why. */
  | { readonly code: 'thread-not-opened'; readonly opening?: Reason };

const plainReason = v.variant('code', [
  /** By name, such as `the permission "Send Messages"`. */
  v.object({ code: v.literal('missing-requirements'), requirements: v.array(v.string()) }),
  /** The platform's own words on what it did with a post, safe to show to who manages the channel. */
  v.object({
    code: v.picklist(['refused', 'removed', 'invalid', 'postponed', 'no-answer']),
    message: v.string(),
  }),
  /** The sentence that people are shown instead of a board. */
  v.object({ code: v.literal('no-puzzle'), message: v.string() }),
  /** Posted in one message with another step. */
  v.object({ code: v.literal('merged'), step: v.string() }),
  v.object({
    code: v.picklist([
      'paused',
      'suspended',
      'switched-off',
      'settings-changed',
      'step-not-wanted',
      'no-thread',
      'thread-too-old',
      'skipped-by-operator',
      'puzzle-not-out',
      'newspaper-late',
      'thread-opening',
      'waits-for-step',
      'unexpected',
      'outcome-unknown',
      'solved',
      'holiday',
      'ignored',
      'undeliverable',
      'board-gone',
      'relay-over',
    ]),
  }),
  /** The text of a column that can't be read. */
  v.object({ code: v.literal('other'), text: v.string() }),
]);

const reasonSchema: v.GenericSchema<Reason> = v.lazy(() =>
  v.variant('code', [
    plainReason,
    v.object({ code: v.literal('puzzle-over'), last: v.optional(reasonSchema) }),
    v.object({ code: v.literal('thread-not-opened'), opening: v.optional(reasonSchema) }),
  ]),
);

/** As a column holds it. Equal reasons make equal text: keys are in the order of the schema. */
export function formatReason(reason: Reason): string {
  return JSON.stringify(v.parse(reasonSchema, reason));
}

/** Reads a column. Text that is no reason is kept as it is, so that no row becomes unreadable by it. */
export function parseReason(stored: string | null): Reason | null {
  if (stored === null) return null;
  try {
    return v.parse(reasonSchema, JSON.parse(stored));
  } catch {
    return { code: 'other', text: stored };
  }
}
