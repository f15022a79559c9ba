#!/usr/bin/env node
import module from 'node:module';
import { requireNode24 } from './node-version.js';

requireNode24();
// Types are stripped and code compiled once, not at each start.
module.enableCompileCache();
// A rehearsal shows how messages look at every door; nothing else here loads the platforms.
if (process.argv[2] === 'daily' && process.argv[3] === 'run') await import('../src/chat/renderers.ts');
await import('../src/chat/terminal/main.ts');
