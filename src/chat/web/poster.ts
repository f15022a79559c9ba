import type { Clock } from '../../../commands/types.ts';
import { type Posted, type Poster, PostFailure } from '../../daily/types.ts';
import type { Reply } from '../../reply/types.ts';
import type { Room } from './room.ts';

/** The local chat's hands for the daily thread: one channel, in memory, where nothing can fail. */
export function makeWebPoster(room: Room, clock: Clock): Poster {
  const posted = new Map<string, Posted>();

  async function once(key: string, note: (posted: Posted) => Promise<boolean>, post: () => Posted) {
    const done = posted.get(key) ?? post();
    posted.set(key, done);
    await note(done);
    return done;
  }

  function add(reply: Reply, more: { thread?: string; only?: string } = {}): string {
    return room.add({ at: clock.now(), reply, ...more }).id;
  }

  return {
    door: 'web',
    open: ({ key, note, reply, threadName }) =>
      once(key, note, () => {
        const message = add(reply);
        return { message, thread: room.openThread(message, threadName).id };
      }),
    post: ({ key, note, reply, thread }) =>
      once(key, note, () => {
        const id = thread.thread;
        if (id === undefined || room.thread(id) === undefined)
          throw new PostFailure('refused', 'The thread is gone.');
        return { message: add(reply, { thread: id }), thread: id };
      }),
    async archive(_, { thread }) {
      if (thread !== undefined) room.closeThread(thread);
    },
    async edit(_, { message }, reply) {
      if (message === undefined || !room.change(message, reply))
        throw new PostFailure('invalid', 'That message is gone.');
    },
    lacks: async () => [],
    async tell(_, person, reply) {
      add(reply, { only: person });
      return true;
    },
  };
}
