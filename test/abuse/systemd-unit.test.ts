import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { needs } from '../fakes/needs.ts';

const unit = readFileSync('docs/letterboxed.service', 'utf8');
const settings = unit.split('\n').filter((line) => /^[A-Z]\w*=/.test(line));

describe('the systemd unit', () => {
  it.each([
    'CapabilityBoundingSet=',
    'NoNewPrivileges=yes',
    'RestrictNamespaces=yes',
    'SystemCallFilter=@system-service',
    'SystemCallArchitectures=native',
    'ProtectSystem=strict',
    'PrivateTmp=yes',
    'ProtectProc=invisible',
    'UMask=0077',
  ])('has %s', (line) => {
    expect(settings).toContain(line);
  });

  it('limits memory, tasks and open files', () => {
    for (const name of ['MemoryMax', 'TasksMax', 'LimitNOFILE'])
      expect(settings.find((line) => line.startsWith(`${name}=`))).toMatch(/=\d+M?$/);
  });

  it('allows what Node needs: code that is compiled while it runs, and sockets', () => {
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=yes/m);
    expect(settings).toContain('RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX');
  });

  /** Other versions weigh the settings otherwise; the settings above say the same of the unit. */
  const { stdout: version } = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' });
  const isWeighed = needs('systemd 250 to 259', /^systemd 25\d/.test(version ?? ''));
  it('has an exposure below 2 of 10', isWeighed, () => {
    const folder = mkdtempSync(join(tmpdir(), 'letterboxed-unit-'));
    try {
      const path = join(folder, 'letterboxed.service');
      // The program is looked for, too, and may be somewhere else on this machine.
      writeFileSync(path, unit.replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'));
      const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', path], {
        encoding: 'utf8',
      });
      expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
