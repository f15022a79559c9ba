import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, test } from 'vitest';
import { HOMELESS } from '../bare-environment.ts';
import { needs } from '../fakes/needs.ts';

const { privateFolder } = (await import(new URL('../../bin/program.js', import.meta.url).href)) as {
  readonly privateFolder: (folders: readonly string[]) => string | undefined;
};

/** Whether nobody but this user and root can replace a folder on the way to this one. This is what the program checks. */
function isSafe(path: string): boolean {
  const { uid, mode } = statSync(path);
  const isOwn = process.getuid === undefined || [0, process.getuid()].includes(uid);
  return isOwn && ((mode & 0o022) === 0 || (mode & 0o1000) !== 0) && (path === '/' || isSafe(dirname(path)));
}
const parent = [tmpdir(), '/tmp', homedir()].find((path) => existsSync(path) && isSafe(realpathSync(path)));

let folder: string;
beforeEach(() => {
  // What is made in it is this user's alone, whatever the rights are that files have on this machine.
  const mask = process.umask(0o022);
  onTestFinished(() => void process.umask(mask));
  folder = mkdtempSync(join(realpathSync(parent!), 'letterboxed-compile-cache-'));
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
    cpSync('src/core/program.ts', join(installation, 'src/core/program.ts'));
    writeFileSync(join(installation, 'src/terminal.ts'), 'export const runTerminal = (): number => 0;\n');
    const { PATH = '' } = process.env;
    const { status } = spawnSync(process.execPath, [join(installation, 'bin/letterboxed.js')], {
      env: { PATH, ...environment },
    });
    expect(status).toBe(0);
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

  it('is not run where this user has no home', () => {
    const installation = run(HOMELESS);
    expect(filesIn(join(installation, 'node_modules')).length).toBeGreaterThan(0);
  });
});

describe(
  'the folder for compiled code',
  needs('users with numbers, as Unix has', process.getuid !== undefined),
  () => {
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
  },
);

const unit = readFileSync('docs/letterboxed.service', 'utf8');
const settings = unit.split('\n').filter((line) => /^[A-Z]\w*=/.test(line));

test('the systemd unit takes rights away, limits what it uses, and allows the sockets and the code that Node needs', () => {
  const number = expect.stringMatching(/=\d+M?$/);
  expect(Object.fromEntries(settings.map((line) => [line.split('=')[0], line]))).toMatchObject({
    CapabilityBoundingSet: 'CapabilityBoundingSet=',
    NoNewPrivileges: 'NoNewPrivileges=yes',
    RestrictNamespaces: 'RestrictNamespaces=yes',
    RestrictAddressFamilies: 'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX',
    SystemCallArchitectures: 'SystemCallArchitectures=native',
    ProtectSystem: 'ProtectSystem=strict',
    PrivateTmp: 'PrivateTmp=yes',
    ProtectProc: 'ProtectProc=invisible',
    UMask: 'UMask=0077',
    ...{ MemoryMax: number, TasksMax: number, LimitNOFILE: number },
  });
  expect(settings).toContain('SystemCallFilter=@system-service');
  expect(unit).not.toMatch(/^MemoryDenyWriteExecute=yes/m);
});
