#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { importProgram, keepCompiledCode, requireNode24 } from './program.js';

requireNode24();
// V8's optimizing compiler takes 5 MB, and most commands end before it pays. `optimizeCode` brings it back for long ones.
setFlagsFromString('--no-opt');
keepCompiledCode();
const { runTerminal } = await importProgram('terminal');
process.exitCode = await runTerminal(process.argv.slice(2), process.env);
