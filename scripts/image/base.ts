import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The id of the user `node` in Node's images. */
export const NODE_USER = '1000';
/** Where Node's images have it. */
const NODE = 'usr/local/bin/node';
const NPM = 'usr/local/lib/node_modules/npm';

/** Certificate authorities of this machine's own, if it has any. */
export const AUTHORITIES = '/etc/authorities.crt';

/** A fresh Debian, with as little as Node's slim image has. */
export function makeDebian(root: string, suite: string): void {
  execFileSync('mmdebstrap', ['--variant=minbase', '--include=libstdc++6', '--quiet', suite, root], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/** Puts in what Node's image adds to Debian (Node, npm and the user `node`), and this machine's way to the registries. */
export function bringInNode(root: string): void {
  cpSync(process.execPath, join(root, NODE), { dereference: true });
  const npm = realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim());
  mkdirSync(dirname(join(root, NPM)), { recursive: true });
  cpSync(dirname(dirname(npm)), join(root, NPM), { recursive: true, dereference: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  execFileSync('chroot', [root, 'useradd', '--create-home', '--uid', NODE_USER, 'node']);
  cpSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'), { dereference: true });
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
  if (authorities !== undefined) cpSync(authorities, join(root, AUTHORITIES));
}
