import type { Kysely } from 'kysely';
import * as v from 'valibot';
import type { PuzzleDate } from '../core/clock.ts';

export type DatabaseEngine = 'sqlite' | 'postgres';

/** `suspended`: the platform refused, so nothing is posted until something changes. `paused`: people have paused it. */
export type SubscriptionState = 'active' | 'off' | 'paused' | 'suspended';

/**
 * `due` → `sending` → `sent`, or given up or skipped with a reason. A channel's day is due again for each of its posts, and
 * `waiting` while only a change can make something due.
 */
type DeliveryState = 'due' | 'sending' | 'waiting' | 'sent' | 'given-up' | 'skipped';

/** Every query is written for this type. Columns are snake_case in the database; Kysely's plugin translates. */
export type Db = Kysely<Database>;

/** JSON is text, moments are whole milliseconds, flags are 0 or 1: the same in both engines. */
type Flag = 0 | 1;

export interface Database {
  puzzle: { date: PuzzleDate; source: string; puzzle: string; keptAt: number };
  fetchLog: { key: string; tries: number; lastAttempt: number; outcome: string; nextAllowed: number };
  /** `letters` has a bit for each letter of the word. */
  verdict: { word: string; letters: number; accepted: Flag; date: PuzzleDate };
  /** Texts under a key, mostly actions of buttons that are too long for a platform. The bot's own have no owner. */
  action: { key: string; action: string; expiresAt: number; owner: string | null };
  processedEvent: { key: string; expiresAt: number };

  removedTenant: { tenant: string; removedAt: number };
  /** Workspaces on Slack only: a person has the same id in all workspaces of an organization. */
  organization: { tenant: string; id: string };
  installation: { tenant: string; encrypted: string };
  subscription: {
    tenant: string;
    channel: string;
    settings: string;
    /** Incremented by every save. */
    version: number;
    /** The person who saved the settings last, and is notified when posting fails; null if they asked to be forgotten. */
    setBy: string | null;
    setAt: number;
    /** When it was last switched on. */
    since: number;
    state: SubscriptionState;
    /** Why it is suspended; kept after it is active again, until something was posted. */
    reason: string | null;
    /** When a pause or a suspension ends by itself; null if somebody has to end it. */
    until: number | null;
    /** When the person who manages the channel was notified of this state. */
    notifiedAt: number | null;
    /** When the planner looks at it next: 0 for at once, null for never, such as where it is off and no thread is open. */
    planAt: number | null;
  };
  /** What happens at a time: a channel's day (the kind `DAY`), a person's reminder, or one post of another kind. */
  delivery: {
    tenant: string;
    channel: string;
    date: PuzzleDate;
    kind: string;
    /** The tenant's door, repeated for the index that claims use. */
    door: string;
    state: DeliveryState;
    /** When its next post was due first. */
    dueAt: number;
    /** Nobody claims it before this moment: the next attempt of a due one, or the end of the lease of one being sent. */
    nextAt: number;
    priority: number;
    /** Each claim adds one, so a lease matches only its own claim. */
    claims: number;
    /** Attempts at its next post that failed. */
    failures: number;
    /** The process that works on it; null while it waits and when it is over. */
    owner: string | null;
    /** A post was begun and has no end yet: look on the platform before sending it again. */
    begun: Flag;
    /** Something changed while a process worked on it, so the next moment has to be found again. */
    woken: Flag;
    /** Days only: when the thread opens, and when it was opened. */
    opensAt: number | null;
    openedAt: number | null;
    /** JSON of what was posted so far, and of what later posts need. */
    record: string | null;
    reason: string | null;
    /** When it was sent, given up or skipped. */
    doneAt: number | null;
    /** JSON of what it is about, such as a reminder's person and time; null for days. */
    detail: string | null;
  };
  handBoard: {
    tenant: string;
    channel: string;
    date: PuzzleDate;
    puzzle: string;
    /** Null when they asked to be forgotten. */
    typedBy: string | null;
    typedAt: number;
    /** Whether people were told that the newspaper's board is another one. */
    reported: Flag;
  };
  /** `card`: the card that showed the hint, as an index of `CARDS`. */
  hint: { tenant: string; person: string; puzzle: string; step: string; at: number; card: number };
  /**
   * `board`: see `boardKey`. `replaced`: the day has another board in its channel now. `late`: it came to its channel after
   * the day was closed there.
   */
  result: {
    tenant: string;
    person: string;
    channel: string;
    date: PuzzleDate;
    board: string;
    replaced: Flag;
    late: Flag;
    words: number;
    /** 0 if a reported result does not say how many. */
    letters: number;
    hints: number;
    solvedAt: number;
    /** Milliseconds. Null if the board was solved after its day: such a result counts for no streak and no leaderboard. */
    sinceOpening: number | null;
    /** An `AnonymizedPath`, as JSON. */
    path: string | null;
    /** Read from a message that tells a result, instead of played here. */
    reported: Flag;
    /** Solved after a solution was shown to this person. */
    afterSolution: Flag;
    /** The message that the result was read from. */
    message: string | null;
    solution: string | null;
  };
  /**
   * `listed`: agreed to be named by `missing`. `calm`: wants no streaks, ranks, reminders or comparison. `inSummaries`: agreed
   * that results are taken from what another game's app posts.
   */
  person: {
    tenant: string;
    person: string;
    hidden: Flag;
    listed: Flag;
    calm: Flag;
    inSummaries: Flag;
  };
  /** Of other daily games, such as Wordle. `score`: fewer are better. */
  otherResult: {
    tenant: string;
    person: string;
    channel: string;
    game: string;
    date: PuzzleDate;
    score: number;
    at: number;
  };
  /** Whether a person agreed to be compared with another. `other`: a checksum of that person's id. */
  comparison: { tenant: string; person: string; other: string; agreed: Flag; at: number };
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
  /** A relay or a race, of which `thread` is the key. Games of one person are in `soloGame`. */
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
    /** Equal for boards that play the same; a channel has each of them once. */
    board: string;
    /** As typed, with hyphens. */
    sides: string;
    name: string;
    /** The maker's note to the people who have solved it. */
    note: string | null;
    /** Its fewest words, difficulty and par, as JSON. */
    appraisal: string;
    /** Null when they asked to be forgotten. */
    madeBy: string | null;
    madeAt: number;
    closedAt: number | null;
    expiresAt: number;
    /** The platform's ids of its message, if it was posted. */
    posted: string | null;
    /** The thread's id in requests from there. */
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

