import { afterEach, beforeEach, expect, it } from 'vitest';
import { ChatRoom, PEOPLE } from '../../../src/chat/web/chat-room.ts';
import { RequestHandlers } from '../../../src/chat/web/request-handlers.ts';
import type { Dispatcher } from '../../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { SoloGames } from '../../../src/players/solo-games.ts';
import { packAction } from '../../../src/reply/model/action.ts';
import { makeTestApp, type TestApp } from '../../fakes/app.ts';
import { madeUp } from '../../fakes/ask.ts';
import { house, WORDS } from '../../fakes/small-board.ts';

/** A list for everyone, whose pages replace one another. */
const list = madeUp({
  name: 'list',
  private: false,
  run: async () => ({ title: 'A page', blocks: [], audience: 'everyone', replaces: true }),
});
/** A private command, whose reply alone does not say so. */
const secret = madeUp({
  name: 'secret',
  private: true,
  run: async () => ({ title: 'A secret', blocks: [], audience: 'everyone' }),
});

let world: TestApp;
let room: ChatRoom;
let dispatcher: Dispatcher;
let handlers: RequestHandlers;
beforeEach(async () => {
  world = await makeTestApp({ words: WORDS, house });
  room = new ChatRoom();
  dispatcher = makeDispatcher(world.app, { commands: [list, secret] });
  handlers = new RequestHandlers({
    app: world.app,
    dispatcher,
    room,
    clock: world.clock,
    games: new SoloGames(world.app),
  });
});
afterEach(() => world.close());

const [ada, ben] = PEOPLE.map((person) => ({ person }));
const seenBy = (person: string) => room.visibleTo(person).messages;

it('a page button changes the message of the person who asked for it, and nobody else’s', async () => {
  await handlers.line(ada!, 'list');
  const value = await packAction({ command: 'list', options: {} }, world.app);
  const [message] = seenBy('ada');
  await handlers.press(ada!, value, message);
  expect(seenBy('ada')).toMatchObject([{ changes: 1 }]);
  await handlers.press(ben!, value, message);
  expect(seenBy('ada')).toMatchObject([{ changes: 1 }, { asker: { name: 'Ben' } }]);
});

it('the answer to a private command is shown to its person alone', async () => {
  await handlers.line(ada!, 'secret');
  expect(seenBy('ada')).toMatchObject([{ only: 'ada' }]);
  expect(seenBy('ben')).toEqual([]);
});
