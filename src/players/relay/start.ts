import { topicOf } from '../../dispatch/board/topic.ts';
import { flagOf } from '../../dispatch/parse/options.ts';
import type { Reply } from '../../reply/model/types.ts';
import { movedReply, relayReply } from '../../reply/replies/relay.ts';
import { formatBoard } from '../../solver/board.ts';
import { type RelayContext, rest, topicFor, watch, withoutMessage } from './context.ts';
import { endOf, startRelay } from './game.ts';
import { findRelayThread, type Game, saveRelay } from './game-store.ts';
import { postMessage, shownOf } from './message.ts';

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
