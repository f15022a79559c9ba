import type { Kysely } from 'kysely';
import * as v from 'valibot';
import type { PuzzleDate } from '../core/clock.ts';

export type DatabaseEngine = 'sqlite' | 'postgres';

/** `suspended`: the platform refused, so nothing is posted until something changes. `paused`: people have paused it. */
export const SUBSCRIPTION_STATES = ['active', 'off', 'paused', 'suspended'] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** `due` → `sending` → `sent`, or given up or skipped with a reason. */
export const DELIVERY_STATES = ['due', 'sending', 'sent', 'given-up', 'skipped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** `ignored`: too many in a row without a game. `undeliverable`: the person takes no messages from the bot. */
export type ReminderState = 'on' | 'ignored' | 'undeliverable';

/** Every query is written for this type. Columns are snake_case in the database; Kysely's plugin translates. */
export type Db = Kysely<Database>;

/** JSON is text, moments are whole milliseconds, flags are 0 or 1: the same in both engines. */
type Flag = 0 | 1;

export interface Database {
  puzzle: { date: PuzzleDate; source: string; puzzle: string; keptAt: number };
  fetchLog: { key: string; tries: number; lastAttempt: number; outcome: string; nextAllowed: number };
  /** `letters` has a bit for each letter of the word. */
  verdict: { word: string; letters: number; accepted: Flag; date: PuzzleDate };
  /** `owner` is null for actions of the bot's own posts. */
  action: { key: string; action: string; expiresAt: number; owner: string | null };
  processedEvent: { key: string; expiresAt: number };

  removedTenant: { tenant: string; removedAt: number };
  /** Workspaces on Slack only: a person has the same id in all workspaces of an organization. */
  organization: { tenant: string; id: string };
  installation: { tenant: string; encrypted: string; at: number };
  subscription: {
    tenant: string;
    channel: string;
    settings: string;
    version: number;
    setBy: string | null;
    setAt: number;
    since: number;
    state: SubscriptionState;
    reason: string | null;
    until: number | null;
    notifiedAt: number | null;
    planAt: number | null;
    plannedAt: number;
  };
  delivery: DeliveryTable;
  handBoard: {
    tenant: string;
    channel: string;
    date: PuzzleDate;
    puzzle: string;
    typedBy: string | null;
    typedAt: number;
    reported: Flag;
  };
  /** `card`: the card that showed the hint, as an index of `CARDS`. */
  hint: { tenant: string; person: string; puzzle: string; step: string; at: number; card: number };
  /** `board`: see `boardKey`. `replaced`: the day has another board in its channel now. */
  result: {
    tenant: string;
    person: string;
    channel: string;
    date: PuzzleDate;
    board: string;
    replaced: Flag;
    words: number;
    letters: number;
    hints: number;
    solvedAt: number;
    sinceOpening: number | null;
    path: string | null;
    reported: Flag;
    afterSolution: Flag;
    message: string | null;
    solution: string | null;
  };
  /** `listed`: agreed to be named by `missing`. */
  person: { tenant: string; person: string; hidden: Flag; listed: Flag };
  /** When a person is reminded each day. */
  reminder: {
    tenant: string;
    person: string;
    /** Where it was set; it is about this channel's board. */
    channel: string;
    /** `HH:MM` in the zone. */
    at: string;
    zone: string;
    setAt: number;
    /** The next planned moment. */
    nextAt: number;
    /** Why it ended, if it did: `ignored` or `undeliverable`. */
    state: ReminderState;
  };
  /** The solutions that can be found on a board, fixed once somebody has found one. */
  hunt: { board: string; solutions: string; madeAt: number };
  /** A solution that somebody found in a channel. `solution`: its words, separated by spaces. */
  find: {
    tenant: string;
    channel: string;
    board: string;
    solution: string;
    person: string;
    foundAt: number;
  };
  game: { tenant: string; thread: string; state: string; version: number; expiresAt: number };
  gamePerson: { tenant: string; thread: string; person: string };
  soloGame: {
    tenant: string;
    person: string;
    board: string;
    channel: string | null;
    state: string;
    version: number;
    playedAt: number;
    expiresAt: number;
  };
  madeBoard: {
    tenant: string;
    channel: string;
    board: string;
    sides: string;
    name: string;
    note: string | null;
    appraisal: string;
    madeBy: string | null;
    madeAt: number;
    closedAt: number | null;
    expiresAt: number;
    posted: string | null;
    thread: string | null;
  };
  madeBoardResult: {
    tenant: string;
    channel: string;
    board: string;
    person: string;
    words: number;
    letters: number;
    hints: number;
    solvedAt: number;
    afterSolution: Flag;
  };

  /** One row for the store itself, see `restoredUntil`, and one for the rules that channels were planned by. */
  fingerprint: { key: string; value: string | null; restoredUntil: number | null };
  application: { door: string; id: string };
  /** One row, written by readiness checks. */
  probe: { key: string; written: number };
  /** `endsAt`: microseconds since 1970, by the database's clock. */
  pace: { line: string; endsAt: number };
}

export interface DeliveryTable {
  tenant: string;
  channel: string;
  date: PuzzleDate;
  step: string;
  /** The tenant's door, repeated for the index that claims use. */
  door: string;
  state: DeliveryState;
  dueAt: number;
  nextAt: number;
  priority: number;
  attempts: number;
  owner: string | null;
  outcomeUnknown: Flag;
  posted: string | null;
  reason: string | null;
  doneAt: number | null;
  detail: string | null;
}

/** Tables that belong to tenants. `satisfies` keeps the list complete: a table left out does not compile. */
export type TenantTable = {
  [T in keyof Database]: Database[T] extends { tenant: string } ? T : never;
}[keyof Database];

const TENANT_TABLE_NAMES = {
  removedTenant: true,
  organization: true,
  installation: true,
  subscription: true,
  delivery: true,
  handBoard: true,
  hint: true,
  result: true,
  person: true,
  reminder: true,
  find: true,
  game: true,
  gamePerson: true,
  soloGame: true,
  madeBoard: true,
  madeBoardResult: true,
} satisfies Record<TenantTable, true>;

export const TENANT_TABLES = Object.keys(TENANT_TABLE_NAMES) as TenantTable[];

/**
 * Why a channel is suspended, or why a delivery waits, was given up or was skipped: a code and its data. Sentences are made
 * where a reason is shown.
 */
export type Reason =
  | v.InferOutput<typeof plainReason>
  /** It was too late for the step; `last` is the reason why the last attempt failed. */
  | { readonly code: 'puzzle-over'; readonly last?: Reason }
  /** There is no thread for the step; `opening` is the reason. */
  | { readonly code: 'thread-not-opened'; readonly opening?: Reason };

const plainReason = v.variant('code', [
  /** The requirement's name, such as `the permission "Send Messages"`. */
  v.object({ code: v.literal('missing-requirements'), requirements: v.array(v.string()) }),
  /** The platform's own words about a post, which are safe to show to the manager of the channel. */
  v.object({
    code: v.picklist(['refused', 'removed', 'invalid', 'postponed', 'no-answer']),
    message: v.string(),
  }),
  /** The sentence that people see instead of a board. */
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

/** The text of a column. Equal reasons give equal texts: keys are in the order of the schema. */
export function formatReason(reason: Reason): string {
  return JSON.stringify(v.parse(reasonSchema, reason));
}

/** Reads a column. Text that is no reason is kept as it is, so that every row stays readable. */
export function parseReason(stored: string | null): Reason | null {
  if (stored === null) return null;
  try {
    return v.parse(reasonSchema, JSON.parse(stored));
  } catch {
    return { code: 'other', text: stored };
  }
}
