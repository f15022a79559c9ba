import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const { privateFolder } = (await import(new URL('../../bin/compile-cache.js', import.meta.url).href)) as {
  readonly privateFolder: (folders: readonly string[]) => string | undefined;
};

let folder: string;
beforeEach(() => {
  // Not in the shared folder for temporary files, whose parents are checked, nor in node_modules, where Node runs no TypeScript.
  mkdirSync('build', { recursive: true });
  folder = mkdtempSync(resolve('build/compile-cache-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The files that Node put there, however deep. */
const filesIn = (where: string) =>
  existsSync(where)
    ? readdirSync(where, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    : [];

describe('code that another user of the machine has planted', () => {
  /** A copy of the program's entrance, so that its own folder for compiled code is an empty one. */
  function run(environment: Record<string, string>): string {
    const installation = join(folder, 'installation');
    cpSync('bin', join(installation, 'bin'), { recursive: true });
    cpSync('package.json', join(installation, 'package.json'));
    mkdirSync(join(installation, 'src'), { recursive: true });
    writeFileSync(join(installation, 'src/terminal.ts'), 'export const runTerminal = (): number => 0;\n');
    const { PATH = '' } = process.env;
    spawnSync(process.execPath, [join(installation, 'bin/letterboxed.js')], {
      env: { PATH, ...environment },
    });
    return installation;
  }

  it('is not run: compiled code is read from and written to a folder of the installation', () => {
    const shared = join(folder, 'tmp');
    mkdirSync(shared, { mode: 0o1777 });
    const installation = run({ TMPDIR: shared, HOME: join(folder, 'home') });
    expect(filesIn(shared)).toEqual([]);
    const own = join(installation, 'node_modules/.cache/letterboxed-bot');
    expect(filesIn(own).length).toBeGreaterThan(0);
    expect(statSync(own).mode & 0o077).toBe(0);
  });

  it('is not run where others may write into the installation: then it is the folder of the user', () => {
    const installation = join(folder, 'installation');
    mkdirSync(join(installation, 'node_modules/.cache/letterboxed-bot'), { recursive: true });
    chmodSync(join(installation, 'node_modules/.cache/letterboxed-bot'), 0o777);
    const home = join(folder, 'home');
    mkdirSync(home);
    run({ TMPDIR: folder, HOME: home });
    expect(filesIn(join(installation, 'node_modules'))).toEqual([]);
    expect(filesIn(join(home, '.cache/letterboxed-bot')).length).toBeGreaterThan(0);
  });
});

describe.skipIf(process.getuid === undefined)('the folder for compiled code', () => {
  const make = (name: string, mode: number) => {
    const path = join(folder, name);
    mkdirSync(path);
    chmodSync(path, mode);
    return path;
  };

  it('is made with the rights of its user alone', () => {
    const path = join(folder, 'new/er');
    expect(privateFolder([path])).toBe(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['others may write into it', () => make('open', 0o707)],
    ['its group may write into it', () => make('open', 0o770)],
    [
      'it could be replaced, because others may write into its parent',
      () => join(make('open', 0o777), 'mine'),
    ],
    [
      'it is a link',
      () => {
        const target = make('target', 0o777);
        symlinkSync(target, join(folder, 'link'));
        return join(folder, 'link');
      },
    ],
    [
      'it is below a link to such a folder',
      () => {
        symlinkSync(make('target', 0o777), join(folder, 'link'));
        return join(folder, 'link', 'mine');
      },
    ],
    ['it can not be made', () => '/proc/1/letterboxed-bot'],
  ])('is not used if %s', (_, path) => {
    expect(privateFolder([path()])).toBeUndefined();
  });

  it('may be below a folder like /tmp, whose entries only their owners replace', () => {
    const path = join(make('tmp', 0o1777), 'mine');
    expect(privateFolder([path])).toBe(path);
  });

  it('is not used if it belongs to somebody else', async () => {
    const path = make('theirs', 0o755);
    const { getuid } = process;
    try {
      process.getuid = () => 54_321;
      expect(privateFolder([path])).toBeUndefined();
    } finally {
      process.getuid = getuid!;
    }
  });
});
