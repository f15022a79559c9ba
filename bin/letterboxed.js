#!/usr/bin/env node
import { keepCompiledCode } from './compile-cache.js';
import { requireNode24 } from './node-version.js';
import { importProgram } from './program.js';

requireNode24();
keepCompiledCode();
const { runTerminal } = await importProgram('terminal');
process.exitCode = await runTerminal(process.argv.slice(2), process.env);
