import { type REST, Routes } from 'discord.js';
import { type Posted, PostFailure, type PrivatePost } from '../../../dispatch/poster.ts';
import type { RenderServices } from '../render/render.ts';
import { CODE, codeOf, postFailure } from './errors.ts';
import type { Rights } from './rights.ts';
import { findMarked, markOf } from './search.ts';
import { idOf, sendMessage } from './send.ts';

/** Codes that say something about the person, and not about the bot or this message. */
const UNREACHABLE: ReadonlySet<number | undefined> = new Set([
  CODE.cannotTell,
  CODE.invalidRecipient,
  CODE.noMutualServer,
  CODE.unknownUser,
]);

interface PrivateTools {
  readonly rest: REST;
  readonly rights: Rights;
  readonly services: RenderServices;
}

/** Sends a message to a person, unless an earlier attempt did: the bot can always read its own conversations. */
export async function sendPrivately(
  post: PrivatePost,
  { rest, rights, services }: PrivateTools,
): Promise<Posted> {
  // Opening a conversation that is open already gives the same one.
  const thread =
    post.posted?.thread ??
    idOf(await rest.post(Routes.userChannels(), { body: { recipient_id: post.person } }));
  const find = async () => {
    const mark = markOf(post.key);
    const { found, isComplete } = await findMarked(rest, {
      channel: thread,
      marks: [mark],
      me: await rights.me(),
    });
    if (!found.has(mark) && !isComplete)
      throw new PostFailure('invalid', 'the conversation holds more messages than can be searched');
    return found.get(mark);
  };
  const earlier = post.posted?.message ?? (post.outcomeUnknown ? await find() : undefined);
  const message = earlier ?? (await sendMessage(post, thread, null, { rest, services }));
  const posted = { message, thread };
  await post.note(posted);
  return posted;
}

/** A refusal that says nothing about the person may end by itself, so that the message is tried again. */
export async function withPrivateFailure<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    const failure = postFailure(error);
    if (UNREACHABLE.has(codeOf(error))) throw new PostFailure('refused', failure.message, { cause: error });
    if (failure.kind === 'refused') throw new PostFailure('later', failure.message, { cause: error });
    throw failure;
  }
}
