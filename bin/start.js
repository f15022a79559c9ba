#!/usr/bin/env node
import { importProgram, keepCompiledCode, requireNode24 } from './program.js';

requireNode24();
keepCompiledCode();
await importProgram('main');
