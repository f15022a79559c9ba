import { endOf, startRelay } from '../../src/players/relay.ts';
import { movedReply, relayReply } from '../../src/reply/relay.ts';
import type { Reply } from '../../src/reply/types.ts';
import { formatBoard } from '../../src/solver/board.ts';
import { topicOf } from '../board/topic.ts';
import { flagOf } from '../dispatch/options.ts';
import { postMessage, shownOf } from './message.ts';
import { type RelayTools, rest, topicFor, watch, withoutMessage } from './stage.ts';
import { findTable, type Game, saveTable } from './table.ts';

/** Begins a game where none is on, and posts its message. */
export async function start(tools: RelayTools): Promise<Reply> {
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
    const { table, game } = await findTable(request, app);
    const end = game && endOf(game.kept.relay, now);
    if (game !== undefined && end === undefined) return already(tools, game);
    if (game !== undefined && game.kept.relay.end === undefined) {
      await rest(tools, table, game);
      continue;
    }
    if (!(await saveTable(app, table, { relay }, game?.version ?? 0))) continue;
    const shown = shownOf(relay, subject, now);
    if (!(await postMessage({ ...tools, table, subject }))) return withoutMessage(tools, shown);
    watch(tools, table, { relay });
    return movedReply(shown, 'The relay is on: its message stands in the thread');
  }
}

async function already(tools: RelayTools, { kept }: Game): Promise<Reply> {
  const { subject } = await topicFor(tools, kept.relay);
  const shown = relayReply(shownOf(kept.relay, subject, tools.app.clock.now()), 'asker');
  const line = 'There is one game a thread, and one is on here already. This is how far it is:';
  return { ...shown, blocks: [{ kind: 'text', lines: [line] }, ...shown.blocks] };
}
