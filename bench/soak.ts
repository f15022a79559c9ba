/**
 * The whole bot for fifteen days of simulated time, in a few minutes: 500 channels on the fake platforms, each
 * with a daily thread, and twenty commands a second. Prints its memory and posts each day, and at the end
 * whether anything was missed, posted twice or left unanswered. `npx node bench/soak.ts [days] [seconds a day]`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { addDays, dateAt } from '../src/puzzle/calendar.ts';
import {
  askOnDiscord,
  askOnSlack,
  forget,
  type Platforms,
  posted,
  rowsFrom,
  switchOn,
} from '../test/whole-bot/platforms.ts';
import { endBot, onPlatforms } from './on-platforms.ts';
import { heading, milliseconds, quantile, row } from './table.ts';

const CHANNELS = 500;
const COMMANDS_A_SECOND = 20;
const PEOPLE = 100;
const STEPS_A_DAY = 96;
const STEP = 15 * 60_000;
/** Before the board of that day is published. In the second week New York changes its clocks. */
const BEGIN = Date.parse('2027-03-05T07:30:00Z');
const ASKED = [
  'today',
  'hint',
  'solve ozu nri lfa mbt',
  'check forum',
  'words',
  'help',
  'stats',
  'next forum',
];

export async function run(days = 15, secondsADay = 36): Promise<void> {
  await onPlatforms(CHANNELS, async (platforms, start, dataDir) => {
    const { bot } = await start({ startsAt: BEGIN });
    await switchOn(platforms);
    await bot.ask({ move: BEGIN + 60_000 });
    const talk = keepTalking(platforms);
    heading(
      'day',
      'memory, MB',
      'heap, MB',
      'outside of it, MB',
      'handles',
      'commands',
      'unanswered',
      'first answer p99, ms',
      'answer p99, ms',
      'openings',
      'other posts',
    );
    for (let day = 1; day <= days; day++) {
      const began = performance.now();
      for (let step = 1; step <= STEPS_A_DAY; step++) {
        await bot.ask({ move: BEGIN + (day - 1) * STEPS_A_DAY * STEP + step * STEP });
        const left = (secondsADay * 1000 * step) / STEPS_A_DAY - (performance.now() - began);
        if (left > 0) await sleep(left);
      }
      const { rss = 0, heap = 0, external = 0, handles = 0 } = await bot.ask({ vitals: true });

      const said = talk.take();
      const posts = posted(platforms);
      forget(platforms);
      row(
        day,
        mega(rss),
        mega(heap),
        mega(external),
        handles,
        said.answered,
        said.unanswered,
        milliseconds(said.firstP99),
        milliseconds(said.wholeP99),
        posts.openings.length,
        posts.others.length,
      );
    }
    await talk.stop();
    await endBot(bot);
    await report(platforms, dataDir, days);
  });
}

function keepTalking(platforms: Platforms) {
  const { discord, slack, workspace } = platforms;
  const users = Array.from({ length: PEOPLE }, (_, at) => discord.world.addUser(`person ${at}`));
  const people = Array.from({ length: PEOPLE }, () => slack.addPerson(workspace));
  const underWay = new Set<Promise<void>>();
  let asked = 0;
  let tally = { answered: 0, unanswered: 0, first: [] as number[], whole: [] as number[] };

  async function ask(at: number): Promise<void> {
    const line = ASKED[Math.floor(at / 2) % ASKED.length]!;
    const [name = '', ...rest] = line.split(' ');
    const option = { solve: 'sides', check: 'words', next: 'words' }[name];
    const options = option === undefined ? {} : { [option]: rest.join(' ') };
    try {
      const { first, whole } =
        at % 2 === 0
          ? await askOnDiscord(platforms, users[at % PEOPLE]!, platforms.discordTalk, name, options)
          : await askOnSlack(people[at % PEOPLE]!, platforms.slackTalk, line);
      tally.answered++;
      tally.first.push(first);
      tally.whole.push(whole);
    } catch (error) {
      tally.unanswered++;
      console.error((error as Error).message);
    }
  }

  const timer = setInterval(() => {
    const work = ask(asked++).finally(() => underWay.delete(work));
    underWay.add(work);
  }, 1000 / COMMANDS_A_SECOND);
  return {
    take() {
      const { answered, unanswered, first, whole } = tally;
      tally = { answered: 0, unanswered: 0, first: [], whole: [] };
      const p99 = (times: number[]) =>
        quantile(
          times.sort((a, b) => a - b),
          0.99,
        );
      return { answered, unanswered, firstP99: p99(first), wholeP99: p99(whole) };
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

/** Compares what the store has planned and sent with the posts on the platforms. */
async function report(platforms: Platforms, dataDir: string, days: number): Promise<void> {
  // After New York's clock change one day more has been published at the end.
  const { states, openings } = await rowsFrom(dataDir, addDays(dateAt(BEGIN), -1), days + 3);
  const { openings: seen, others } = posted(platforms);
  const all = [...seen, ...others];
  console.log(`\nRows: ${[...states].map(([state, count]) => `${count} ${state}`).join(', ')}.`);
  console.log(
    `Openings: ${openings} sent, ${seen.length} on the platforms, of ${CHANNELS} channels in ${days} days.`,
  );
  console.log(`Messages: ${all.length}, of which doubled: ${all.length - new Set(all).size}.`);
}

const mega = (bytes: number) => (bytes / 1e6).toFixed(1);

if (import.meta.main) await run(Number(process.argv[2] ?? 15), Number(process.argv[3] ?? 36));
