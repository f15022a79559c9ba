import { flagOf } from '../../dispatch/contract.ts';
import { jobAskerOf, type Topic, topicOf } from '../../dispatch/topic.ts';
import { wordsOption } from '../../reply/model/subject.ts';
import type { Reply } from '../../reply/model/types.ts';
import {
  movedReply,
  noRelayReply,
  relayReply,
  unmovedReply,
  wrongWordReply,
} from '../../reply/replies/relay.ts';
import { formatBoard } from '../../solver/board.ts';
import { hasPublicMessages } from '../public-messages.ts';
import {
  endTimedOut,
  planEnd,
  type RelayContext,
  refreshMessage,
  refuseStart,
  topicFor,
  withoutMessage,
} from './context.ts';
import {
  type Check,
  endOf,
  MAX_WORDS,
  type Move,
  type MoveResult,
  move,
  type Relay,
  startRelay,
  wordsOf,
} from './game.ts';
import { findRelay, type LoadedRelay, type RelayThread, type StoredRelay, saveRelay } from './game-store.ts';
import { postMessage, shownOf } from './message.ts';

/** The result of a move, and the game after it. */
interface MadeMove {
  readonly result: MoveResult;
  readonly stored: StoredRelay;
  readonly version: number;
  readonly thread: RelayThread;
  readonly topic: Topic;
  /** Somebody else moved while this move was being made. */
  readonly isOvertaken: boolean;
}

/** Starts a game where none is on, and posts its message. */
export async function start(context: RelayContext): Promise<Reply> {
  const { request, app } = context;
  const { word: _, turns: __, ...about } = request.options;
  const now = app.clock.now();
  const topic = await topicOf({ ...request, options: about }, app);
  const relay = startRelay(
    {
      about: topic.subject.options,
      board: formatBoard(topic.board),
      turns: flagOf(request, 'turns'),
      startedBy: request.who.id,
    },
    now,
  );
  const { subject } = topic;
  for (;;) {
    const { thread, game } = await findRelay(request, app);
    const end = game && endOf(game.stored.relay, now);
    if (game !== undefined && end === undefined) return alreadyOn(context, game);
    if (game !== undefined && game.stored.relay.end === undefined) {
      await endTimedOut(context, thread, game);
      continue;
    }
    const refusal = await refuseStart(request, app, thread);
    if (refusal !== undefined) return refusal;
    if (!(await saveRelay(app, thread, { relay }, game?.version ?? 0))) continue;
    const shown = shownOf(relay, subject, now);
    if (hasPublicMessages(request, app)) await planEnd(app, thread, relay);
    if (!(await postMessage({ ...context, thread, subject }))) return withoutMessage(context, shown);
    return movedReply(shown, 'Relay started in the thread');
  }
}

async function alreadyOn(context: RelayContext, { stored }: LoadedRelay): Promise<Reply> {
  const { subject } = await topicFor(context, stored.relay);
  const shown = relayReply(shownOf(stored.relay, subject, context.app.clock.now()), 'asker');
  const line = 'A relay is already on:';
  return { ...shown, blocks: [{ kind: 'text', lines: [line] }, ...shown.blocks] };
}

export async function addWord(context: RelayContext, word: string): Promise<Reply> {
  const made = await makeMove(context, { kind: 'add', word, by: context.request.who.id });
  if (made === undefined) return noGame();
  const { result, topic, isOvertaken } = made;
  switch (result.outcome) {
    case 'moved':
      return moved(context, made, result.relay.end === 'solved' ? 'Solved together!' : 'Word added');
    case 'wrong':
      return wrongWordReply(topic.subject, word, result.broken, isOvertaken);
    case 'used':
      return unmovedReply('That word was played already', 'Try another one.');
    case 'full':
      return unmovedReply('No more words', [
        `A relay has ${MAX_WORDS} words at most. Take the last one back: `,
        { command: 'relay undo' },
      ]);
    default:
      return refused(context, made);
  }
}

export async function takeBack(context: RelayContext): Promise<Reply> {
  const { id: by, mayManage } = context.request.who;
  const made = await makeMove(context, { kind: 'undo', by, mayManage });
  if (made === undefined) return noGame();
  return made.result.outcome === 'moved'
    ? moved(context, made, 'Last word taken back')
    : refused(context, made, 'undo');
}

