/**
 * The vocabulary of the store: rows as plain data, and what can be asked of them. Moments are milliseconds
 * since 1970 and always come from the caller; `unknown` is JSON, parsed by whoever wrote it.
 */

export const DATABASE_ENGINES = ['sqlite', 'postgres'] as const;
export type DatabaseEngine = (typeof DATABASE_ENGINES)[number];

/**
 * Everything that survives a restart. What belongs to a server, a workspace or a person can only be
 * reached through `tenant`; the few queries over all tenants stand under `fleet`, by name.
 *
 * @example await store.tenant('discord:123').places.get('456')
 */
export interface Store {
  readonly engine: DatabaseEngine;
  readonly puzzles: Puzzles;
  readonly fetches: Fetches;
  readonly verdicts: Verdicts;
  readonly actions: Actions;
  readonly events: SeenEvents;
  readonly allTenants: AllTenants;
  /** `door:id`, such as `discord:123`, `slack:T9` or `local:chat`. */
  tenant(tenant: string): TenantStore;
  /** Rejects when the store can't answer: for the readiness page. */
  ping(): Promise<void>;
  /** Writes a whole copy to a new file while others read and write. SQLite only. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** One tenant's share of the store. Nothing in here can see or touch another tenant's rows. */
export interface TenantStore {
  readonly tenant: string;
  readonly subscriptions: Subscriptions;
  readonly deliveries: Deliveries;
  readonly boards: HandBoards;
  readonly hints: Hints;
  readonly results: Results;
  readonly people: People;
  readonly games: Games;
  readonly installation: Installation;
  /** The bot was removed: its places leave `fleet.places` at once, and `fleet.eraseRemoved` comes later. */
  markRemoved(at: number): Promise<void>;
  /** It is back, and its places with it. */
  markPresent(): Promise<void>;
  /** Deletes every row of this tenant. */
  erase(): Promise<void>;
}

/** Puzzles from the newspaper and the house; the installation's, not a tenant's. */
export interface Puzzles {
  get(date: string, source: string): Promise<unknown>;
  /** The first copy of a date and source stays: a puzzle that was shown never changes. */
  keep(puzzle: { date: string; source: string; puzzle: unknown; at: number }): Promise<void>;
  /** The last good copy: the newest of this source that is not after `date`. */
  latest(source: string, date: string): Promise<unknown>;
  /** Dates this installation has seen, oldest first. */
  dates(source: string): Promise<string[]>;
  /** The same dates, each with the moment its puzzle was kept: of days past it may be much later. */
  kept(source: string): Promise<{ date: string; at: number }[]>;
}

/** Attempts to fetch, one entry a key (a puzzle's date, or the site as a whole). */
export interface FetchEntry {
  readonly key: string;
  readonly tries: number;
  readonly lastAttempt: number;
  readonly outcome: string;
  readonly nextAllowed: number;
}

export interface Fetches {
  get(key: string): Promise<FetchEntry | undefined>;
  /**
   * In one step for all processes: when there is no entry, or its `nextAllowed` is not after `now` and its
   * `tries` are below `most`, it becomes one try more, `asking`, closed until `until`, and is returned.
   */
  claim(key: string, now: number, until: number, most: number): Promise<FetchEntry | undefined>;
  note(entry: FetchEntry): Promise<void>;
}

/** What days' own dictionaries taught about words: accepted or not. */
export interface Verdicts {
  /** Of words made of these letters and no others. */
  madeOf(letters: string): Promise<Map<string, boolean>>;
  /** All at once or not at all; of two days that differ, the later one stands. */
  keep(date: string, verdicts: ReadonlyMap<string, boolean>): Promise<void>;
  erase(): Promise<void>;
}

/** Button actions too long for a platform, under a short key. */
export interface Actions {
  get(key: string, now: number): Promise<string | undefined>;
  put(key: string, action: string, expiresAt: number): Promise<void>;
}

/** Markers of events that were taken on, so that a platform's retry is told from a first delivery. */
export interface SeenEvents {
  /** True for the first to mark it. A marker past its time counts as none. */
  mark(key: string, now: number, expiresAt: number): Promise<boolean>;
  has(key: string, now: number): Promise<boolean>;
}

/** `resting`: refused for good and left alone until something changes. `paused`: as its people wish. */
export const SUBSCRIPTION_STATES = ['active', 'paused', 'resting'] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

export interface Subscription {
  readonly tenant: string;
  readonly channel: string;
  readonly settings: unknown;
  /** One more at every save. */
  readonly version: number;
  /** Who saved the settings last, to be told what goes wrong; null when they asked to be forgotten. */
  readonly setBy: string | null;
  readonly setAt: number;
  readonly state: SubscriptionState;
  readonly reason: string | null;
  /** When a pause ends by itself. */
  readonly until: number | null;
  /** When whoever manages the place was told of this state. */
  readonly toldAt: number | null;
}

export interface Subscriptions {
  get(channel: string): Promise<Subscription | undefined>;
  list(): Promise<Subscription[]>;
  /**
   * Saves settings over the version they were read at, 0 for a new place. Undefined when somebody else
   * saved in between: read again and ask again.
   */
  save(
    channel: string,
    settings: unknown,
    change: { version: number; by: string; at: number },
  ): Promise<Subscription | undefined>;
  /** False when there is no such place. A change of state or reason is news, and may be told again. */
  setState(
    channel: string,
    change: { state: SubscriptionState; reason?: string; until?: number },
  ): Promise<boolean>;
  /**
   * A resting place is tried again; true if it rested. Why it rested stays known until `posted`: a place that
   * then refuses for the same reason is no news.
   */
  reactivate(channel: string): Promise<boolean>;
  /** Something was posted there: whatever stops the place next is news. */
  posted(channel: string): Promise<void>;
  /** True for one caller only: the one to tell whoever manages the place of its state. */
  claimNotice(channel: string, at: number): Promise<boolean>;
}

/** `due` → `sending` → `sent`, or given up or skipped with a reason. */
export const DELIVERY_STATES = ['due', 'sending', 'sent', 'given-up', 'skipped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What makes a post one post: there is one row a key, whoever plans it and however often. */
export interface DeliveryKey {
  readonly tenant: string;
  readonly channel: string;
  readonly date: string;
  readonly step: string;
}

export interface NewDelivery extends DeliveryKey {
  readonly dueAt: number;
  /** The more urgent are claimed first; 0 unless told. */
  readonly priority?: number;
  /** What the deliverer needs to know besides, such as steps merged into this one. */
  readonly detail?: unknown;
  /** Written down as skipped, and why, instead of due. */
  readonly skip?: string;
}

export interface Delivery extends DeliveryKey {
  readonly state: DeliveryState;
  readonly dueAt: number;
  /** Nobody takes it on before this moment: the next attempt of one due, the end of the lease of one being sent. */
  readonly nextAt: number;
  readonly priority: number;
  readonly attempts: number;
  /** An attempt ended without an answer: look on the platform before sending again. */
  readonly outcomeUnknown: boolean;
  /** The platform's ids of what was posted, as far as it came. */
  readonly posted: unknown;
  readonly reason: string | null;
  /** When it was sent, given up or skipped. */
  readonly doneAt: number | null;
  readonly detail: unknown;
}

/** The right to work on a delivery. It is lost only by another claim, after `nextAt`. */
export interface Lease extends DeliveryKey {
  readonly owner: string;
  readonly attempt: number;
}

export interface ClaimedDelivery {
  readonly delivery: Delivery;
  readonly lease: Lease;
}

export interface Claim {
  /** Names the process, for people who read the table. */
  readonly owner: string;
  readonly now: number;
  /** End of the lease. */
  readonly until: number;
}

/** Those that take a lease answer false, and do nothing, once another claim has it. */
export interface Deliveries {
  get(channel: string, date: string, step: string): Promise<Delivery | undefined>;
  /** All steps of a place and day, in the order they were due. */
  ofDay(channel: string, date: string): Promise<Delivery[]>;
  /** Takes on one delivery that is ready. */
  claim(channel: string, date: string, step: string, claim: Claim): Promise<ClaimedDelivery | undefined>;
  /** Holds on to it longer; also the last look before sending that it is still ours. */
  renew(lease: Lease, until: number): Promise<boolean>;
  /** Writes down what is posted so far. */
  note(lease: Lease, posted: unknown): Promise<boolean>;
  sent(lease: Lease, posted: unknown, at: number): Promise<boolean>;
  /** To be tried again later. */
  retry(lease: Lease, nextAt: number, outcome: { unknown: boolean; reason: string }): Promise<boolean>;
  giveUp(lease: Lease, reason: string, at: number): Promise<boolean>;
  skip(lease: Lease, reason: string, at: number): Promise<boolean>;
  /** Skips one that nobody is working on, without a lease. */
  skipDue(channel: string, date: string, step: string, reason: string, at: number): Promise<boolean>;
  /** Makes one that was given up or skipped due again, for the operator. */
  revive(channel: string, date: string, step: string, at: number): Promise<boolean>;
}

/** A board typed by a person, for one place. */
export interface HandBoard {
  readonly channel: string;
  readonly date: string;
  readonly puzzle: unknown;
  /** Null when they asked to be forgotten. */
  readonly typedBy: string | null;
  readonly typedAt: number;
}

export interface HandBoards {
  get(channel: string, date: string): Promise<HandBoard | undefined>;
  /** Replaces an earlier one, and makes a disagreement with it news again. */
  put(board: HandBoard): Promise<void>;
  /** True for one caller only: the one to report that a fetched board disagrees. */
  claimReport(channel: string, date: string): Promise<boolean>;
}

/** Hint steps a person has seen of a puzzle: its date, or a key of the board. */
export interface Hints {
  seen(person: string, puzzle: string): Promise<string[]>;
  see(person: string, puzzle: string, step: string, at: number): Promise<void>;
}

export interface Result {
  readonly person: string;
  readonly channel: string;
  readonly date: string;
  readonly words: number;
  readonly letters: number;
  readonly hints: number;
  readonly solvedAt: number;
  /** Null when it was solved after its day was over: such a one counts for no streak and no leaderboard. */
  readonly sinceOpening: number | null;
  /** Of each word; the words themselves are not kept. */
  readonly lengths: readonly number[];
  readonly path?: AnonymizedPath;
}

/**
 * The way across a board that a solution took, with the sides and the letters of each side shuffled, so
 * that no word can be read from it: the picture of a shared result.
 */
export interface AnonymizedPath {
  /** Letters of each side. */
  readonly sides: readonly number[];
  /** The spots of each word. */
  readonly words: readonly (readonly number[])[];
}

export interface Results {
  get(person: string, channel: string, date: string): Promise<Result | undefined>;
  /** Keeps the better one: fewer words, then fewer letters, then fewer hints, then the earlier. True if it is this. */
  record(result: Result): Promise<boolean>;
  /** Both dates included. `hidden`: the person stays off the board. */
  ofChannel(channel: string, from: string, to: string): Promise<(Result & { readonly hidden: boolean })[]>;
  ofPerson(person: string): Promise<Result[]>;
  /**
   * Sums over the results of a place, a person each, of those who are on the board; both dates included.
   * What was solved after its day is left out.
   */
  sums(channel: string, from: string, to: string): Promise<ResultSums[]>;
}

export interface ResultSums {
  readonly person: string;
  readonly days: number;
  readonly words: number;
  readonly letters: number;
  readonly hints: number;
  readonly solvedAt: number;
}

export interface People {
  isHidden(person: string): Promise<boolean>;
  setHidden(person: string, hidden: boolean): Promise<void>;
  /** All that is stored about them here; undefined if there is nothing. */
  export(person: string): Promise<PersonExport | undefined>;
  erase(person: string): Promise<void>;
}

export interface PersonExport {
  readonly tenant: string;
  readonly hidden: boolean;
  readonly hints: readonly { readonly puzzle: string; readonly step: string; readonly at: number }[];
  readonly results: readonly Result[];
  readonly boards: readonly Omit<HandBoard, 'typedBy'>[];
  readonly settings: readonly { readonly channel: string; readonly at: number }[];
  readonly games: readonly { readonly thread: string; readonly state: unknown }[];
}

/** A game played together, one a thread. */
export interface Game {
  readonly thread: string;
  readonly state: unknown;
  readonly version: number;
  /** Who has played in it, so that they can be forgotten. */
  readonly people: readonly string[];
  readonly expiresAt: number;
}

export interface Games {
  get(thread: string, now: number): Promise<Game | undefined>;
  /** Saves over the version that was read, 0 for a new game; undefined when somebody else was faster. */
  save(
    thread: string,
    change: Pick<Game, 'state' | 'version' | 'people' | 'expiresAt'> & { readonly now: number },
  ): Promise<Game | undefined>;
  end(thread: string): Promise<void>;
}

/** What a platform gave us when it was installed, sealed by the door before it comes here. */
export interface Installation {
  get(): Promise<string | undefined>;
  put(sealed: string, at: number): Promise<void>;
  /**
   * The platform took it back: forgets it and marks the tenant as removed, both or neither. False when something
   * else was put there meanwhile, or nothing is there any more.
   */
  lose(sealed: string, at: number): Promise<boolean>;
}

/** The only queries over all tenants. */
export interface AllTenants {
  /** All places but those of removed tenants. */
  subscriptions(states?: readonly SubscriptionState[]): Promise<Subscription[]>;
  /** Writes down what is due. Rows that are there already stay as they are; the keys of new ones come back. */
  plan(deliveries: readonly NewDelivery[]): Promise<DeliveryKey[]>;
  /** Takes on deliveries of one door that are ready, or whose lease has run out: most urgent first, then longest ready. */
  claim(door: string, limit: number, claim: Claim): Promise<ClaimedDelivery[]>;
  /** What was planned for a date, and how far it is. */
  steps(date: string): Promise<(DeliveryKey & { readonly state: DeliveryState })[]>;
  /** Unfinished deliveries of each door, and when the oldest was due. */
  backlog(): Promise<{ door: string; waiting: number; oldestDueAt: number }[]>;
  installations(door: string): Promise<{ tenant: string; sealed: string }[]>;
  /** Every tenant of a door of whom anything is kept, and whether it counts as removed. */
  tenants(door: string): Promise<{ tenant: string; removed: boolean }[]>;
  /** Erases tenants removed at or before a moment, and names them. */
  eraseRemoved(before: number): Promise<string[]>;
  /** All that is stored about a person at a door, by tenant. */
  exportPerson(door: string, person: string): Promise<PersonExport[]>;
  /**
   * The hints that a person has seen at a door: those of a day's puzzle, and those of typed boards whose key
   * has this length. Boards that play the same have different keys of one length.
   */
  seenHints(
    door: string,
    person: string,
    date: string,
    boardKeyLength: number,
  ): Promise<{ puzzle: string; step: string }[]>;
  /** Whether a person stays off the leaderboards of any tenant of a door. */
  isHidden(door: string, person: string): Promise<boolean>;
  erasePerson(door: string, person: string): Promise<void>;
  /** Deletes what is past its time: actions, events, games, and finished deliveries of days before `date`. */
  sweep(now: number, date: string): Promise<void>;
}
