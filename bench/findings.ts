/**
 * Replays the attacks of an outside review, and prints what each of them does now. Tests hold the same where the code is;
 * this is for reading the figures. `npx node bench/findings.ts`
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { COMMANDS } from '../commands/index.ts';
import { HOUR, MINUTE } from '../src/core/clock.ts';
import type { Asker, Options } from '../src/dispatch/contract.ts';
import { makeDispatcher } from '../src/dispatch/dispatcher.ts';
import { makeRouter } from '../src/http/router.ts';
import { healthRoutes } from '../src/operations/observability/health.ts';
import { Metrics } from '../src/operations/observability/metrics.ts';
import { serveWeb } from '../test/chat/web/serve.ts';
import { makeTestApp, NOON, someone, TODAY } from '../test/fakes/app.ts';
import { press, say } from '../test/fakes/ask.ts';
import { makeTestPoster } from '../test/fakes/poster.ts';
import { makeVitals } from '../test/fakes/vitals.ts';
import { LINK_SECRET, openLink, servePages } from '../test/web/pages/serve.ts';

const print = (finding: string, figure: string) => console.log(`| ${finding} | ${figure} |`);
/** How often each thing came: `200 × 300`. */
function counted(all: readonly (string | number)[]): string {
  const groups = Map.groupBy(all, (one) => one);
  return [...groups].map(([one, some]) => `${one} × ${some.length}`).join(', ');
}

console.log('| finding | now |\n|---|---|');

{
  const world = await makeTestApp({
    settings: { COMMANDS_PER_PERSON: '1000', COMMANDS_PER_CHANNEL: '1000' },
  });
  const boss = someone({ id: 'boss', mayManage: true });
  const subscriptions = () => world.store.tenant('web:local').subscriptions.list();
  for (const channel of ['general', 'secret']) {
    const there = { ...boss, where: { ...boss.where, channel } };
    await say(world.app, 'daily on', there);
  }
  const before = JSON.stringify(await subscriptions());
  const daily = COMMANDS.find(({ name }) => name === 'daily')!;
  const { choices = [] } = daily.options.find(({ name }) => name === 'do')!;
  const settings = daily.options.filter(({ name }) => name !== 'do');
  const values = ({ kind, choices: some = [], min }: (typeof settings)[number]) =>
    kind === 'choice'
      ? some
      : kind === 'flag'
        ? [true]
        : kind === 'whole'
          ? [min ?? 1]
          : ['23:59', 'R12345678'];
  const asked = choices.flatMap((action) =>
    settings.flatMap((option) =>
      values(option).map((value): Options => ({ do: action, [option.name]: value })),
    ),
  );
  for (const options of asked) await press(world.app, { command: 'daily', options }, someone({ id: 'mia' }));
  print(
    '1. `daily` with settings, by a member',
    `${asked.length} commands, settings ${JSON.stringify(await subscriptions()) === before ? 'as they were' : 'CHANGED'}`,
  );
  // They manage the channel in which they type, and not the one that has a thread.
  await say(world.app, 'daily off', boss);
  const kept = JSON.stringify(await subscriptions());
  const mo = someone({ id: 'mo', lookUpAccess: async (to: string) => to === 'general' });
  const { title } = await say(world.app, 'daily here', mo);
  const left = (await subscriptions()).find(({ channel }) => channel === 'secret');
  print(
    '4. `daily here` by somebody who manages only this channel',
    `"${title}"; the other channel's thread is ${left?.state}${kept === JSON.stringify(await subscriptions()) ? ', nothing moved' : ''}`,
  );
  for (const tenant of ['slack:T1', 'slack:T2']) await world.store.tenant(tenant).holidays.add('U1', [TODAY]);
  const first = { ...someone({ id: 'U1' }, { tenant: 'slack:T1' }), door: 'slack' as const };
  await say(world.app, 'privacy delete sure', first);
  const rows = async (tenant: string) => (await world.store.allPeople.counts(tenant, 'U1'))[0]?.holidays ?? 0;
  print(
    '7. `privacy delete` by U1 of one workspace',
    `rows there ${await rows('slack:T1')}, of U1 of another workspace ${await rows('slack:T2')}`,
  );
  await world.close();
}

