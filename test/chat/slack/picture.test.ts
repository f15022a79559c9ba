import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { REQUIRED_SCOPE_NAMES } from '../../../src/chat/slack/manifest.ts';
import type { Person } from '../../fakes/slack/people.ts';
import type { Message } from '../../fakes/slack/world.ts';
import { messageOf, type OpenedSlack, openSlack, read } from './open-slack.ts';

const board = { name: 'board.png', mimetype: 'image/png', bytes: readFileSync('docs/pictures/board.png') };
const notes = { name: 'notes.txt', mimetype: 'text/plain', bytes: Buffer.from('OZU NRI LFA MBT') };
const empty = { name: 'empty.png', mimetype: 'image/png', bytes: Buffer.from('no picture') };

let slack: OpenedSlack;
beforeAll(async () => {
  slack = await openSlack({ scopes: [...REQUIRED_SCOPE_NAMES, 'files:read'] });
});
afterAll(() => slack.close());

async function solve(message: Message, person: Person = slack.bob) {
  slack.test.clock.time += 60_000;
  const action = person.choose(message, 'Solve the board');
  expect((await action.ack).problem).toBeUndefined();
  const answer = await messageOf(action);
  expect(answer.only).toBe(person.id);
  return read(answer);
}

it('the shortcut solves the first picture in somebody’s message, for who chose it alone', async () => {
  const message = slack.ann.say(slack.channel, 'stuck', notes, board, empty);
  expect(await solve(message)).toMatch(/^Solutions: Friday, November 20, 2026/);
});

it('says in a sentence that there is no picture, or none that can be read', async () => {
  const { ann, channel } = slack;
  expect(await solve(ann.say(channel, 'no file'))).toContain('I see no picture in that message');
  expect(await solve(ann.say(channel, 'a text', notes))).toContain('I see no picture in that message');
  expect(await solve(ann.say(channel, 'broken', empty))).toContain('I can’t read that file');
});

it('says where it has to be invited to see the file', async () => {
  const { fake, workspace, ann, bob } = slack;
  const elsewhere = fake.addChannel(workspace, [ann, bob]);
  elsewhere.members.delete(workspace.botUser);
  expect(await solve(ann.say(elsewhere, '', board))).toMatch(
    /only in channels that I am in.*\/invite @letterboxed/s,
  );
});

it('sends its token nowhere but to Slack’s hosts for files', async () => {
  const other = await openSlack({
    scopes: [...REQUIRED_SCOPE_NAMES, 'files:read'],
    door: { pictureOrigins: ['https://files.slack.com'] },
  });
  try {
    const action = other.bob.choose(other.ann.say(other.channel, '', board), 'Solve the board');
    expect(read(await messageOf(action))).toContain('I see no picture in that message');
  } finally {
    await other.close();
  }
});

it('names the permission that it lacks', async () => {
  const without = await openSlack();
  try {
    const action = without.bob.choose(without.ann.say(without.channel, '', board), 'Solve the board');
    expect(read(await messageOf(action))).toContain('the permission files:read');
  } finally {
    await without.close();
  }
});
