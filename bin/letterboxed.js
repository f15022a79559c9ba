#!/usr/bin/env node
import { importProgram, keepCompiledCode, requireNode24 } from './program.js';

requireNode24();
keepCompiledCode();
const { runTerminal } = await importProgram('terminal');
process.exitCode = await runTerminal(process.argv.slice(2), process.env);
