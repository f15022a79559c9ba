#!/usr/bin/env node
import module from 'node:module';
import './small-memory.js';
import { requireNode24 } from './node-version.js';

requireNode24();
module.enableCompileCache();
await import('../src/main.ts');
