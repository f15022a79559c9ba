#!/usr/bin/env node
import module from 'node:module';
import { requireNode24 } from './node-version.js';

requireNode24();
// Node keeps the compiled code, so that only the first start compiles it.
module.enableCompileCache();
const { runTerminal } = await import('../src/terminal.ts');
process.exitCode = await runTerminal(process.argv.slice(2), process.env);
