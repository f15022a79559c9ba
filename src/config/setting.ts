import type { Kind } from './kinds.ts';

/** One environment variable. Its only declaration: fields, types, `.env.example` and messages follow from it. */
export interface Setting<Value = unknown> {
  readonly name: string;
  /** What the program calls it: its field among those of its chapter. */
  readonly field: string;
  readonly kind: Kind<Value>;
  /** What it is for, in whole sentences. */
  readonly about: string;
  /** As it would be written in the environment. */
  readonly default?: string;
  /** Shown where there is no default to show. */
  readonly example?: string;
  /** Never shown, not even in messages about it. */
  readonly secret?: true;
}

export interface Chapter {
  readonly title: string;
  readonly settings: readonly Setting[];
}
