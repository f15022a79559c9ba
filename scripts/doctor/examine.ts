import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../../src/core/clock.ts';
import type { Assumption } from './assumptions.ts';

/** Why a check could not be made, and what would make it possible. */
export class NotTried extends Error {}
/** The platform does not do what was assumed. */
export class Broken extends Error {}

interface Finding {
  readonly name: string;
  readonly result: 'ok' | 'broken' | 'not tried';
  readonly detail?: string;
}

/** Things that a check made on the platform. They are removed at the end, the newest first. */
export class Cleanup {
  readonly #steps: { what: string; remove: () => Promise<unknown> }[] = [];

  add(what: string, remove: () => Promise<unknown>): void {
    this.#steps.push({ what, remove });
  }

  /** What could not be removed, and why. */
  async run(): Promise<string[]> {
    const left: string[] = [];
    for (const { what, remove } of this.#steps.toReversed()) {
      await remove().catch((error: unknown) => left.push(`${what}: ${messageOf(error)}`));
    }
    return left;
  }
}

export interface Examination {
  readonly findings: readonly Finding[];
  /** What is left on the platform. */
  readonly left: readonly string[];
}

/** Attempts at a check that fails by an outage or a limit, as the bot makes them, and milliseconds between them. */
const MAX_ATTEMPTS = 3;
const RETRY_PAUSE_MS = 2 * SECOND;

interface Patience {
  /** Whether an error says nothing about the assumption, and may end by itself. */
  readonly mayPass: (error: unknown) => boolean;
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/** Tries each assumption in the order of the list. One that fails does not keep the others from being tried. */
export async function examine<Name extends string>(
  assumptions: Readonly<Record<Name, Assumption>>,
  checks: Readonly<Record<Name, () => Promise<void>>>,
  cleanup: Cleanup,
  patience: Patience,
): Promise<Examination> {
  const findings: Finding[] = [];
  for (const name of Object.keys(assumptions) as Name[])
    findings.push(await tryOne(name, () => checks[name](), patience));
  return { findings, left: await cleanup.run() };
}

async function tryOne(
  name: string,
  check: () => Promise<void>,
  { mayPass, pause = sleep }: Patience,
): Promise<Finding> {
  for (let tries = 1; ; tries++) {
    try {
      await check();
      return { name, result: 'ok' };
    } catch (error) {
      if (error instanceof NotTried) return { name, result: 'not tried', detail: error.message };
      const passes = !(error instanceof Broken) && mayPass(error);
      if (!passes) return { name, result: 'broken', detail: messageOf(error) };
      if (tries === MAX_ATTEMPTS)
        return {
          name,
          result: 'not tried',
          detail: `the platform did not answer ${MAX_ATTEMPTS} times: ${messageOf(error)}; try again later`,
        };
    }
    await pause(RETRY_PAUSE_MS);
  }
}

/** A table for people. `scrub` removes tokens, which an error of a client could quote. */
export function report(
  assumptions: Readonly<Record<string, Assumption>>,
  { findings, left }: Examination,
  scrub: (text: string) => string,
): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.flatMap(({ name, result, detail }) => {
    const { claim = '', file = '', todo = '' } = assumptions[name] ?? {};
    const row = `${result.toUpperCase().padEnd(9)}  ${name.padEnd(width)}  ${claim} (${file})`;
    const said = [detail, result === 'broken' ? todo : undefined].filter((one) => one !== undefined);
    return [row, ...said.map((line) => `${' '.repeat(width + 13)}${line}`)];
  });
  const count = (result: Finding['result']) => findings.filter((one) => one.result === result).length;
  const sum = `${count('ok')} ok, ${count('broken')} broken, ${count('not tried')} not tried.`;
  const rest = left.map((what) => `Could not be removed: ${what}`);
  return scrub([...lines, '', sum, ...rest].join('\n'));
}

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** @throws Broken unless it holds. */
export function expect(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Broken(otherwise);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
