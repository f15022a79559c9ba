import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface Service {
  readonly image?: string;
  /** Without a value, a name takes it from `.env`. */
  readonly environment: Readonly<Record<string, string | null>>;
  readonly env_file?: unknown;
  readonly profiles?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly ports?: readonly string[];
  readonly deploy?: { readonly replicas: number };
}

/** Interpolates values as Compose does: `${A}`, and `${A:-else}` and `${A:+then}`, also nested. */
function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  const innermost = /\$\{(\w+)(?::([-+])([^${}]*))?\}/;
  const found = innermost.exec(text);
  if (found === null) return text;
  const [whole, name = '', operator, word = ''] = found;
  const given = env[name] ?? '';
  const value = operator === '+' ? given && word : given || (operator === '-' ? word : '');
  return interpolate(
    text.replace(whole, () => value),
    env,
  );
}

/** What a process of a service gets, with a `.env`. */
export function environmentOf(
  { environment }: Service,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const values = Object.entries(environment).map(([name, value]): [string, string] => [
    name,
    value === null ? (env[name] ?? '') : interpolate(value, env),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
}

export const COMPOSE: { readonly services: Readonly<Record<string, Service>> } = parse(
  readFileSync('compose.yaml', 'utf8'),
  { merge: true },
);
