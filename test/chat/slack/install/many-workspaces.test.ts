import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeClient } from '../../../../src/chat/slack/api.ts';
import { NotInstalled } from '../../../../src/chat/slack/errors.ts';
import { ManyWorkspaces, TokenEncryption } from '../../../../src/chat/slack/installations.ts';
import { makeTestApp, type TestApp } from '../../../fakes/app.ts';
import { house, WORDS } from '../../../fakes/small-board.ts';
import { KEY } from '../open-slack.ts';

let world: TestApp;
beforeEach(async () => {
  world = await makeTestApp({ words: WORDS, house });
});
afterEach(() => world.close());

const makeMany = () => {
  const client = makeClient(world.app.log, undefined);
  const oauth = { clientId: '1.2', clientSecret: 'secret' };
  return new ManyWorkspaces(world.app, client, new TokenEncryption([KEY]), oauth);
};
const INSTALLATION = { botId: 'B1', botUser: 'U1', scopes: ['chat:write'] };

it('a revoked token that was replaced since does not remove the new installation', async () => {
  const workspaces = makeMany();
  const installation = { team: 'T1', ...INSTALLATION };
  await workspaces.install({ ...installation, token: 'xoxb-old' });
  await workspaces.install({ ...installation, token: 'xoxb-new' });
  await workspaces.markRemoved('T1', 'xoxb-old');
  expect(await workspaces.token('T1')).toBe('xoxb-new');
  await workspaces.markRemoved('T1', 'xoxb-new');
  expect(await workspaces.find('T1')).toBeUndefined();
});

it('a workspace whose organization lost the app counts as removed, also when a process ended in between', async () => {
  const workspaces = makeMany();
  await workspaces.install({ team: 'E1', ...INSTALLATION, token: 'xoxb-1' });
  expect(await workspaces.find('T1', 'E1')).toMatchObject({ botId: 'B1' });
  const { installation } = world.store.tenant('slack:E1');
  await installation.lose((await installation.get())!, 1);
  await expect(makeMany().token('T1')).rejects.toThrow(NotInstalled);
  expect(await world.store.allTenants.tenants('slack')).toContainEqual({ tenant: 'slack:T1', removed: true });
});

it('a workspace without an installation counts as it did, as after a change from the token of one', async () => {
  const tenant = world.store.tenant('slack:T1');
  await tenant.subscriptions.save('C1', {}, { version: 0, by: 'a', at: 0 });
  await expect(makeMany().token('T1')).rejects.toThrow(NotInstalled);
  expect(await world.store.allTenants.subscriptions()).toHaveLength(1);
});
