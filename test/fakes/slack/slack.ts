import type { BrokenAssumptions } from './broken.ts';
import type { Faults } from './faults.ts';
import type { FakeApp } from './manifest.ts';
import type { Pace } from './pace.ts';
import type { ResponseUrls } from './response-urls.ts';
import type { Grant, Tokens } from './tokens.ts';
import type { Triggers } from './triggers.ts';
import type { Json, Message, View, Workspace, World } from './world.ts';

/** What the methods and the people share: one Slack, with one app on it. */
export interface Slack {
  readonly world: World;
  readonly app: FakeApp;
  readonly tokens: Tokens;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly pace: Pace;
  readonly faults: Faults;
  /** What doors assume about Slack, and this fake does not keep. */
  readonly broken: BrokenAssumptions;
  readonly codes: Map<
    string,
    { workspace: string; user: string; scopes: readonly string[]; redirect: string }
  >;
  /** Milliseconds until an uploaded file can be shown. */
  readonly fileDelay: number;
  /** Whether posts to response URLs may show files. */
  readonly urlsShowFiles: boolean;
  readonly elapsed: () => number;
  /** Where it listens, such as `http://127.0.0.1:4000`. */
  base: string;
  /** Called for everything that is shown to people. */
  readonly watchers: Set<Watcher>;
}

/** Something was shown. `cause` is the trigger or response URL that it came by, where there is one. */
export interface Sight {
  readonly workspace: string;
  readonly message?: Message;
  readonly view?: View;
  readonly viewer?: string;
  readonly cause?: string;
}
export type Watcher = (sight: Sight) => void;

export function show(slack: Slack, sight: Sight): void {
  for (const watch of slack.watchers) watch(sight);
}

/** A call of a method, its token and its arguments checked. */
export interface Call {
  readonly slack: Slack;
  readonly workspace: Workspace;
  readonly grant: Grant;
  readonly args: Json;
}
