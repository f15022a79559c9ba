import type { Clock } from '../../core/clock.ts';
import { type Posted, type Poster, PostFailure } from '../../dispatch/poster.ts';
import type { Reply } from '../../reply/model/types.ts';
import type { ChatRoom } from './chat-room.ts';

const GONE: Reply = {
  title: 'The day’s thread is gone after a restart',
  blocks: [
    {
      kind: 'text',
      lines: [
        'This chat keeps its messages only while the bot runs. What was still to come in that thread is left out; the next board opens another one.',
        ['Until then, for you alone: ', { command: 'hint' }, '.'],
      ],
    },
  ],
  audience: 'everyone',
};

/**
 * Posts the daily thread into the local chat: one channel in memory, where the only possible failure is a
 * thread that a restart has ended.
 */
export function makeWebPoster(room: ChatRoom, clock: Clock): Poster {
  const posted = new Map<string, Posted>();
  /** No thread was opened since the start, and no notice posted about the lost one. */
  let mayNotify = true;

  async function once(key: string, note: (posted: Posted) => Promise<boolean>, post: () => Posted) {
    const done = posted.get(key) ?? post();
    posted.set(key, done);
    await note(done);
    return done;
  }

  function add(reply: Reply, more: { thread?: string; only?: string } = {}): string {
    return room.add({ at: clock.now(), reply, ...more }).id;
  }

  /** To the whole channel: the person who moves the clock sees why nothing is posted. */
  function notifyOnce(): void {
    if (mayNotify) add(GONE);
    mayNotify = false;
  }

  return {
    door: 'web',
    open: ({ key, note, reply, threadName }) =>
      once(key, note, () => {
        mayNotify = false;
        const message = add(reply);
        return { message, thread: room.openThread(message, threadName).id };
      }),
    post: ({ key, note, reply, thread }) =>
      once(key, note, () => {
        const id = thread.thread;
        if (id === undefined || room.thread(id) === undefined) {
          notifyOnce();
          // That ends this day's thread, not the subscription: the next board opens another.
          throw new PostFailure('invalid', 'the thread is gone');
        }
        return { message: add(reply, { thread: id }), thread: id };
      }),
    async find({ keys }) {
      return new Map(
        keys.flatMap((key) => {
          const known = posted.get(key);
          return known === undefined ? [] : [[key, known] as const];
        }),
      );
    },
    async archive(_, { thread }) {
      if (thread !== undefined) room.closeThread(thread);
    },
    async edit(_, { message }, reply) {
      if (message === undefined || !room.change(message, reply))
        throw new PostFailure('invalid', 'the message is gone');
    },
    missingRequirements: async () => [],
    async notify(_, person, reply) {
      add(reply, { only: person });
      return true;
    },
  };
}
