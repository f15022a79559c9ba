import { join } from 'node:path';

/** What a process needs of ours to start, and nothing that the bot reads; compiled once, as `test/worker.ts` has it. */
export function bareEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE, LD_PRELOAD, FAKETIME, DONT_FAKE_MONOTONIC } = process.env;
  return {
    PATH,
    HOME,
    ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
    // The clock of scripts/matrix.ts.
    ...(FAKETIME !== undefined && { LD_PRELOAD, FAKETIME, DONT_FAKE_MONOTONIC }),
  };
}

/**
 * The same for `bin/start.js`. It sets flags of V8 (`keepHeapSmall`), which takes no code that was compiled without them: in
 * one folder, the bot and all other processes would replace each other's code at every start.
 */
export function botEnvironment(): Record<string, string> {
  const { NODE_COMPILE_CACHE, ...rest } = bareEnvironment();
  return {
    ...rest,
    ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE: join(NODE_COMPILE_CACHE, 'bot') }),
  };
}

/** For a process that is started now: its clock goes on from this moment, so that it plays the same on every day. */
export function clockFrom(moment: number): { NODE_OPTIONS: string } {
  const script = `
    globalThis.Date = class extends Date {
      static now() {
        return super.now() + ${moment - Date.now()};
      }
      constructor(...given) {
        super(...(given.length === 0 ? [Date.now()] : given));
      }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

/** For a process that is started now: Node finds no home, as for a user whom the system does not know. */
export const HOMELESS = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    import os from 'node:os';
    import { syncBuiltinESMExports } from 'node:module';
    os.homedir = () => {
      throw new Error('uv_os_homedir returned ENOENT');
    };
    syncBuiltinESMExports();`)}`,
};
