#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { requireNode24 } from './node-version.js';

requireNode24();
// Types are stripped and code compiled once, not at each start.
enableCompileCache();
await import('../src/chat/terminal/main.ts');