{
  const served = await servePages();
  const dispatcher = makeDispatcher(served.app, { commands: COMMANDS });
  const { ask } = await openLink(served.app, dispatcher, new URL(served.newLink()), LINK_SECRET);
  const statuses: number[] = [];
  for (let post = 0; post < 300; post++) statuses.push((await ask('play', { moves: '' })).status);
  const errors = served.logged.filter(({ level }) => level === 'error').length;
  print(
    '5. 300 posts in a minute to a page of somebody’s own',
    `${counted(statuses)}; ${errors} errors in the log`,
  );
  const strangers = [
    'board/x/play',
    'board/x/help',
    'day/today/play',
    'day/today/help',
    'day/today/picture.png',
  ];
  const answers = await Promise.all(
    strangers.map(
      async (path) => (await fetch(new URL(path, served.url), { method: 'POST', body: '{}' })).status,
    ),
  );
  print('2, 3, 8. What strangers could send or have drawn', counted(answers));
  await served.close();
}

{
  const poster = makeTestPoster('discord');
  const served = await servePages('', { posterOf: () => poster });
  const dispatcher = makeDispatcher(served.app, { commands: COMMANDS });
  const visit = (id: string, madeAt = NOON) => {
    const asker: Asker = {
      door: 'discord',
      who: { id, mayManage: false },
      where: { tenant: 'discord:1', channel: '10', direct: false },
    };
    const link = served.links.linkTo(asker, { date: TODAY }, { madeAt, until: NOON + HOUR });
    return { asker, open: () => openLink(served.app, dispatcher, new URL(link), LINK_SECRET) };
  };
  const statuses: string[] = [];
  const end = async (why: string, act: (asker: Asker) => unknown) => {
    const { asker, open } = visit(why);
    const { ask } = await open();
    const before = (await ask('play', { moves: 'b' })).status;
    await act(asker);
    statuses.push(`${why} ${before} → ${(await ask('play', { moves: 'f' })).status}`);
  };
  await end('erased', (asker) => say(served.app, 'privacy delete sure', asker));
  await end('a newer link', async ({ who }) => visit(who.id, NOON + 1).open());
  await end('banned', () => {
    poster.standing = 'gone';
    served.clock.time += MINUTE;
  });
  print('6. A session that goes on', statuses.join('; '));
  await served.close();
}

{
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const router = makeRouter(quiet);
  const vitals = makeVitals();
  const metrics = new Metrics({ backlog: async () => [], counts: async () => [], now: () => 0 });
  router.route('/', healthRoutes(vitals, metrics, { isShared: true }));
  const headers = { 'x-forwarded-for': '203.0.113.5' };
  const ask = async (path: string) => (await router.request(path, { headers })).status;
  print(
    '8. `/metrics` and `/%6detrics` through a proxy',
    `${await ask('/metrics')}, ${await ask('/%6detrics')}`,
  );

  const web = await serveWeb();
  const events = await fetch(new URL('/events?person=ada', web.door.url), {
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  });
  await events.body?.cancel();
  print('8. `/events` for the page of another site', `${events.status}`);
  await web.close();

  const release = parse(readFileSync('.github/workflows/release.yml', 'utf8'));
  const jobs = Object.values(release.jobs) as {
    permissions?: Record<string, string>;
    steps: { run?: string }[];
  }[];
  const publishing = jobs.filter(({ permissions }) => permissions?.['id-token'] === 'write');
  const building = publishing.filter(({ steps }) =>
    steps.some(({ run = '' }) => /npm (ci|run|install)/.test(run)),
  );
  print('8. Jobs with `id-token: write` that install or build', `${building.length} of ${publishing.length}`);
  const images = ['Dockerfile', 'compose.yaml', '.github/workflows/release.yml']
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(
        /(?:FROM .*?|image: |container: )((?:node|postgres|caddy):\S+)/g,
      ),
    ])
    .map((match) => match[1]!);
  print(
    '8. Base images by digest',
    `${images.filter((image) => image.includes('@sha256:')).length} of ${images.length}`,
  );
}
