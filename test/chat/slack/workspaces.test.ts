import { webApi } from '@slack/bolt';
import type { Installation } from '@slack/oauth';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeClient, SlackApi } from '../../../src/chat/slack/api.ts';
import { NotInstalled } from '../../../src/chat/slack/errors.ts';
import { makeUploads } from '../../../src/chat/slack/uploads.ts';
import { ManyWorkspaces, makeOneWorkspace } from '../../../src/chat/slack/workspaces.ts';
import { MINUTE } from '../../../src/core/clock.ts';
import { TokenEncryption } from '../../../src/core/token-encryption.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import { makeTestApp, type TestApp } from '../../fakes/app.ts';
import { pictures } from '../../fakes/pictures.ts';
import { replaceMethods } from '../../fakes/replace-methods.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { sharedTenant } from '../../fakes/stored.ts';
import { KEY, makeSlackApp, openSlack } from './open-slack.ts';

const FULL = new Error('the disk is full');

it('a removal that could not be stored is stored at the next sign of it', async () => {
  const { fake, workspace, test, close } = await openSlack();
  onTestFinished(close);
  const { app, store } = test;
  const team = workspace.id;
  vi.spyOn(sharedTenant(store, `slack:${team}`), 'markRemoved').mockRejectedValueOnce(FULL);
  const client = makeClient(app.log, fake.apiUrl);
  const slack = makeOneWorkspace(app, client, fake.install(workspace, {}));
  await expect(slack.markRemoved(team, undefined)).rejects.toThrow(FULL);
  await slack.markRemoved(team, undefined);
  expect(await store.allTenants.tenants('slack')).toMatchObject([{ removed: true }]);
  expect(await slack.find(team)).toBeUndefined();
  const errors = test.logged.filter(({ level }) => level === 'error').map(({ message }) => message);
  expect(errors).toEqual([expect.stringContaining('set SLACK_BOT_TOKEN to its new token')]);
  expect(slack.trouble()).toBe(errors[0]);
  test.allowErrors(...errors);
});

it('a token of another workspace leaves those of the database as they are', async () => {
  const test = await makeSlackApp();
  await test.store.tenant('slack:T0OTHER').subscriptions.save('C1', {}, { version: 0, by: 'a', at: 0 });
  const { door, close } = await openSlack({ test });
  onTestFinished(close);
  const missing = await door.poster.missingRequirements({ tenant: 'slack:T0OTHER', channel: 'C1' });
  expect(missing).toHaveLength(1);
  expect(await test.store.allTenants.subscriptions()).toHaveLength(1);
});

