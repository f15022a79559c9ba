#!/usr/bin/env node
import { keepCompiledCode } from './compile-cache.js';
import './small-memory.js';
import { requireNode24 } from './node-version.js';
import { importProgram } from './program.js';

requireNode24();
keepCompiledCode();
await importProgram('main');
