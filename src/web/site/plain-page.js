import { cacheFiles } from './ask.js';

void cacheFiles();
