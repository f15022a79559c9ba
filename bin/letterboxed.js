#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { importProgram, keepCompiledCode, requireNode24 } from './program.js';

requireNode24();
const isBot = process.argv[2] === 'start';
if (isBot) {
  process.argv.splice(2, 1);
  await import('./start.js');
} else {
  await runCommandLine();
}

async function runCommandLine() {
  // Optimized code and a young generation that grows take 9 MB, incremental marking 6 ms, and most commands end before they
  // pay. `optimizeCode` brings them back for long ones.
  for (const flag of ['--no-opt', '--no-maglev', '--no-incremental-marking', '--semi-space-growth-factor=1'])
    setFlagsFromString(flag);
  keepCompiledCode();
  const { runTerminal } = await importProgram('terminal');
  process.exitCode = await runTerminal(process.argv.slice(2), process.env);
}
