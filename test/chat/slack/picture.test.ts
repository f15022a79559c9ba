import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REQUIRED_SCOPE_NAMES } from '../../../src/chat/slack/manifest.ts';
import { MINUTE } from '../../../src/core/clock.ts';
import { makePictures } from '../../../src/reply/picture/pictures.ts';
import { readPicturesOnce } from '../../fakes/app.ts';
import type { Person } from '../../fakes/slack/people.ts';
import type { Message } from '../../fakes/slack/world.ts';
import { messageOf, type OpenedSlack, openSlack, read, viewOf } from './open-slack.ts';

const board = { name: 'board.png', mimetype: 'image/png', bytes: readFileSync('test/fakes/board.png') };
const notes = { name: 'notes.txt', mimetype: 'text/plain', bytes: Buffer.from('OZU NRI LFA MBT') };
const empty = { name: 'empty.png', mimetype: 'image/png', bytes: Buffer.from('no picture') };

let slack: OpenedSlack;
beforeAll(async () => {
  // However slow the machine is, a form is not closed before it is judged.
  const door = { submitTimeout: MINUTE, pictures: makePictures() };
  slack = await openSlack({ scopes: [...REQUIRED_SCOPE_NAMES, 'files:read'], door });
  readPicturesOnce(slack.test.app);
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

it('the shortcut solves a picture from another company, of which the message has the id alone', async () => {
  const { ann, channel, fake } = slack;
  const foreign = { ...board, isForeign: true };
  const message = ann.say(channel, '', { ...notes, isForeign: true }, foreign);
  expect(await solve(message)).toMatch(/^Solutions: Friday, November 20, 2026/);
  fake.faults.inject({ kind: 'error', error: 'file_not_found', method: 'files.info' });
  expect(await solve(ann.say(channel, '', foreign))).toContain('I can’t load that picture');
});

it('the shortcut solves the board that a message of the bot shows, though it has no files', async () => {
  const shown = await messageOf(slack.ann.slash(slack.channel, '/letterboxed today'));
  expect(shown.blocks).toContainEqual(expect.objectContaining({ type: 'image' }));
  expect(await solve(shown)).toMatch(/^Solutions: Friday, November 20, 2026/);
});

it('a picture that somebody sends to the bot is solved, whatever they write beside it', async () => {
  for (const text of ['', 'solve this please']) {
    slack.test.clock.time += MINUTE;
    expect(read(await messageOf(slack.ann.write(text, notes, board)))).toMatch(
      /^Solutions: Friday, November 20, 2026/,
    );
  }
  expect(read(await messageOf(slack.ann.write('about', notes)))).toContain('Letter Boxed');
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

describe('the form of solve', () => {
  /** What somebody sees who fills it in. */
  async function fillIn(values: Parameters<Person['submit']>[0]) {
    slack.test.clock.time += 60_000;
    const { bob, channel } = slack;
    await viewOf(bob.slash(channel, '/letterboxed solve'));
    return bob.submit(values);
  }

  it('takes a picture in place of the letters', async () => {
    const action = await fillIn({ 'Or a picture of it': board });
    const answer = await messageOf(action);
    expect(answer.only).toBe(slack.bob.id);
    expect(read(answer)).toMatch(/^Solutions: Friday, November 20, 2026/);
  });

  it('still takes letters, and says at its fields what is missing or can’t be read', async () => {
    expect(read(await messageOf(await fillIn({ Sides: 'bcd fgh jkl mnp' })))).toContain('BCD FGH JKL MNP');
    expect((await (await fillIn({})).ack).body).toEqual({
      response_action: 'errors',
      errors: { sides: 'Please fill this in.' },
    });
    const large = { ...board, bytes: Buffer.alloc(9_000_000) };
    const refused = await (await fillIn({ 'Or a picture of it': large })).ack;
    expect(refused.body).toMatchObject({ errors: { picture: expect.stringContaining('too large') } });
    const broken = await (await fillIn({ 'Or a picture of it': empty })).ack;
    expect(broken.body).toMatchObject({
      errors: { picture: expect.stringContaining('I can’t read that file') },
    });
  });
});

it('names the permission that it lacks', async () => {
  const without = await openSlack();
  try {
    // Before Slack has told which scopes there are, the form is refused once.
    const unavailable = { kind: 'status', status: 503 } as const;
    for (const method of ['auth.test', 'users.info']) without.fake.faults.inject({ ...unavailable, method });
    const first = await viewOf(without.bob.slash(without.channel, '/letterboxed solve'));
    expect(JSON.stringify(first)).not.toContain('file_input');
    const action = without.bob.choose(without.ann.say(without.channel, '', board), 'Solve the board');
    expect(read(await messageOf(action))).toContain('the permission files:read');
    const form = await viewOf(without.bob.slash(without.channel, '/letterboxed solve'));
    expect(JSON.stringify(form)).not.toContain('file_input');
    // Its answer has a new picture: an upload is answered without scopes.
    await messageOf(without.ann.slash(without.channel, '/letterboxed today'));
    expect(
      read(
        await messageOf(without.ann.choose(without.ann.say(without.channel, '', board), 'Solve the board')),
      ),
    ).toContain('the permission files:read');
  } finally {
    await without.close();
  }
});
