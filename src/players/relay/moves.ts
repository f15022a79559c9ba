import { searchOf } from '../../dispatch/board/searches.ts';
import { type Topic, topicOf } from '../../dispatch/board/topic.ts';
import { flagOf } from '../../dispatch/parse/options.ts';
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
import { checkWords } from '../../solver/check.ts';
import { draw, type RelayContext, rest, topicFor, watch, withoutMessage } from './context.ts';
import { endOf, LONGEST, type Move, type Moved, move, startRelay, wordsOf } from './game.ts';
import { findRelayThread, type Game, type RelayThread, type StoredRelay, saveRelay } from './game-store.ts';
import { postMessage, shownOf } from './message.ts';

/** A move made, or not, and the game after it. */
interface Made {
  readonly moved: Moved;
  readonly kept: StoredRelay;
  readonly version: number;
  readonly table: RelayThread;
  readonly topic: Topic;
  /** Somebody else moved while this move was under way. */
  readonly isLate: boolean;
}

export async function addWord(tools: RelayContext, word: string): Promise<Reply> {
  const made = await make(tools, { kind: 'add', word, by: tools.request.who.id });
  if (made === undefined) return nobodyPlays();
  const { moved, topic, isLate } = made;
  switch (moved.outcome) {
    case 'moved':
      return tell(tools, made, moved.relay.end === 'solved' ? 'Solved, all together!' : 'Your word is in');
    case 'wrong':
      return wrongWordReply(topic.subject, word, moved.broken, isLate);
    case 'used':
      return unmovedReply('That word is in the path already', 'Another one gets you further.');
    case 'full':
      return unmovedReply('The path is full', [
        `It has ${LONGEST} words, and no relay takes more. `,
        { command: 'relay undo' },
        ' takes the last one back.',
      ]);
    default:
      return refused(tools, made);
  }
}

export async function takeBack(tools: RelayContext): Promise<Reply> {
  const { id: by, mayManage } = tools.request.who;
  const made = await make(tools, { kind: 'undo', by, mayManage });
  if (made === undefined) return nobodyPlays();
  return made.moved.outcome === 'moved'
    ? tell(tools, made, 'The last word is taken back')
    : refused(tools, made);
}

export async function endRelay(tools: RelayContext): Promise<Reply> {
  const { id: by, mayManage } = tools.request.who;
  const made = await make(tools, { kind: 'stop', by, mayManage });
  if (made === undefined) return nobodyPlays();
  return made.moved.outcome === 'moved' ? tell(tools, made, 'The relay is ended') : refused(tools, made);
}

/** A hint from where the path is, for the one who asked; everyone sees that there was one. */
export async function askHint(tools: RelayContext): Promise<Reply> {
  const { request, app, hint } = tools;
  const made = await make(tools, { kind: 'hint', by: request.who.id });
  if (made === undefined) return nobodyPlays();
  if (made.moved.outcome !== 'moved') return refused(tools, made);
  const { relay } = made.kept;
  const options = { ...made.topic.subject.options, ...wordsOption(wordsOf(relay)) };
  const reply = await hint({ ...request, command: 'hint', options }, app);
  await draw(tools, made);
  return reply;
}

export async function showRelay(tools: RelayContext): Promise<Reply> {
  const { request, app } = tools;
  const { game } = await findRelayThread(request, app);
  if (game === undefined) return nobodyPlays();
  const { subject } = await topicFor(tools, game.kept.relay);
  return relayReply(shownOf(game.kept.relay, subject, app.clock.now()), 'asker');
}

/**
 * One move, made on what the game is when it is saved: if somebody was faster, it is judged anew. Undefined
 * when there is no game.
 */
async function make(tools: RelayContext, made: Move): Promise<Made | undefined> {
  const { request, app } = tools;
  for (let isLate = false; ; isLate = true) {
    const { table, game } = await findRelayThread(request, app);
    if (game === undefined) return undefined;
    const { kept, version } = game;
    const topic = await topicFor(tools, kept.relay);
    const moved = move(kept.relay, made, app.clock.now(), (words) =>
      checkWords(topic.board, words, searchOf(topic, app), topic.judge.isWord),
    );
    if (moved.outcome !== 'moved') return { moved, kept, version, table, topic, isLate };
    const after = { ...kept, relay: moved.relay };
    if (await saveRelay(app, table, after, version))
      return { moved, kept: after, version: version + 1, table, topic, isLate };
  }
}

/** In the game's message, with a word to who moved; or, where there is none, as the answer. */
async function tell(tools: RelayContext, made: Made, title: string): Promise<Reply> {
  const shown = shownOf(made.kept.relay, made.topic.subject, tools.app.clock.now());
  return (await draw(tools, made))
    ? movedReply(shown, title)
    : { ...withoutMessage(tools, shown), replaces: true };
}

async function refused(tools: RelayContext, made: Made): Promise<Reply> {
  const { kept, moved, table, version } = made;
  switch (moved.outcome) {
    case 'not-your-turn':
      return unmovedReply('Not yet', 'The last word is yours. In this game somebody else adds the next one.');
    case 'nothing-to-undo':
      return unmovedReply('There is no word to take back', 'The path is empty.');
    case 'not-yours':
      return unmovedReply(
        'That is for others',
        'A word is taken back by whoever added it, or who started the game; it is ended by anyone who plays.',
      );
    default:
      if (kept.relay.end !== undefined) return nobodyPlays('The last relay here is over.');
      await rest(tools, table, { kept, version });
      return nobodyPlays('The relay here has gone to rest, since nobody added a word for a while.');
  }
}

function nobodyPlays(why = 'Nobody plays here at the moment.'): Reply {
  return noRelayReply([why, ' ', { command: 'relay start' }, ' begins one.']);
}

/** Begins a game where none is on, and posts its message. */
export async function start(tools: RelayContext): Promise<Reply> {
  const { request, app } = tools;
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
    const { table, game } = await findRelayThread(request, app);
    const end = game && endOf(game.kept.relay, now);
    if (game !== undefined && end === undefined) return already(tools, game);
    if (game !== undefined && game.kept.relay.end === undefined) {
      await rest(tools, table, game);
      continue;
    }
    if (!(await saveRelay(app, table, { relay }, game?.version ?? 0))) continue;
    const shown = shownOf(relay, subject, now);
    if (!(await postMessage({ ...tools, table, subject }))) return withoutMessage(tools, shown);
    watch(tools, table, { relay });
    return movedReply(shown, 'The relay is on: its message stands in the thread');
  }
}

async function already(tools: RelayContext, { kept }: Game): Promise<Reply> {
  const { subject } = await topicFor(tools, kept.relay);
  const shown = relayReply(shownOf(kept.relay, subject, tools.app.clock.now()), 'asker');
  const line = 'There is one game a thread, and one is on here already. This is how far it is:';
  return { ...shown, blocks: [{ kind: 'text', lines: [line] }, ...shown.blocks] };
}
