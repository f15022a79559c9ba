import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeClient } from '../../../../src/chat/slack/api/slack-api.ts';
import { ManyWorkspaces } from '../../../../src/chat/slack/install/many-workspaces.ts';
import { TokenEncryption } from '../../../../src/chat/slack/install/token-encryption.ts';
import { makeTestApp, type TestApp } from '../../../fakes/app.ts';
import { house, WORDS } from '../../../fakes/small-board.ts';
import { KEY } from '../open-slack.ts';

let world: TestApp;
beforeEach(async () => {
  world = await makeTestApp({ words: WORDS, house });
});
afterEach(() => world.close());

it('a revoked token that was replaced since does not remove the new installation', async () => {
  const client = makeClient(world.app.log, undefined);
  const oauth = { clientId: '1.2', clientSecret: 'secret' };
  const workspaces = new ManyWorkspaces(world.app, client, new TokenEncryption([KEY]), oauth);
  const installation = { team: 'T1', botId: 'B1', botUser: 'U1', scopes: ['chat:write'] };
  await workspaces.install({ ...installation, token: 'xoxb-old' });
  await workspaces.install({ ...installation, token: 'xoxb-new' });
  await workspaces.markRemoved('T1', 'xoxb-old');
  expect(await workspaces.token('T1')).toBe('xoxb-new');
  await workspaces.markRemoved('T1', 'xoxb-new');
  expect(await workspaces.find('T1')).toBeUndefined();
});
