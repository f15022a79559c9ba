import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../commands/index.ts';
import { makeDispatcher } from '../src/dispatch/dispatcher.ts';
import { parseBoard } from '../src/solver/board.ts';
import { run } from './chat/terminal/run.ts';
import { makeTestApp, type TestApp } from './fakes/app.ts';
import { replyOf } from './fakes/ask.ts';
import { makeFolder } from './fakes/folder.ts';
import { sample } from './fakes/sample.ts';

const readme = readFileSync('README.md', 'utf8');
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The lines that the section about commands gives as examples. */
const commands = readme.slice(
  readme.indexOf('## What it does'),
  readme.indexOf('## Where the board comes from'),
);
const typed = [...commands.matchAll(/^- .*$/gm)].flatMap(([row]) =>
  [...row.matchAll(/`([^`]+)`/g)].map((span) => span[1]!),
);

describe('README', () => {
  let test: TestApp;
  beforeAll(async () => {
    // The board that its examples are of.
    const board = parseBoard('ozu nri lfa mbt');
    test = await makeTestApp({ house: (date) => ({ date, source: 'house', board }) });
  });
  afterAll(() => test.close());

  it('has one command to try it and one to test it, and .ci/run has the second', () => {
    expect(readme).toMatch(/```sh\nnpm ci && npm start .*\nnpm ci && npm test .*\n```/);
    expect(readFileSync('.ci/run', 'utf8')).toContain("sh -c 'npm ci && npm test'");
  });

  it('names commands that are there', () => {
    const named = typed.map((line) => line.split(' ')[0]);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !COMMANDS.some((command) => command.name === name))).toEqual([]);
  });

  it.each(typed)('%s works as it stands', async (line) => {
    const { prepareLine } = makeDispatcher(test.app, { commands: COMMANDS });
    const where = { tenant: 'web:local', channel: 'general', direct: false };
    const prepared = prepareLine(line, { door: 'web', who: { id: 'ada', mayManage: true }, where });
    if (prepared.kind === 'form') return;
    expect((await replyOf(prepared)).title).not.toMatch(/didn’t work|went wrong/);
  });

  it('names npm scripts that are there', () => {
    const named = [...readme.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
    expect(scripts.start).toBeDefined();
  });

  it('has terminal commands that run', async () => {
    const lines = [...readme.matchAll(/npm run -s letterboxed -- ([^`\n]+)/g)].map((match) => match[1]!);
    expect(lines.length).toBeGreaterThan(0);
    const folder = makeFolder();
    const settings = { DATA_DIR: folder, PUZZLE_SOURCE: 'house' };
    for (const line of sample(lines, lines.slice(0, 2))) {
      const { code, out } = await run(line.trim().split(' '), { settings });
      expect({ line, code }).toEqual({ line, code: 0 });
      expect(out.length).toBeGreaterThan(20);
    }
  });
});
