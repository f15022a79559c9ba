import { afterAll } from 'vitest';
import { runAfterFile } from './fakes/after-file.ts';
import './worker.ts';

afterAll(runAfterFile);
