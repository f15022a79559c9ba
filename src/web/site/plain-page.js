import { keepFiles } from './ask.js';

void keepFiles();
