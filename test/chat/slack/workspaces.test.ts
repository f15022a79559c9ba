import { expect, it, onTestFinished } from 'vitest';
import { makeClient } from '../../../src/chat/slack/api.ts';
import { OneWorkspace } from '../../../src/chat/slack/workspaces.ts';
import { replaceMethods } from '../../fakes/replace-methods.ts';
import { makeSlackApp, openSlack } from './open-slack.ts';

it('a removal that could not be stored is stored at the next sign of it', async () => {
  const { fake, workspace, test, close } = await openSlack();
  onTestFinished(close);
  const { store, clock, log } = test.app;
  let fails = true;
  const tenant: typeof store.tenant = (name) =>
    replaceMethods(store.tenant(name), {
      markRemoved: async (at) => {
        if (fails) throw new Error('the disk is full');
        await store.tenant(name).markRemoved(at);
      },
    });
  const team = workspace.id;
  const slack = new OneWorkspace(
    { store: { ...store, tenant }, clock, log },
    makeClient(log, fake.apiUrl),
    fake.install(workspace, {}),
  );
  await expect(slack.markRemoved(team)).rejects.toThrow('the disk is full');
  fails = false;
  await slack.markRemoved(team);
  expect(await store.allTenants.tenants('slack')).toMatchObject([{ removed: true }]);
  expect(await slack.find(team)).toBeUndefined();
  const warnings = test.logged.filter(({ level }) => level === 'warn').map(({ message }) => message);
  expect(warnings).toEqual([expect.stringContaining('set SLACK_BOT_TOKEN to its new token')]);
  expect(slack.trouble()).toBe(warnings[0]);
});

it('a token of another workspace leaves those of the database as they are, and says so', async () => {
  const test = await makeSlackApp();
  await test.store.tenant('slack:T0OTHER').subscriptions.save('C1', {}, { version: 0, by: 'a', at: 0 });
  const { door, close } = await openSlack({ test });
  onTestFinished(close);
  const warning = test.logged.find(({ level }) => level === 'warn');
  expect(warning).toMatchObject({ fields: { door: 'slack', workspaces: ['slack:T0OTHER'] } });
  const missing = await door.poster!.missingRequirements({ tenant: 'slack:T0OTHER', channel: 'C1' });
  expect(missing).toHaveLength(1);
  expect(await test.store.allTenants.subscriptions()).toHaveLength(1);
});
