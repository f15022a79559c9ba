#!/usr/bin/env node
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
  keepCompiledCode();
  const { runTerminal } = await importProgram('terminal');
  process.exitCode = await runTerminal(process.argv.slice(2), process.env);
}
