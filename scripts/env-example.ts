/** Writes `.env.example` from the settings' own declarations. */
import { writeFileSync } from 'node:fs';
import { EXAMPLE_FILE, makeExample } from '../src/config/read.ts';

writeFileSync(new URL(`../${EXAMPLE_FILE}`, import.meta.url), makeExample());
