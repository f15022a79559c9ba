import type { DoorName } from '../../src/core/channel-ref.ts';
import {
  type Membership,
  type OpeningPost,
  type Post,
  type Posted,
  type Poster,
  PostFailure,
  type StoredPost,
  type ThreadPost,
} from '../../src/dispatch/poster.ts';
import type { Reply } from '../../src/reply/model/types.ts';

export interface TestPoster extends Poster {
  /** Every message with the replies it has shown, oldest first. */
  readonly messages: {
    readonly id: string;
    readonly key: string;
    readonly thread: Posted;
    readonly shown: Reply[];
  }[];
  readonly posts: ThreadPost[];
  readonly openings: OpeningPost[];
  readonly edits: { readonly message: string | undefined; readonly reply: Reply }[];
  /** Thrown by the next posts or edits, one each. */
  readonly failures: { post: PostFailure[]; edit: PostFailure[] };
  /** What everybody may do in every channel. */
  standing: Membership | undefined;
  /** Awaited before an edit is done. */
  beforeEdit: () => Promise<unknown>;
}

/** The part of a post without a delivery. Where it `isTaken`, another process has posted it by the time this one has. */
export function recordingPost({
  recorded = [] as Posted[],
  isTaken = false,
} = {}): Pick<Post, 'checkLease' | 'record' | 'recordSent'> {
  const record = async (posted: Posted) => {
    if (isTaken) throw new PostFailure('later', 'another process has it');
    recorded.push(posted);
    return posted as StoredPost;
  };
  return {
    record,
    checkLease: async () => {},
    async recordSent(posted, remove) {
      if (isTaken) await remove();
      return record(posted);
    },
  };
}

/** Posts what a fake platform says, as a door does. */
export async function sending(
  post: Pick<Post, 'checkLease' | 'recordSent'>,
  act: () => Posted | Promise<Posted>,
): Promise<StoredPost> {
  await post.checkLease();
  return post.recordSent(await act(), async () => {});
}

export function makeTestPoster(door: DoorName = 'web'): TestPoster {
  const messages: TestPoster['messages'] = [];
  const failures: TestPoster['failures'] = { post: [], edit: [] };
  const posts: ThreadPost[] = [];
  const openings: OpeningPost[] = [];
  const edits: TestPoster['edits'][number][] = [];
  const poster: TestPoster = {
    door,
    messages,
    posts,
    openings,
    edits,
    failures,
    standing: 'member',
    beforeEdit: async () => {},
    async open(opening) {
      openings.push(opening);
      return sending(opening, () => {
        const failure = failures.post.shift();
        if (failure !== undefined) throw failure;
        return { message: `o${openings.length}`, thread: `own-${openings.length}` };
      });
    },
    async post(post) {
      const { thread = {}, key } = post;
      const idsOf = (message: string) => ({
        message,
        ...(thread.thread !== undefined && { thread: thread.thread }),
      });
      const earlier = post.outcomeUnknown && messages.find((one) => one.key === key);
      if (earlier) return post.record(idsOf(earlier.id));
      posts.push(post);
      return sending(post, () => {
        const failure = failures.post.shift();
        if (failure !== undefined) throw failure;
        const id = `m${messages.length + 1}`;
        messages.push({ id, key, thread, shown: [post.reply] });
        return idsOf(id);
      });
    },
    async edit(_, { message }, reply) {
      await poster.beforeEdit();
      const failure = failures.edit.shift();
      if (failure !== undefined) throw failure;
      edits.push({ message, reply });
      messages.find(({ id }) => id === message)?.shown.push(reply);
    },
    postPrivately: (post) => sending(post, () => ({ message: `to ${post.person}` })),
    archive: async () => {},
    missingRequirements: async () => [],
    membershipOf: async () => poster.standing,
    notify: async () => {},
  };
  return poster;
}
