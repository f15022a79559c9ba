import { describe, expect, it } from 'vitest';
import { ChatRoom, type RoomEvent } from '../../../src/chat/web/chat-room.ts';
import type { Reply } from '../../../src/reply/model/types.ts';

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
