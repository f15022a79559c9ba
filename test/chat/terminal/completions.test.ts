/** Completions, by the shells themselves where this machine has them: bash always. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { makeFolder } from '../../fakes/folder.ts';
import { needs } from '../../fakes/needs.ts';
import { run } from './run.ts';

const folder = makeFolder();
const fileOf = (shell: string) => join(folder, `letterboxed.${shell}`);
const has = (shell: string) => spawnSync(shell, ['-c', 'exit'], { stdio: 'ignore' }).status === 0;

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out } = await run(['completions', shell]);
    expect(code).toBe(0);
    writeFileSync(fileOf(shell), out);
  }
});

const LINES: readonly (readonly [typed: string, offered: readonly string[]])[] = [
  ['letterboxed so', ['solve']],
  ['letterboxed comp', ['completions']],
  ['letterboxed completions ', ['bash', 'zsh', 'fish', '--json', '--words', '--help']],
  ['letterboxed help gen', ['generate']],
  ['letterboxed hint le', ['lengths', 'letters']],
  ['letterboxed daily sk', ['skip']],
  ['letterboxed solve --bat', ['--batch']],
  ['letterboxed nothing ', []],
];

/** What bash would offer for each line. */
function askBash(lines: readonly string[]): string[][] {
  const asked = lines.map((line) => `ask ${JSON.stringify(line)}`).join('\n');
  const script = `source "$1"
ask() { COMP_LINE="$1" COMP_POINT=\${#1} _letterboxed; echo "\${COMPREPLY[*]}"; }
${asked}`;
  const out = execFileSync('bash', ['--norc', '-c', script, 'bash', fileOf('bash')], { encoding: 'utf8' });
  return out
    .split('\n')
    .slice(0, lines.length)
    .map((line) => line.split(' ').filter((word) => word !== ''));
}

describe('bash', () => {
  test('completes commands, options and values', () => {
    expect(askBash(LINES.map(([typed]) => typed))).toEqual(LINES.map(([, offered]) => offered));
  });

  test('completes after a colon, which ends a word there', () => {
    expect(askBash(['letterboxed hint step:le', 'letterboxed hint st', 'letterboxed solve da'])).toEqual([
      ['lengths', 'letters'],
      expect.arrayContaining(['step:start', 'step:lengths']),
      ['date:'],
    ]);
  });

  test('offers every command', () => {
    const [offered] = askBash(['letterboxed ']);
    expect(offered).toEqual(expect.arrayContaining(COMMANDS.map(({ name }) => name)));
  });
});

describe('fish', needs('fish', has('fish')), () => {
  test.each(LINES)('completes %j', (typed, offered) => {
    const script = `source $argv[1]; complete -C ${JSON.stringify(typed)}`;
    const out = execFileSync('fish', ['--no-config', '-c', script, fileOf('fish')], { encoding: 'utf8' });
    const words = out.split('\n').map((line) => line.split('\t')[0]!);
    expect(words.filter((word) => word !== '').sort()).toEqual([...offered].sort());
  });
});

describe('zsh', needs('zsh', has('zsh')), () => {
  test('reads the script', () => {
    const script = `autoload -U compinit; compinit -D; source "$1"; print $_comps[letterboxed]`;
    expect(execFileSync('zsh', ['-f', '-c', script, 'zsh', fileOf('zsh')], { encoding: 'utf8' })).toBe(
      '_letterboxed\n',
    );
  });
});
