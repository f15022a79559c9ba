import { keepFiles } from './keep-files.js';

void keepFiles();
