/**
 * Breaks what the running bot stands on, one thing after the other, and prints what its log and /readyz said meanwhile.
 *
 *   npx node bench/outages.ts                 all of it, in about 18 minutes; needs PostgreSQL (scripts/test-postgres.sh)
 *   npx node bench/outages.ts locks queue     only these
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openPlatforms, type Platforms, posted, switchOn, WholeBot } from '../test/whole-bot/platforms.ts';

const SCRIPT = fileURLToPath(new URL('../scripts/test-postgres.sh', import.meta.url));
const CHANNELS = 10;
/** 7:58:40 in New York, where all channels open at 8. */
const BEGINS = Date.UTC(2026, 10, 20, 12, 58, 40);

interface Scene {
  readonly url: string;
  readonly platforms: Platforms;
  query(statement: string): Promise<unknown>;
  pass(seconds: number): Promise<void>;
}

/** Each breaks something, lets time pass, and mends it. */
const OUTAGES: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  async queue({ query, pass }) {
    await query('drop schema letterboxed_jobs cascade');
    await pass(110);
  },
  async locks({ url, pass }) {
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin; lock table delivery, subscription');
    await pass(60);
    await holder.end();
    await pass(60);
  },
  async full({ query, pass }) {
    await query(`create function no_room() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '53100', message = 'could not extend file'; end $$`);
    await query(
      'create trigger no_room before insert or update on delivery for each statement execute function no_room()',
    );
    // Until after the openings, which are the first to write there: the bot ticks at minutes of the real clock.
    await pass(150);
    await query('drop trigger no_room on delivery');
    await pass(60);
  },
  async server({ url, pass }) {
    execFileSync(SCRIPT, ['pause', url]);
    await pass(60);
    execFileSync(SCRIPT, ['resume', url]);
    await pass(60);
  },
  async slack({ platforms, pass }) {
    for (const method of ['chat.postMessage', 'conversations.history', 'conversations.info', 'auth.test'])
      platforms.slack.faults.inject({ kind: 'status', status: 503, method, times: 100_000 });
    await pass(260);
    platforms.slack.faults.clear();
    // The pause before the next attempt is up to 208 s by then.
    await pass(220);
  },
};

async function run(name: string): Promise<void> {
  const url = execFileSync(SCRIPT, ['start'], { encoding: 'utf8' }).trim();
  const platforms = await openPlatforms(CHANNELS);
  const ahead = BEGINS - Date.now();
  const bot = new WholeBot({ ...platforms.settings, LOG_LEVEL: 'info', DATABASE_URL: url }, { ahead });
  try {
    const { port } = await bot.nextMessage();
    await switchOn(platforms, { zones: ['America/New_York'], openings: ['08:00'] });
    const linesBefore = bot.log.split('\n').length;
    const states: string[] = [];
    let seconds = 0;
    const look = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      const body = (await response?.json()) as { store?: string; doors?: Record<string, string> } | undefined;
      const state = `${response?.status} ${JSON.stringify({ store: body?.store, ...body?.doors })}`;
      if (!states.at(-1)?.endsWith(state)) states.push(`${seconds} s: ${state}`);
    };
    const scene: Scene = {
      url,
      platforms,
      async query(statement) {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        await client.query(statement);
        await client.end();
      },
      async pass(more) {
        for (const end = seconds + more; seconds < end; seconds++) {
          await look();
          await sleep(1_000);
        }
      },
    };
    await OUTAGES[name]!(scene);
    const lines = bot.log
      .split('\n')
      .slice(linesBefore - 1)
      .filter((line) => /"level":"(warn|error)"|works again|is back/.test(line))
      .map((line) => JSON.parse(line) as { level: string; msg: string });
    const counts = Map.groupBy(lines, ({ level, msg }) => `${level}: ${msg.slice(0, 150)}`);
    const { openings } = posted(platforms);
    const twice = openings.length - new Set(openings).size;
    console.log(
      `\n## ${name}\n\nopenings ${openings.length} of ${CHANNELS}, twice ${twice}; errors ${lines.filter(({ level }) => level === 'error').length}\n`,
    );
    for (const state of states) console.log(`- ${state}`);
    for (const [line, { length }] of [...counts].slice(0, 12)) console.log(`- ${length} × ${line}`);
  } finally {
    bot.child.kill('SIGKILL');
    await platforms.close();
    execFileSync(SCRIPT, ['stop', url]);
  }
}

const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : Object.keys(OUTAGES)) await run(name);
process.exit();
