/** What a worker of the tests does once: `test/setup.ts` imports it, and runs again for each file. */

import { statfsSync } from 'node:fs';
import { enableCompileCache, isBuiltin, registerHooks } from 'node:module';
import net from 'node:net';
import { resolve } from 'node:path';

/** This process, and those that tests start, keep compiled code in a folder of this repository. */
process.env.NODE_COMPILE_CACHE ??= resolve('.cache/compiled');
enableCompileCache(process.env.NODE_COMPILE_CACHE);

/**
 * Vitest sends a message to its main process for each import that it resolves, which takes seconds of processor time and which
 * only its user interface reads. These imports need no resolving.
 */
registerHooks({
  resolve(specifier, context, next) {
    if (isBuiltin(specifier)) {
      const url = specifier.startsWith('node:') ? specifier : `node:${specifier}`;
      return { url, format: 'builtin', shortCircuit: true };
    }
    if (/^\.\.?\/.*\.ts$/.test(specifier) && context.parentURL?.startsWith('file:'))
      return { url: new URL(specifier, context.parentURL).href, shortCircuit: true };
    return next(specifier, context);
  },
});

/** SQLite waits for the disk at each commit. Where Linux has enough memory for it, temporary files are kept there. */
const MEMORY = '/dev/shm';
const ENOUGH = 4 * 2 ** 30;
if (process.env.TMPDIR === undefined && bytesFree(MEMORY) > ENOUGH) process.env.TMPDIR = MEMORY;

function bytesFree(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/**
 * Tests reach no network but loopback: a socket to anywhere else fails at once, naming the address,
 * so that a test which forgot its fake can never pass by luck or leak a request.
 */
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+|localhost)$/;
const connect = net.Socket.prototype.connect;

net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  const first = Array.isArray(args[0]) ? args[0][0] : args[0];
  const options = typeof first === 'object' && first !== null ? (first as net.TcpNetConnectOpts) : undefined;
  const host = options ? options.host : typeof args[1] === 'string' ? args[1] : undefined;
  const isPipe = typeof first === 'string' || (options !== undefined && 'path' in options && options.path);
  if (!isPipe && host !== undefined && !LOOPBACK.test(host)) {
    throw new Error(`A test tried to reach ${host}. Tests talk to loopback only.`);
  }
  return connect.apply(this, args as never);
} as typeof connect;
