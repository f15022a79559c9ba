import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ALL_SCOPES, OVERVIEW } from '../../../src/chat/slack/manifest.ts';
import { DAY, HOUR, MINUTE } from '../../../src/core/clock.ts';
import { StoreError } from '../../../src/core/errors.ts';
import { TokenEncryption } from '../../../src/core/token-encryption.ts';
import { DEFAULT_SETTINGS } from '../../../src/daily/settings/settings.ts';
import { escapeHtml } from '../../../src/http/pages.ts';
import { erasedLinksKey } from '../../../src/players/privacy.ts';
import { SQLITE_FILE } from '../../../src/store/store.ts';
import { testDaily } from '../../daily/ground.ts';
import { makeTestApp } from '../../fakes/app.ts';
import { makeFolder } from '../../fakes/folder.ts';
import { openNewStore } from '../../fakes/new-store.ts';
import type { Person, UserAction } from '../../fakes/slack/people.ts';
import type { Workspace } from '../../fakes/slack/world.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { exportOf, sharedTenant } from '../../fakes/stored.ts';
import { KEY, messageOf, type OpenedSlack, openingPost, openSlack, read, viewOf } from './open-slack.ts';

let slack: OpenedSlack;
afterEach(() => slack.close());

/** The page that begins an installation: its link to Slack, and the cookie that belongs to it. */
async function openInstallPage() {
  const page = await fetch(`${slack.url}/slack/install`);
  const cookies = page.headers.get('set-cookie')!;
  const link = /href="([^"]+)"/.exec(await page.text())![1]!.replaceAll('&amp;', '&');
  return { link, cookies, headers: { cookie: cookies.split(';')[0]! } };
}

/** What a browser does from the install page until Slack sends it back. */
async function install(
  workspace: Workspace,
  user: Person,
  change: (back: string) => string = (back) => back,
  organization?: string,
) {
  const { link, headers } = await openInstallPage();
  return fetch(change(slack.fake.allow(link, workspace, user, organization)), { headers });
}

const open = async (options = {}) => {
  slack = await openSlack({ mode: 'http', many: true, ...options });
};

const REPLY = { title: 'Hello', blocks: [], audience: 'everyone' } as const;
const postTo = (where: Pick<OpenedSlack, 'workspace' | 'channel'>) =>
  slack.door.poster.open(openingPost(where, REPLY));

