import { describe, expect, it } from 'vitest';
import { ChatRoom, PEOPLE, type RoomEvent, WebPoster } from '../../../src/chat/web/chat-room.ts';
import { RequestHandlers } from '../../../src/chat/web/request-handlers.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { UNLEASED } from '../../../src/dispatch/poster.ts';
import { packAction } from '../../../src/reply/model/action.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import { CHANNEL, makeGround, subscribe } from '../../daily/ground.ts';
import { makeTestApp } from '../../fakes/app.ts';
import { madeUp } from '../../fakes/ask.ts';

const reply: Reply = { title: 'An answer', blocks: [], audience: 'everyone' };

describe('the room of the local chat', () => {
  it('shows a private message, and its changes, to nobody but its person', () => {
    const room = new ChatRoom();
    const seen: Record<string, RoomEvent['kind'][]> = { ada: [], ben: [] };
    for (const [person, events] of Object.entries(seen)) room.listen(person, ({ kind }) => events.push(kind));
    const { id } = room.add({ at: 0, reply, only: 'ada' });
    room.change(id, reply);
    expect(seen).toEqual({ ada: ['message', 'change'], ben: [] });
    expect([room.message(id, 'ada')?.id, room.message(id, 'ben')]).toEqual([id, undefined]);
    expect(room.visibleTo('ada').messages).toHaveLength(1);
    expect(room.visibleTo('ben').messages).toEqual([]);
  });

  it('reuses no id of a process before, since browsers keep the pictures of messages', () => {
    const [before, after] = [new ChatRoom(), new ChatRoom()].map((room) => room.add({ at: 0, reply }).id);
    expect(after).not.toBe(before);
  });

  it('drops the oldest of more than 500 messages, with the thread that was started from it', () => {
    const room = new ChatRoom();
    const opener = room.add({ at: 0, reply });
    const thread = room.openThread(opener.id, 'The first day');
    for (let other = 1; other < 500; other++) room.add({ at: other, reply });
    expect(room.thread(thread.id)).toBeDefined();
    room.add({ at: 500, reply });
    expect(room.visibleTo('ada')).toMatchObject({ messages: { length: 500 }, threads: [] });
    expect(room.message(opener.id, 'ada')).toBeUndefined();
    expect(room.thread(thread.id)).toBeUndefined();
  });
});

const NEW_YORK = (day: number, hour: number) => Date.UTC(2026, 10, day, hour + 5);

it('a restart during the day moves what is still to come from the thread into the channel', async () => {
  let room = new ChatRoom();
  const ground = await makeGround(NEW_YORK(20, 7), {
    get posters() {
      return [new WebPoster(room, { now: () => ground.clock.now() })];
    },
  });
  const titles = () => room.visibleTo('manager').messages.map(({ reply }) => reply.title);
  await subscribe(ground.store, {}, { at: NEW_YORK(20, 6) });
  await ground.at(NEW_YORK(20, 8));
  expect(titles()).toHaveLength(2);

  room = new ChatRoom();
  await ground.restart();
  await ground.at(NEW_YORK(20, 12));
  await ground.at(NEW_YORK(20, 20));
  expect(titles()).toEqual(['Words needed', 'The solution']);

  await ground.at(NEW_YORK(21, 8));
  expect(room.visibleTo('manager').threads).toHaveLength(1);
});

it('a post with the key of an earlier one is not posted again', async () => {
  const room = new ChatRoom();
  const poster = new WebPoster(room, { now: () => 0 });
  const reply = { title: 'The day', blocks: [], audience: 'everyone' as const };
  const post = {
    channel: CHANNEL,
    reply,
    ...UNLEASED,
    outcomeUnknown: true,
    since: 0,
  };
  const opened = await poster.open({ ...post, key: 'opening', threadName: 'The day', ping: null });
  expect(await poster.open({ ...post, key: 'opening', threadName: 'The day', ping: null })).toEqual(opened);
  const posted = await poster.post({ ...post, key: 'start', thread: opened });
  expect(await poster.post({ ...post, key: 'start', thread: opened })).toEqual(posted);
  const twice = { ...post, key: 'at once', thread: opened };
  const [one, other] = await Promise.all([poster.post(twice), poster.post(twice)]);
  expect(other).toEqual(one);
  expect(room.visibleTo('ada')).toMatchObject({ messages: { length: 3 }, threads: { length: 1 } });
});

it('a post for a thread that is gone is in the channel, and a notice is for its person alone', async () => {
  const room = new ChatRoom();
  const poster = new WebPoster(room, { now: () => 0 });
  const reply = { title: 'Noted', blocks: [], audience: 'everyone' as const };
  const post = { channel: CHANNEL, reply, ...UNLEASED, since: 0, key: 'step', thread: { thread: 'gone' } };
  expect(await poster.post(post)).toEqual({ message: expect.any(String) });
  await poster.notify(CHANNEL, 'ada', reply);
  const seenBy = (person: string) => room.visibleTo(person).messages.length;
  expect([seenBy('ada'), seenBy('ben')]).toEqual([2, 1]);
});

it('a page that was closed ends the events of no other', () => {
  const room = new ChatRoom();
  const heard: string[] = [];
  const [stop] = ['ada', 'ben'].map((person) => room.listen(person, () => heard.push(person)));
  stop!();
  room.add({ at: 0, reply: { title: 'News', blocks: [], audience: 'everyone' } });
  expect(heard).toEqual(['ben']);
});

it('a page button changes the message of the person who asked for it, and nobody else’s', async () => {
  const page: Reply = { title: 'A page', blocks: [], audience: 'everyone' };
  let answer: Reply = { ...page, replaces: true };
  const list = madeUp({ name: 'list', private: false, run: async () => answer });
  const world = await makeTestApp();
  const room = new ChatRoom();
  const dispatcher = makeDispatcher(world.app, { commands: [list] });
  const handlers = new RequestHandlers({ app: world.app, dispatcher, room, clock: world.clock });
  const [ada, ben] = PEOPLE.map((person) => ({ person }));
  const shown = () => room.visibleTo('ada').messages.map(({ asker, changes }) => [asker?.name, changes]);
  await handlers.line(ada!, 'list');
  const [message] = room.visibleTo('ada').messages;
  const value = await packAction({ command: 'list', options: {} }, world.app);
  await handlers.press(ada!, value, message);
  expect(shown()).toEqual([['Ada', 1]]);
  await handlers.press(ben!, value, message);
  // Another answer than a page changes nothing.
  answer = page;
  await handlers.press(ada!, value, message);
  expect(shown()).toEqual([
    ['Ada', 1],
    ['Ben', undefined],
    ['Ada', undefined],
  ]);
  await world.close();
});
