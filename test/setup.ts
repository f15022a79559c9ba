// As in the bot, Node's own undici is there before those of Bolt and discord.js: the first of them sends the requests of all, and
// Bolt's can't send a form of discord.js.
import 'node:http';
import { afterAll } from 'vitest';
import { runAfterFile } from './fakes/after-file.ts';
import './worker.ts';

afterAll(runAfterFile);
