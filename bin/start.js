#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import './small-memory.js';
import { requireNode24 } from './node-version.js';

requireNode24();
enableCompileCache();
await import('../src/main.ts');
