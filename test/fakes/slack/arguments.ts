import { refuseFor } from './refusal.ts';
import type { Json } from './world.ts';

/** What an argument must be. `json` may come as JSON text in a form, or as itself in a JSON body. */
export type ArgumentKind = 'text' | 'whole' | 'flag' | 'json';

export interface ArgumentRule {
  readonly kind: ArgumentKind;
  readonly required?: boolean;
}

/** Sent by every client with every call. */
const EVERYWHERE: Record<string, ArgumentRule> = { token: { kind: 'text' }, team_id: { kind: 'text' } };

/**
 * Checks arguments against their rules and reads those that came as text. Unlike Slack, which overlooks
 * an argument it does not know, this refuses it: a misspelt one would be lost in silence.
 */
export function checkArguments(given: Json, rules: Record<string, ArgumentRule>): Json {
  const problems: string[] = [];
  const read: Json = {};
  for (const [name, value] of Object.entries(given)) {
    const rule = rules[name] ?? EVERYWHERE[name];
    if (rule === undefined) {
      problems.push(`unknown argument [argument:${name}]`);
      continue;
    }
    const parsed = parseArgument(rule.kind, value);
    if (parsed === undefined) problems.push(`must be ${rule.kind} [argument:${name}]`);
    else read[name] = parsed;
  }
  for (const [name, rule] of Object.entries(rules)) {
    if (rule.required && (given[name] === undefined || given[name] === '')) {
      problems.push(`missing required field: ${name}`);
    }
  }
  if (problems.length > 0) throw refuseFor('invalid_arguments', problems);
  return read;
}

function parseArgument(kind: ArgumentKind, value: unknown): unknown {
  switch (kind) {
    case 'text':
      return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
    case 'whole':
      return /^\d+$/.test(String(value)) ? Number(value) : undefined;
    case 'flag':
      return typeof value === 'boolean'
        ? value
        : /^(true|1)$/.test(String(value))
          ? true
          : /^(false|0)$/.test(String(value))
            ? false
            : undefined;
    case 'json':
      if (typeof value === 'object' && value !== null) return value;
      try {
        return JSON.parse(String(value)) ?? undefined;
      } catch {
        return undefined;
      }
  }
}
