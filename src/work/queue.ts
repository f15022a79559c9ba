import { LRUCache } from 'lru-cache';
import type { Clock } from '../core/clock.ts';
import { atMost } from '../core/concurrency.ts';
import type { JobAsker, WorkSettings } from './job.ts';

/** The person of the bot's own jobs for a channel. */
const BOT_PERSON = '';

/**
 * Jobs that wait for a worker. Channels take turns, and so do the people of a channel, so that many jobs of one person delay
 * anybody else's by one job at most. When the queue is full, the channel with the most jobs gives one up for another channel.
 */
export class FairQueue<Task extends { readonly asker: JobAsker }> {
  /** Channels in the order of their turns: a channel moves to the end after its turn, and so does a person in it. */
  readonly #channels = new Map<string, Map<string, Task[]>>();
  readonly #bounds: WorkSettings['queue'];
  #size = 0;

  constructor(bounds: WorkSettings['queue']) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#size;
  }

  get channels(): number {
    return this.#channels.size;
  }

  get isFull(): boolean {
    return this.#size >= this.#bounds.total;
  }

  /** The share that one more job would exceed, if any. */
  exceededBy({ channel, person }: JobAsker): 'person' | 'channel' | undefined {
    if (person !== undefined && this.ofPerson(person) >= this.#bounds.person) return 'person';
    return this.ofChannel(channel) >= this.#bounds.channel ? 'channel' : undefined;
  }

  ofChannel(channel: string): number {
    let count = 0;
    for (const tasks of this.#channels.get(channel)?.values() ?? []) count += tasks.length;
    return count;
  }

  ofPerson(person: string): number {
    let count = 0;
    for (const people of this.#channels.values()) count += people.get(person)?.length ?? 0;
    return count;
  }

  add(task: Task): void {
    const { channel, person = BOT_PERSON } = task.asker;
    const people = this.#channels.get(channel) ?? new Map<string, Task[]>();
    this.#channels.set(channel, people);
    const tasks = people.get(person) ?? [];
    people.set(person, tasks);
    tasks.push(task);
    this.#size++;
  }

  /**
   * The task that is dropped for a new one of this channel when the queue is full: the last one of the busiest person in the
   * channel with the most tasks of people. Undefined if none has at least two more than this one: with one more, they would only change places.
   */
  displacedBy({ channel }: JobAsker): Task | undefined {
    let most = this.ofChannel(channel) + 1;
    let displaced: Task | undefined;
    for (const people of this.#channels.values()) {
      const lists = [...people].flatMap(([person, tasks]) => (person === BOT_PERSON ? [] : [tasks]));
      const count = lists.reduce((sum, { length }) => sum + length, 0);
      if (count <= most) continue;
      most = count;
      displaced = lists.reduce((one, other) => (other.length >= one.length ? other : one)).at(-1);
    }
    return displaced;
  }

  /** Removes a task from the queue; false if it no longer waits. */
  remove(task: Task): boolean {
    const { channel, person = BOT_PERSON } = task.asker;
    const people = this.#channels.get(channel);
    const tasks = people?.get(person) ?? [];
    const at = tasks.indexOf(task);
    if (people === undefined || at < 0) return false;
    tasks.splice(at, 1);
    this.#size--;
    if (tasks.length === 0) people.delete(person);
    if (people.size === 0) this.#channels.delete(channel);
    return true;
  }

  /** Whether `take` would find a task. */
  has(mayRun: (task: Task) => boolean): boolean {
    return this.#find(mayRun) !== undefined;
  }

  /** The next task in turn that may run. */
  take(mayRun: (task: Task) => boolean = () => true): Task | undefined {
    const found = this.#find(mayRun);
    if (found === undefined) return undefined;
    const { channel, person, people, tasks } = found;
    const task = tasks.shift();
    this.#size--;
    people.delete(person);
    if (tasks.length > 0) people.set(person, tasks);
    this.#channels.delete(channel);
    if (people.size > 0) this.#channels.set(channel, people);
    return task;
  }

  #find(mayRun: (task: Task) => boolean) {
    for (const [channel, people] of this.#channels) {
      for (const [person, tasks] of people) {
        if (mayRun(tasks[0]!)) return { channel, person, people, tasks };
      }
    }
    return undefined;
  }
}

/**
 * A token bucket for each person. The time that a job takes is known only afterwards, so the last job may overdraw the
 * budget, which has to be refilled first.
 */
export class Budget {
  readonly #bounds: WorkSettings['budget'];
  readonly #clock: Clock;
  /** Milliseconds left at a moment; negative after a job that took more than was left. */
  readonly #buckets: LRUCache<string, { readonly left: number; readonly at: number }>;

  constructor(bounds: WorkSettings['budget'], clock: Clock) {
    this.#bounds = bounds;
    this.#clock = clock;
    this.#buckets = new LRUCache(atMost(bounds.people));
  }

  /** Milliseconds until another job of this person may start; 0 for now. */
  waitOf(person: string): number {
    const { milliseconds, window } = this.#bounds;
    const left = this.#left(person);
    // A job may start as soon as there is anything left.
    return left > 0 ? 0 : Math.max(1, Math.round((-left * window) / milliseconds));
  }

  charge(person: string, milliseconds: number): void {
    this.#buckets.set(person, { left: this.#left(person) - milliseconds, at: this.#clock.now() });
  }

  #left(person: string): number {
    const { milliseconds, window } = this.#bounds;
    const bucket = this.#buckets.get(person);
    if (bucket === undefined) return milliseconds;
    // A clock that was set back refills nothing.
    const elapsed = Math.max(0, this.#clock.now() - bucket.at);
    return Math.min(milliseconds, bucket.left + (elapsed * milliseconds) / window);
  }
}
