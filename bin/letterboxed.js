#!/usr/bin/env node
import { requireNode24 } from './node-version.js';

requireNode24();
await import('../src/chat/terminal/main.ts');