export async function endRelay(context: RelayContext): Promise<Reply> {
  const { id: by, mayManage } = context.request.who;
  const made = await makeMove(context, { kind: 'stop', by, mayManage });
  if (made === undefined) return noGame();
  return made.result.outcome === 'moved'
    ? moved(context, made, 'Relay ended')
    : refused(context, made, 'stop');
}

/** A hint from the end of the path, for the asker alone. The game's message shows that there was one. */
export async function askHint(context: RelayContext): Promise<Reply> {
  const { request, app, hint } = context;
  const made = await makeMove(context, { kind: 'hint', by: request.who.id });
  if (made === undefined) return noGame();
  if (made.result.outcome !== 'moved') return refused(context, made);
  const { relay } = made.stored;
  const options = { ...made.topic.subject.options, ...wordsOption(wordsOf(relay)) };
  const reply = await hint({ ...request, command: 'hint', options }, app);
  await refreshMessage(context, made);
  return reply;
}

export async function showRelay(context: RelayContext): Promise<Reply> {
  const { request, app } = context;
  const { game } = await findRelay(request, app);
  if (game === undefined) return noGame();
  const { subject } = await topicFor(context, game.stored.relay);
  return relayReply(shownOf(game.stored.relay, subject, app.clock.now()), 'asker');
}

/**
 * Makes one move, and judges it again when somebody else changed the game before it was saved. Undefined
 * when there is no game.
 */
async function makeMove(context: RelayContext, requested: Move): Promise<MadeMove | undefined> {
  const { request, app } = context;
  for (let isOvertaken = false; ; isOvertaken = true) {
    const { thread, game } = await findRelay(request, app);
    if (game === undefined) return undefined;
    const { stored, version } = game;
    const topic = await topicFor(context, stored.relay);
    const check = await checkFor(context, topic, stored.relay, requested);
    const result = move(stored.relay, requested, app.clock.now(), check);
    if (result.outcome !== 'moved') return { result, stored, version, thread, topic, isOvertaken };
    const after = { ...stored, relay: result.relay };
    if (await saveRelay(app, thread, after, version))
      return { result, stored: after, version: version + 1, thread, topic, isOvertaken };
  }
}

/** The judgement of the words as they would be after this move. Only a word that is added needs one. */
async function checkFor(
  { request, app }: RelayContext,
  { board, source }: Topic,
  relay: Relay,
  requested: Move,
): Promise<Check> {
  if (requested.kind !== 'add') return () => ({ words: [], solved: false });
  const words = [...wordsOf(relay), requested.word];
  const checked = await app.work.run('check', { board, source, words }, jobAskerOf(request));
  return () => checked;
}

/** Shows the move in the game's message, with a short answer for the player; or as the answer if it has none. */
async function moved(context: RelayContext, made: MadeMove, title: string): Promise<Reply> {
  const shown = shownOf(made.stored.relay, made.topic.subject, context.app.clock.now());
  return (await refreshMessage(context, made))
    ? movedReply(shown, title)
    : { ...withoutMessage(context, shown), replaces: true };
}

async function refused(context: RelayContext, made: MadeMove, requested?: Move['kind']): Promise<Reply> {
  const { stored, result, thread, version } = made;
  switch (result.outcome) {
    case 'not-your-turn':
      return unmovedReply('Not your turn', 'You added the last word. Somebody else goes next.');
    case 'nothing-to-undo':
      return unmovedReply('Nothing to take back', 'Nobody has added a word yet.');
    case 'not-yours':
      return requested === 'stop'
        ? unmovedReply('You can’t end this game', 'Everyone who has added a word can.')
        : unmovedReply(
            'You can’t take this word back',
            'Only the person who added it, or who started the game, can.',
          );
    default:
      if (stored.relay.end !== undefined) return noGame('The last relay here is over.');
      await endTimedOut(context, thread, { stored, version });
      return noGame('The relay here ended, because nobody added a word for a while.');
  }
}

function noGame(why?: string): Reply {
  return noRelayReply([...(why === undefined ? [] : [`${why} `]), 'Start one: ', { command: 'relay start' }]);
}
