import type { ArgumentRule } from '../arguments.ts';
import type { TIERS } from '../pace.ts';
import type { Call } from '../slack.ts';
import type { Json } from '../world.ts';

/** A Web API method as documented: its token, its scopes, its arguments, and what it does. */
export interface Method {
  readonly token: 'bot' | 'app' | 'none';
  /** Held in any case; those that depend on the channel are checked by the method. */
  readonly scopes: readonly string[];
  readonly tier?: keyof typeof TIERS;
  readonly args: Record<string, ArgumentRule>;
  run(call: Call): Json;
}

export const TEXT: ArgumentRule = { kind: 'text' };
export const NEEDED: ArgumentRule = { kind: 'text', required: true };
export const FLAG: ArgumentRule = { kind: 'flag' };
export const WHOLE: ArgumentRule = { kind: 'whole' };
export const JSON_VALUE: ArgumentRule = { kind: 'json' };
