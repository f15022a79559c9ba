#!/usr/bin/env node
import { keepCompiledCode } from './compile-cache.js';
import './small-memory.js';
import { requireNode24 } from './node-version.js';

requireNode24();
keepCompiledCode();
await import('../src/main.ts');
