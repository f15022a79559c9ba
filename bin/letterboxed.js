#!/usr/bin/env node
import { keepCompiledCode } from './compile-cache.js';
import { requireNode24 } from './node-version.js';

requireNode24();
keepCompiledCode();
const { runTerminal } = await import('../src/terminal.ts');
process.exitCode = await runTerminal(process.argv.slice(2), process.env);
