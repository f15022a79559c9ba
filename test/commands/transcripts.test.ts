/** What commands answer to what people type, as conversations in `transcripts/`. */
import { readdirSync } from 'node:fs';
import { describe } from 'vitest';
import { transcripts } from '../fakes/transcript.ts';

const FOLDER = new URL('./transcripts/', import.meta.url);

for (const file of readdirSync(FOLDER))
  describe(file.replace('.txt', ''), () => transcripts(new URL(file, FOLDER).href));