describe('workspaces that installed the app', () => {
  let world: TestApp;
  beforeEach(async () => {
    world = await makeTestApp({ words: WORDS, house });
  });
  afterEach(() => world.close());

  const makeMany = () => {
    const provider = { clientId: '1.2', clientSecret: 'secret', stateSecret: 'a secret' };
    return new ManyWorkspaces(world.app, new TokenEncryption([KEY]), provider);
  };
  /** The Web API with a client of our own. */
  const apiWith = (
    apiCall: ReturnType<typeof makeClient>['apiCall'],
    workspaces: ManyWorkspaces = replaceMethods(makeMany(), { token: async () => 'xoxb-1' }),
  ) => {
    const client = replaceMethods(makeClient(world.app.log, undefined), { apiCall });
    return new SlackApi(client, workspaces, world.app);
  };
  /** An installation as the library gives it to its store. */
  const installation = (token: string, organization?: string): Installation => ({
    team: organization === undefined ? { id: 'T1', name: 'Acme' } : undefined,
    enterprise: organization === undefined ? undefined : { id: organization, name: 'Umbrella' },
    isEnterpriseInstall: organization !== undefined,
    authVersion: 'v2',
    user: { id: 'U7', token: undefined, scopes: undefined },
    bot: { id: 'B1', userId: 'U1', scopes: ['chat:write'], token },
  });

  it('a revoked token that was replaced since does not remove the new installation', async () => {
    const workspaces = makeMany();
    const installWith = (token: string) => workspaces.storeInstallation(installation(token));
    await installWith('xoxb-old');
    const api = apiWith(async (_, { token } = {}) => {
      if (token === 'xoxb-old') await installWith('xoxb-new');
      throw new webApi.WebAPIPlatformError({ ok: false, error: 'token_revoked' });
    }, workspaces);
    const post = () => api.call('T1', 'chat.postMessage', {});
    await expect(post()).rejects.toThrow('token_revoked');
    expect(await workspaces.token('T1')).toBe('xoxb-new');
    await expect(post()).rejects.toThrow('token_revoked');
    expect(await workspaces.find('T1')).toBeUndefined();
  });

  it('a post’s lease is checked after its token was found, right before the request', async () => {
    const order: string[] = [];
    const workspaces = replaceMethods(makeMany(), {
      async token() {
        order.push('token');
        return 'xoxb-1';
      },
    });
    const api = apiWith(async (method) => {
      order.push(method);
      return { ok: true };
    }, workspaces);
    await api.call('T1', 'chat.postMessage', {}, async () => void order.push('lease'));
    expect(order).toEqual(['token', 'lease', 'chat.postMessage']);
  });

  it.each([
    ['missing', () => ({ ok: true, response_metadata: { scopes: ['chat:write'] } }), false],
    [
      'not told by Slack',
      () => {
        throw new Error('no answer');
      },
      true,
    ],
  ])('a scope that is %s is asked about again after a minute at the earliest', async (_, answer, may) => {
    let asked = 0;
    const api = apiWith(async () => {
      asked++;
      return answer();
    });
    for (const expected of [1, 1, 2, 2]) {
      expect(await api.may('T1', 'users:read')).toBe(may);
      expect(asked).toBe(expected);
      world.clock.time += MINUTE / 2;
    }
  });

  it('a scope that was given is not lost by a late answer to an earlier request', async () => {
    const answers = { 'chat.postMessage': ['chat:write'], 'auth.test': ['chat:write', 'users:read'] };
    const [sent, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const called: string[] = [];
    const api = apiWith(async (method) => {
      called.push(method);
      if (method === 'chat.postMessage') {
        sent.resolve();
        await late.promise;
      }
      return { ok: true, response_metadata: { scopes: answers[method as keyof typeof answers] } };
    });
    const posting = api.call('T1', 'chat.postMessage', {});
    await sent.promise;
    world.clock.time += MINUTE;
    expect(await api.may('T1', 'users:read')).toBe(true);
    late.resolve();
    await posting;
    expect(await api.may('T1', 'users:read')).toBe(true);
    expect(called).toEqual(['chat.postMessage', 'auth.test']);
  });

  it('a picture is uploaded once for each of them, since none can show the file of another', async () => {
    const uploads: string[] = [];
    const api = replaceMethods(new SlackApi(makeClient(world.app.log, undefined), makeMany(), world.app), {
      may: async () => true,
      async upload(team) {
        if (team === 'T3') throw new webApi.WebAPIPlatformError({ ok: false, error: 'missing_scope' });
        uploads.push(team);
        return `F-${team}`;
      },
    });
    const picture = { board: parseBoard('ozu nri lfa mbt') };
    const { fileOf } = makeUploads(world.app, api, pictures);
    const files = () => Promise.all(['T1', 'T2', 'T1'].map((team) => fileOf(team, picture)));
    for (const _ of ['at the same time', 'again'])
      expect(await files()).toMatchObject([{ id: 'F-T1' }, { id: 'F-T2' }, { id: 'F-T1' }]);
    expect(uploads).toEqual(['T1', 'T2']);
    // A missing scope may be intended.
    expect(await fileOf('T3', picture)).toBeUndefined();
    expect(world.logged.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('an installation is not in use where the store can’t note that it is back', async () => {
    vi.spyOn(sharedTenant(world.store, 'slack:T1'), 'markPresent').mockRejectedValueOnce(FULL);
    const workspaces = makeMany();
    await expect(workspaces.storeInstallation(installation('xoxb-1'))).rejects.toThrow(FULL);
    expect(await workspaces.find('T1')).toBeUndefined();
  });

  it('a new installation replaces tokens that could not be stored', async () => {
    const put = vi.spyOn(sharedTenant(world.store, 'slack:T1').installation, 'put');
    const workspaces = makeMany();
    put.mockRejectedValueOnce(FULL).mockRejectedValueOnce(FULL);
    const refreshed = { ...installation('xoxb-2'), user: { id: '', token: undefined, scopes: undefined } };
    await workspaces.storeInstallation(refreshed);
    world.expectErrors('refreshed tokens are not stored yet');
    expect(await workspaces.token('T1')).toBe('xoxb-2');
    expect(world.logged.filter(({ level }) => level === 'error')).toHaveLength(1);
    await workspaces.storeInstallation(installation('xoxb-3'));
    expect(await workspaces.token('T1')).toBe('xoxb-3');
    // Those that Slack refuses may be stored no earlier than that.
    put.mockRejectedValueOnce(FULL);
    await workspaces.storeInstallation({ ...refreshed, bot: { ...refreshed.bot!, token: 'xoxb-4' } });
    await workspaces.markRemoved('T1', 'xoxb-4');
    expect(await workspaces.find('T1')).toBeUndefined();
  });

  it('an organization that removes the app leaves other installations alone', async () => {
    const workspaces = makeMany();
    for (const organization of ['E1', 'E2', undefined])
      await workspaces.storeInstallation(installation('xoxb-1', organization));
    await workspaces.markRemoved('E1', 'xoxb-1');
    const found = await Promise.all(['E1', 'E2', 'T1'].map((team) => workspaces.find(team)));
    expect(found.map((one) => one?.team)).toEqual([undefined, 'E2', 'T1']);
    await workspaces.storeInstallation(installation('xoxb-2', 'E1'));
    const tenants = await world.store.allTenants.tenants('slack');
    expect(tenants.filter(({ removed }) => removed)).toEqual([]);
  });

  it('what is stored in another form is named by its workspace, and no part of it by the error', async () => {
    const { installation } = world.store.tenant('slack:T1');
    for (const text of ['{"token":"xoxb-secret"', '{"token":"xoxb-secret"}']) {
      await installation.put(new TokenEncryption([KEY]).encrypt(text, 'slack:T1'));
      const error = await makeMany()
        .token('T1')
        .catch((thrown: unknown) => thrown);
      expect(String(error)).toBe(
        'Unreadable: the tokens of slack:T1 are not in the form in which they are stored',
      );
    }
  });

  it('a workspace without an installation counts as it did, as after a change from the token of one', async () => {
    const tenant = world.store.tenant('slack:T1');
    await tenant.subscriptions.save('C1', {}, { version: 0, by: 'a', at: 0 });
    await expect(makeMany().token('T1')).rejects.toThrow(NotInstalled);
    expect(await world.store.allTenants.subscriptions()).toHaveLength(1);
  });
});