  /** One row for the store itself, see `RestoreDetector`, and one for the rules that channels were planned by. */
  fingerprint: { key: string; value: string | null; restoredUntil: number | null };
  application: { door: string; id: string };
  /** One row, written by readiness checks. */
  probe: { key: string; written: number };
  /** A line of requests, and when its last place ends: microseconds since 1970, by the database's clock. */
  pace: { line: string; endsAt: number };
}

export type TenantTable = {
  [T in keyof Database]: Database[T] extends { tenant: string } ? T : never;
}[keyof Database];

/** The primary key of each tenant's table, after the tenant. `satisfies` keeps the list complete. */
export const TENANT_KEYS = {
  removedTenant: [],
  organization: [],
  installation: [],
  subscription: ['channel'],
  delivery: ['channel', 'date', 'kind'],
  handBoard: ['channel', 'date'],
  hint: ['person', 'puzzle', 'step'],
  result: ['person', 'channel', 'date', 'board'],
  person: ['person'],
  comparison: ['person', 'other'],
  otherResult: ['person', 'channel', 'game', 'date'],
  find: ['channel', 'board', 'solution', 'person'],
  game: ['thread'],
  gamePerson: ['thread', 'person'],
  soloGame: ['person', 'board'],
  madeBoard: ['channel', 'board'],
  madeBoardResult: ['channel', 'board', 'person'],
} as const satisfies { [T in TenantTable]: readonly (keyof Database[T])[] };

export const TENANT_TABLES = Object.keys(TENANT_KEYS) as TenantTable[];

/**
 * Why a channel is suspended, or why a delivery waits, was given up or was skipped: a code and its data. Sentences are made
 * where a reason is shown.
 */
export type Reason =
  | v.InferOutput<typeof plainReason>
  /** It was too late for the step; `last` is the reason why the last attempt failed. */
  | { readonly code: 'puzzle-over'; readonly last?: Reason };

const plainReason = v.variant('code', [
  /** The requirement's name, such as `the permission "Send Messages"`. */
  v.object({ code: v.literal('missing-requirements'), requirements: v.array(v.string()) }),
  /** The platform's own words about a post, which are safe to show to the manager of the channel. */
  v.object({
    code: v.picklist(['refused', 'removed', 'closed', 'invalid', 'postponed', 'no-answer']),
    message: v.string(),
  }),
  /** The sentence that people see instead of a board. */
  v.object({ code: v.literal('no-puzzle'), message: v.string() }),
  v.object({
    code: v.picklist([
      'paused',
      'suspended',
      'switched-off',
      'settings-changed',
      'solution-told',
      'thread-too-old',
      'skipped-by-operator',
      'newspaper-late',
      'unexpected',
      'outcome-unknown',
      'solved',
      'ignored',
      'undeliverable',
      'board-gone',
      'game-over',
    ]),
  }),
  /** The text of a column that can't be read. */
  v.object({ code: v.literal('other'), text: v.string() }),
]);

export const reasonSchema: v.GenericSchema<Reason> = v.lazy(() =>
  v.variant('code', [
    plainReason,
    v.object({ code: v.literal('puzzle-over'), last: v.optional(reasonSchema) }),
  ]),
);