describe('installing by OAuth', () => {
  it('keeps two workspaces apart', async () => {
    await open();
    const { fake, workspace: acme, ann, channel: here, test } = slack;
    const other = fake.addWorkspace('umbrella');
    const zoe = fake.addPerson(other);
    const there = fake.addChannel(other, [zoe]);
    expect((await install(acme, ann)).status).toBe(200);
    expect(await (await install(other, zoe)).text()).toContain('It is in your workspace');

    const hint = await messageOf(ann.slash(here, '/letterboxed hint'));
    expect(read(hint)).toContain('Hint 1 of');
    await messageOf(ann.slash(here, '/letterboxed hint'));
    expect(read(await messageOf(zoe.slash(there, '/letterboxed hint')))).toContain('Hint 1 of');

    const [mine, theirs] = [test.store.tenant(`slack:${acme.id}`), test.store.tenant(`slack:${other.id}`)];
    expect((await exportOf(test.store, mine.tenant, ann.id))?.hints).toHaveLength(2);
    expect(await exportOf(test.store, theirs.tenant, ann.id)).toBeUndefined();
    const channel = { tenant: `slack:${other.id}`, channel: here.id };
    await expect(slack.door.poster.edit(channel, { message: hint.ts }, REPLY)).rejects.toMatchObject({
      kind: 'refused',
    });
    // A picture of one workspace is not a file of the other.
    expect([...other.files.keys()].some((id) => acme.files.has(id))).toBe(false);
  });

  it('asks for the optional scopes, too, and knows which of them somebody left out', async () => {
    await open();
    const { fake, workspace, ann, bob, channel } = slack;
    const ask = async () => read(await messageOf(bob.slash(channel, '/letterboxed daily on')));
    await install(workspace, ann);
    expect(await ask()).toContain('The daily thread is on');
    // Somebody installs it once more, and ticks one of them.
    const { link, headers } = await openInstallPage();
    expect(new URL(link).searchParams.get('scope')?.split(',')).toEqual(ALL_SCOPES);
    const back = fake.allow(link, workspace, ann, undefined, ['users:read']);
    expect((await fetch(back, { headers })).status).toBe(200);
    slack.test.clock.time += MINUTE + 1;
    expect(await ask()).toContain('You need to be an admin or owner');
  });

  it('has the page that Slack’s directory asks for, to which the address of the bot leads', async () => {
    await open();
    const page = await fetch(slack.url);
    expect(page.url).toBe(`${slack.url}/slack/install`);
    const html = await page.text();
    expect(html).toContain(escapeHtml(OVERVIEW));
    expect(html).toMatch(/<a class="button" href="http[^"]+">Add to Slack<.*href="..\/privacy"/s);
    const pictures = [...html.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, picture]) => picture!);
    expect(pictures).toHaveLength(2);
    for (const picture of pictures) {
      const response = await fetch(new URL(picture, page.url));
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    }
    expect(page.headers.get('content-security-policy')).toContain("img-src 'self'");
    // The site, whose first page shows the same, is served beside it.
    expect(slack.door.landing).toMatch(
      /^<h2>Letter Boxed for Slack<.*href="slack\/install">Add to Slack<.*href="privacy"/s,
    );
  });

  it('works with Socket Mode, too', async () => {
    slack = await openSlack({ mode: 'socket', many: true });
    await install(slack.workspace, slack.ann);
    expect(read(await messageOf(slack.ann.slash(slack.channel, '/letterboxed about')))).not.toBe('');
  });

  it('stores and logs no readable token', async () => {
    await open();
    await install(slack.workspace, slack.ann);
    const tenant = `slack:${slack.workspace.id}`;
    const encrypted = await slack.test.store.tenant(tenant).installation.get();
    const { token } = slack.fake.tokens.ofWorkspace(slack.workspace.id)[0]!;
    expect(encrypted).not.toContain(token);
    expect(JSON.parse(new TokenEncryption([KEY]).decrypt(encrypted!, tenant)!)).toMatchObject({
      bot: { token },
    });
    expect(JSON.stringify(slack.test.logged)).not.toContain(token);
  });

  it('accepts a state once, though a browser keeps its cookie', async () => {
    await open();
    const { fake, workspace, ann } = slack;
    const { link, headers } = await openInstallPage();
    const answers: number[] = [];
    for (let times = 0; times < 2; times++)
      answers.push((await fetch(fake.allow(link, workspace, ann), { headers })).status);
    expect(answers).toEqual([200, 400]);
    expect(fake.tokens.ofWorkspace(workspace.id)).toHaveLength(1);
  });

  it('refuses a state of another browser, and an expired one', async () => {
    await open();
    const { link, cookies, headers } = await openInstallPage();
    expect(cookies).toMatch(/HttpOnly; SameSite=Lax/);
    const back = slack.fake.allow(link, slack.workspace, slack.ann);
    expect((await fetch(back)).status).toBe(400);
    // The library reads the system's clock.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * MINUTE });
    onTestFinished(() => void vi.useRealTimers());
    expect((await fetch(back, { headers })).status).toBe(400);
    // Anybody may send these.
    expect(slack.test.logged.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('answers in an outage of the store what needs no store, by the response URL', async () => {
    await open();
    const { workspace, ann, channel, test } = slack;
    await install(workspace, ann);
    const { installation } = sharedTenant(test.store, `slack:${workspace.id}`);
    const gone = new StoreError('store.unreachable', 'gone');
    const reading = vi.spyOn(installation, 'get').mockRejectedValue(gone);
    expect(read(await messageOf(ann.slash(channel, '/letterboxed about')))).toContain('Letter Boxed bot');
    expect(reading).toHaveBeenCalled();
    reading.mockRestore();
  });

  it('shows a page when it was cancelled, and when the code was wrong', async () => {
    await open();
    const off = await fetch(`${slack.url}/slack/oauth_redirect?error=access_denied`);
    expect([off.status, await off.text()]).toEqual([200, expect.stringContaining('nothing was installed')]);
    const bad = await install(slack.workspace, slack.ann, (back) => back.replace('code=', 'code=1'));
    expect([bad.status, await bad.text()]).toEqual([500, expect.stringContaining('Start again')]);
  });
});

describe('an organization', () => {
  const ORGANIZATION = 'E1';
  const installAll = async () => {
    await open();
    const { fake, workspace: acme, ann } = slack;
    const other = fake.addWorkspace('umbrella');
    const zoe = fake.addPerson(other);
    const there = fake.addChannel(other, [zoe]);
    for (const one of [acme, other]) fake.addToOrganization(one, ORGANIZATION);
    const page = await install(acme, ann, undefined, ORGANIZATION);
    expect(await page.text()).toContain('It is in your organization');
    return { other, zoe, there };
  };
  const whole = { id: ORGANIZATION } as Workspace;

  it('installs it once for all its workspaces, which count as one, also where a button names none', async () => {
    const { zoe, there } = await installAll();
    const { ann, bob, channel: here, test } = slack;
    expect(read(await messageOf(ann.slash(here, '/letterboxed hint')))).toContain('Hint 1 of');
    expect(read(await messageOf(zoe.slash(there, '/letterboxed hint')))).toContain('Hint 1 of');
    await messageOf(ann.slash(here, '/letterboxed race'));
    const race = here.messages.find(({ byApp }) => byApp)!;
    expect(read(await messageOf(bob.press(race, 'Join')))).toContain('You’re in the race');
    const tenants = await test.store.allTenants.tenants('slack');
    expect(tenants.map(({ tenant }) => tenant)).toEqual([`slack:${ORGANIZATION}`]);
    expect((await exportOf(test.store, `slack:${ORGANIZATION}`, ann.id))?.hints).toHaveLength(1);
  });

  it('is told from its workspaces that installed it themselves, whose people are the same', async () => {
    const { other, zoe, there } = await installAll();
    const { ann, channel: here, test, fake } = slack;
    await install(other, zoe);
    await messageOf(zoe.slash(there, '/letterboxed hint'));
    await messageOf(ann.slash(here, '/letterboxed hint'));
    const [mine, theirs] = [
      sharedTenant(test.store, `slack:${ORGANIZATION}`),
      test.store.tenant(`slack:${other.id}`),
    ];
    expect(await exportOf(test.store, theirs.tenant, ann.id)).toBeUndefined();
    // The same person of the organization in the other workspace, and somebody outside of it with their id.
    const outside = test.store.tenant('slack:TOUTSIDE');
    const stored = vi.spyOn(mine, 'setOrganization');
    for (const tenant of [theirs, outside]) await tenant.people.choose(ann.id, { listed: true });
    await messageOf(ann.slash(here, '/letterboxed privacy delete sure'));
    expect(stored, 'was stored with the first request').not.toHaveBeenCalled();
    const ended = await erasedLinksKey({
      who: { id: ann.id },
      where: { tenant: theirs.tenant, channel: there.id },
    });
    expect(await test.store.events.markedUntil(ended, test.clock.now())).toBeDefined();
    for (const tenant of [mine, theirs])
      expect(await exportOf(test.store, tenant.tenant, ann.id)).toBeUndefined();
    expect(await exportOf(test.store, outside.tenant, ann.id)).toBeDefined();
    // A workspace that has moved to another organization shares nothing with the first.
    fake.addToOrganization(other, 'E2');
    await messageOf(zoe.slash(there, '/letterboxed about'));
    await mine.people.choose(zoe.id, { hidden: true });
    expect(await test.store.allPeople.isHidden(theirs.tenant, zoe.id)).toBe(false);
    expect(await test.store.allPeople.isHidden(mine.tenant, zoe.id)).toBe(true);
    // A post comes without a request that names the organization.
    expect((await postTo({ workspace: other, channel: there })).message).toBeDefined();
    expect(there.messages.at(-1)?.byApp).toBe(true);
  });

  it.each([
    ['installed it', ORGANIZATION],
    ['has a workspace that did', undefined],
  ])('that %s is not mistaken for that of a guest, though theirs has it, too', async (_, installer) => {
    await open();
    const { workspace, ann, channel, fake, test } = slack;
    const theirs = fake.addWorkspace('umbrella');
    fake.addToOrganization(theirs, 'E9');
    await install(theirs, fake.addPerson(theirs), undefined, 'E9');
    fake.addToOrganization(workspace, ORGANIZATION);
    await install(workspace, ann, undefined, installer);
    const tenant = sharedTenant(test.store, `slack:${installer ?? workspace.id}`);
    const stored = vi.spyOn(tenant, 'setOrganization');
    const home = await viewOf(ann.openHome());
    const form = await viewOf(ann.slash(channel, '/letterboxed solve'));
    // Slack does not say whether a view names the organization or one of its workspaces.
    Object.assign(form, { app_installed_team_id: workspace.id });
    expect(stored).toHaveBeenCalledExactlyOnceWith(ORGANIZATION);
    const asGuest = (act: () => UserAction) => {
      fake.addToOrganization(workspace, 'E9');
      const action = act();
      fake.addToOrganization(workspace, ORGANIZATION);
      return action;
    };
    const answer = await messageOf(asGuest(() => ann.submit({ Sides: 'ozu nri lfa mbt' })));
    expect(read(answer)).toContain('OZU NRI LFA MBT');
    await viewOf(asGuest(() => ann.press(home, 'Hint: words needed (1 point)')));
    await expect.poll(async () => (await exportOf(test.store, tenant.tenant, ann.id))?.hints).toHaveLength(1);
    expect(await exportOf(test.store, 'slack:E9', ann.id)).toBeUndefined();
    expect(stored).toHaveBeenCalledOnce();
  });

  it('takes it from one workspace, and the others keep it', async () => {
    const { other, there } = await installAll();
    const { channel: here, fake, door } = slack;
    expect((await postTo({ workspace: whole, channel: there })).message).toBeDefined();
    fake.takeFromWorkspace(other);
    const refused = { kind: 'refused', missingRequirements: [{ what: 'to be installed in this workspace' }] };
    await expect(postTo({ workspace: whole, channel: there })).rejects.toMatchObject(refused);
    expect((await postTo({ workspace: whole, channel: here })).message).toBeDefined();
    const missing = () =>
      door.poster.missingRequirements({ tenant: `slack:${ORGANIZATION}`, channel: there.id });
    expect(await missing()).toHaveLength(1);
    fake.addToOrganization(other, ORGANIZATION);
    expect(await missing()).toEqual([]);
  });
});

describe('token rotation', () => {
  const tokensOf = () => slack.fake.tokens.ofWorkspace(slack.workspace.id);
  const post = () => postTo(slack);
  // The library reads the system's clock.
  const pass = (milliseconds: number) => {
    slack.test.clock.time += milliseconds;
    vi.setSystemTime(slack.test.clock.time);
  };
  const openRotating = async (options = {}) => {
    await open({ rotation: true, ...options });
    vi.useFakeTimers({ toFake: ['Date'], now: slack.test.clock.now() });
    onTestFinished(() => void vi.useRealTimers());
    await install(slack.workspace, slack.ann);
  };

  it('happens once for many calls at the same time', async () => {
    await openRotating();
    pass(DAY);
    slack.fake.faults.inject({ kind: 'status', status: 503, method: 'oauth.v2.access', after: 1 });
    await Promise.all(Array.from({ length: 10 }, post));
    expect(tokensOf()).toHaveLength(2);
    // Left over, since there was no second refresh.
    expect(slack.fake.faults.take('oauth.v2.access')).toMatchObject({ status: 503 });
  });

  it('loses no workspace when the store fails right after it', async () => {
    const folder = makeFolder();
    const store = await openNewStore(folder);
    onTestFinished(() => store.close());
    await openRotating({ test: await makeTestApp({ store, words: WORDS, house }) });
    pass(DAY);
    const database = new DatabaseSync(join(folder, SQLITE_FILE));
    database.exec("create trigger full before update on installation begin select raise(abort, 'full'); end");
    slack.test.expectErrors('refreshed tokens are not stored yet');
    await post();
    database.exec('drop trigger full');
    database.close();
    pass(HOUR);
    await post();
    expect(tokensOf()).toHaveLength(2);
    pass(12 * HOUR);
    await post();
    expect(tokensOf()).toHaveLength(3);
  });

  it('is retried after a failure, and the old token is used while it is valid', async () => {
    await openRotating();
    pass(11 * HOUR);
    slack.fake.faults.inject({ kind: 'status', status: 503, method: 'oauth.v2.access' });
    await post();
    expect(tokensOf()).toHaveLength(1);
    pass(2 * HOUR);
    await post();
    expect(tokensOf()).toHaveLength(2);
  });
});

describe('encryption keys', () => {
  const NEW = 'ff'.repeat(32);
  /** Another process, with these keys. */
  const openWith = (keys: readonly string[]) =>
    openSlack({
      mode: 'http',
      many: true,
      test: slack.test,
      door: { apiUrl: slack.fake.apiUrl, workspaces: { ...OAUTH, keys } },
    });

  it('are changed by putting a new one first, which encrypts all installations at the start and each that is read', async () => {
    await open();
    const other = slack.fake.addWorkspace('umbrella');
    await install(slack.workspace, slack.ann);
    await install(other, slack.fake.addPerson(other));
    const tenants = [slack.workspace, other].map(({ id }) => `slack:${id}`);
    const { store } = slack.test;
    const textOf = async (tenant: string) =>
      new TokenEncryption([NEW]).decrypt((await store.tenant(tenant).installation.get())!, tenant);
    const old = await store.tenant(tenants[0]!).installation.get();
    const second = await openWith([NEW, KEY]);
    expect(await Promise.all(tenants.map(textOf))).not.toContain(undefined);
    // A process that has only the old key has stored tokens since.
    await store.tenant(tenants[0]!).installation.put(old!);
    await expect(
      second.door.poster.missingRequirements({ tenant: tenants[0]!, channel: slack.channel.id }),
    ).resolves.toEqual([]);
    expect(await textOf(tenants[0]!)).toBeDefined();
    await second.close();
  });

  it('that are gone delete nothing, and are no trouble of the door where some workspaces have others', async () => {
    await open();
    const other = slack.fake.addWorkspace('umbrella');
    await install(slack.workspace, slack.ann);
    slack.test.expectErrors('tokens are encrypted with a key that is not in SLACK_TOKEN_KEYS');
    const second = await openWith([NEW]);
    expect(second.door.trouble()).toContain('SLACK_TOKEN_KEYS');
    const there = { tenant: `slack:${slack.workspace.id}`, channel: slack.channel.id };
    const edited = second.door.poster.edit(there, { message: '1.2' }, REPLY);
    await expect(edited).rejects.toMatchObject({ kind: 'later' });
    expect(await slack.test.store.allTenants.installations('slack')).toHaveLength(1);
    await second.close();
    const { installation } = slack.test.store.tenant(`slack:${other.id}`);
    await installation.put(new TokenEncryption([NEW]).encrypt('{}', `slack:${other.id}`));
    const third = await openWith([NEW]);
    expect(third.door.trouble()).toBeUndefined();
    await third.close();
  });
});

const OAUTH = {
  kind: 'many',
  clientId: 'x',
  clientSecret: 'x',
  stateSecret: 'x',
  publicUrl: 'http://127.0.0.1',
} as const;

it('logs once for each workspace that events come from where the app is not installed, and answers people', async () => {
  await open();
  const strangers = [slack.workspace, slack.fake.addWorkspace()];
  for (const workspace of [...strangers, ...strangers]) {
    await slack.fake.sendEvent(workspace, {
      type: 'app_home_opened',
      user: 'U1',
      channel: 'D1',
      tab: 'home',
    });
  }
  const loud = slack.test.logged.filter(({ level }) => level !== 'debug');
  expect(loud.map(({ level, fields }) => [level, fields.event])).toEqual(
    strangers.map(({ id }) => ['warn', `the app is not installed in workspace ${id}`]),
  );
  const { workspace, bob, channel, url, test } = slack;
  const ask = () => messageOf(bob.slash(channel, '/letterboxed hint'));
  const advice = { only: bob.id, text: expect.stringContaining(`opens <${url}/slack/install>`) };
  expect(await ask()).toMatchObject(advice);
  const tenant = `slack:${workspace.id}`;
  const unreadable = new TokenEncryption(['ff'.repeat(32)]).encrypt('{}', tenant);
  await test.store.tenant(tenant).installation.put(unreadable);
  test.expectErrors('a listener failed');
  expect(await ask()).toMatchObject(advice);
});

describe('uninstalling', () => {
  it('leaves no id of the workspace or of a private conversation in any table, and those of others', async () => {
    const folder = makeFolder();
    const store = await openNewStore(folder);
    onTestFinished(() => store.close());
    await open({ test: await makeTestApp({ store, words: WORDS, house }) });
    const { fake, workspace, ann, channel, test } = slack;
    const other = fake.addWorkspace('umbrella');
    const zoe = fake.addPerson(other);
    for (const [where, who] of [
      [workspace, ann],
      [other, zoe],
    ] as const) {
      await install(where, who);
      await messageOf(who.write('solve ozu nri lfa mbt'));
    }
    await messageOf(ann.slash(channel, '/letterboxed hint'));
    const database = new DatabaseSync(join(folder, SQLITE_FILE));
    onTestFinished(() => database.close());
    const names = database.prepare(`select name from sqlite_schema where type = 'table'`).all();
    const rowsOf = (name: unknown) => JSON.stringify(database.prepare(`select * from "${name}"`).all());
    const stored = () => names.map(({ name }) => rowsOf(name)).join('\n');
    expect(rowsOf('processed_event')).toContain(`slack:${workspace.id}\\ndirect`);
    expect(rowsOf('processed_event')).not.toMatch(/D0[0-9A-Z]{8}/);
    expect(stored()).toContain(workspace.id);
    await fake.uninstall(workspace);
    await slack.door.stop();
    await test.store.allTenants.eraseRemoved(test.clock.now());
    expect(stored()).not.toContain(workspace.id);
    expect(stored()).toContain(other.id);
  });

  it('loses no day: the thread comes once the app is installed again', async () => {
    await open();
    const { workspace, ann, test, fake, channel } = slack;
    await install(workspace, ann);
    const tenant = test.store.tenant(`slack:${workspace.id}`);
    const settings = { ...DEFAULT_SETTINGS, zone: 'America/New_York', opening: '08:00', steps: [] };
    test.clock.time = Date.UTC(2026, 10, 20, 12);
    await tenant.subscriptions.save(channel.id, settings, { version: 0, by: ann.id, at: test.clock.time });
    const daily = testDaily({ store: test.store, posters: [slack.door.poster], clock: test.clock });
    const isOpened = async () => (await tenant.deliveries.day(channel.id, '2026-11-20'))?.openedAt != null;
    const minute = async () => {
      test.clock.time += 61 * MINUTE;
      await daily.tick();
      await daily.runDue();
    };
    fake.tokens.kill(workspace.id, 'token_revoked');
    await minute();
    expect(await isOpened()).toBe(false);
    await install(workspace, ann);
    await minute();
    expect(await isOpened()).toBe(true);
    await daily.stop();
  });

  it('changes nothing when Slack reports it again after a new installation', async () => {
    await open();
    const { workspace, ann, fake, test } = slack;
    await install(workspace, ann);
    await fake.uninstall(workspace);
    await install(workspace, ann);
    await fake.sendEvent(workspace, { type: 'app_uninstalled' });
    await fake.sendEvent(workspace, { type: 'tokens_revoked', tokens: { bot: [workspace.botUser] } });
    await slack.door.stop();
    expect(await test.store.allTenants.installations('slack')).toHaveLength(1);
  });

  it('is not believed before Slack says that the token does not work', async () => {
    await open();
    const { workspace, ann, fake, test, channel } = slack;
    await install(workspace, ann);
    fake.faults.inject({ kind: 'status', status: 500, method: 'auth.test', times: 4 });
    const warned = vi.spyOn(test.app.log, 'warn');
    await fake.sendEvent(workspace, { type: 'app_uninstalled' });
    await expect.poll(() => String(warned.mock.calls.at(-1)?.[1])).toContain('could not be checked');
    expect(await test.store.allTenants.installations('slack')).toHaveLength(1);
    const channelRef = { tenant: `slack:${workspace.id}`, channel: channel.id };
    const edit = () => slack.door.poster.edit(channelRef, { message: '1.2' }, REPLY).catch(() => {});
    fake.faults.inject({ kind: 'error', error: 'invalid_auth', method: 'chat.update', times: 2 });
    warned.mockClear();
    for (const _ of ['first', 'second']) await edit();
    expect(warned).toHaveBeenCalledOnce();
    // Of the many workspaces, one whose token is refused is no trouble of the bot.
    expect(slack.door.trouble()).toBeUndefined();
    fake.tokens.kill(workspace.id, 'account_inactive');
    await edit();
    expect(await test.store.allTenants.installations('slack')).toHaveLength(0);
  });

  it('of the one workspace of a token is reported by the door', async () => {
    slack = await openSlack();
    // Nobody else can install it.
    expect(slack.door.landing).toBeUndefined();
    expect(slack.door.trouble()).toBeUndefined();
    await slack.fake.uninstall(slack.workspace);
    await expect.poll(() => slack.door.trouble()).toMatch(/SLACK_BOT_TOKEN/);
    slack.test.allowErrors(slack.door.trouble()!);
  });
});
