import { transcripts } from './transcript.ts';

transcripts(import.meta.resolve('./transcript.txt'));
