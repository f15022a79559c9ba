/**
 * A hundred commands a second for a minute, through both chat doors of the whole bot on the fake platforms:
 * most of them by one person, in one channel, or with huge inputs. Prints how everybody else was answered
 * meanwhile. `npx node bench/flood.ts [seconds]`
 */
import { type Answered, askOnDiscord, askOnSlack, type Platforms } from '../test/whole-bot/platforms.ts';
import { endBot, onPlatforms } from './on-platforms.ts';
import { heading, milliseconds, quantile, row } from './table.ts';

const A_SECOND = 100;
const OTHERS = 240;
const ASKED = ['hint', 'today', 'check forum', 'words', 'help', 'solve ozu nri lfa mbt', 'stats'];
const HUGE = [
  'forum,'.repeat(900),
  '@everyone <script>||`'.repeat(250),
  'a'.repeat(5_900),
  '\u200b'.repeat(3_000),
];
/** Discord's limit of an option's text. */
const LONGEST = 2_000;
const OPTION: Readonly<Record<string, string>> = { solve: 'sides', check: 'words' };

interface Kind {
  readonly name: string;
  /** Commands of this kind in each hundred. */
  readonly share: number;
  readonly ask: (at: number) => Promise<Answered>;
}

export async function run(seconds = 60): Promise<void> {
  await onPlatforms(0, async (platforms, start) => {
    const { bot } = await start();
    const kinds = kindsOf(platforms);
    for (const kind of kinds) for (let at = 0; at < 20; at++) await kind.ask(at).catch(() => {});
    const before = await bot.ask({ vitals: true });
    const tallies = await flood(kinds, seconds);
    const after = await bot.ask({ vitals: true });
    heading(
      'who',
      'commands',
      'unanswered',
      'first answer: median, ms',
      'p99',
      'whole answer: median, ms',
      'p99',
      'different answers',
    );
    for (const [name, { answers, unanswered }] of tallies) {
      const times = (of: 'first' | 'whole') => answers.map((one) => one[of]).sort((a, b) => a - b);
      const [first, whole] = [times('first'), times('whole')];
      const shown = [
        quantile(first, 0.5),
        quantile(first, 0.99),
        quantile(whole, 0.5),
        quantile(whole, 0.99),
      ];
      row(
        name,
        answers.length,
        unanswered,
        ...shown.map(milliseconds),
        new Set(answers.map(({ text }) => text)).size,
      );
    }
    const mega = (bytes = 0) => (bytes / 1e6).toFixed(1);
    console.log(
      `\nHeap ${mega(before.heap)} MB before, ${mega(after.heap)} after; memory ${mega(before.rss)} and ${mega(after.rss)} MB; handles ${before.handles} and ${after.handles}.`,
    );
    console.log(
      `The answer to the flooding person: ${tallies.get('one person flooding')?.answers.at(-1)?.text}`,
    );
    await endBot(bot);
  });
}

function kindsOf(platforms: Platforms): Kind[] {
  const { discord, slack, workspace } = platforms;
  const [guild] = discord.world.guilds.values();
  const others = Array.from({ length: OTHERS }, (_, at) => ({
    user: discord.world.addUser(`other ${at}`),
    channel: discord.world.addChannel(guild!),
    person: slack.addPerson(workspace),
    slackChannel: slack.addChannel(workspace, []),
  }));
  const flooder = discord.world.addUser('flooder');
  const crowd = Array.from({ length: 50 }, () => slack.addPerson(workspace));
  const typed = (line: string): [string, Record<string, string>] => {
    const [name = '', ...rest] = line.split(' ');
    const option = OPTION[name];
    return [name, option === undefined ? {} : { [option]: rest.join(' ') }];
  };
  return [
    {
      name: 'everybody else',
      share: 40,
      ask(at) {
        const { user, channel, person, slackChannel } = others[at % OTHERS]!;
        const line = ASKED[at % ASKED.length]!;
        return at % 2 === 0
          ? askOnDiscord(platforms, user, channel, ...typed(line))
          : askOnSlack(person, slackChannel, line);
      },
    },
    {
      name: 'one person flooding',
      share: 25,
      ask: (at) =>
        askOnDiscord(platforms, flooder, platforms.discordTalk, ...typed(ASKED[at % ASKED.length]!)),
    },
    {
      name: 'one flooded channel',
      share: 25,
      ask: (at) => askOnSlack(crowd[at % crowd.length]!, platforms.slackTalk, ASKED[at % ASKED.length]!),
    },
    {
      name: 'huge inputs',
      share: 10,
      ask(at) {
        const { user, channel, person, slackChannel } = others[(at * 7 + 3) % OTHERS]!;
        const huge = HUGE[at % HUGE.length]!;
        return at % 2 === 0
          ? askOnDiscord(platforms, user, channel, 'check', { words: huge.slice(0, LONGEST) })
          : askOnSlack(person, slackChannel, `solve ${huge}`);
      },
    },
  ];
}

interface Tally {
  readonly answers: Answered[];
  unanswered: number;
}

function flood(kinds: readonly Kind[], seconds: number): Promise<Map<string, Tally>> {
  const wheel = kinds.flatMap((kind) =>
    Array.from({ length: kind.share }, (_, at) => ({ kind, at: at / kind.share })),
  );
  const order = wheel.sort((a, b) => a.at - b.at).map(({ kind }) => kind);
  const tallies = new Map<string, Tally>(kinds.map(({ name }) => [name, { answers: [], unanswered: 0 }]));
  const asked = new Map<string, number>();
  const underWay: Promise<void>[] = [];
  const began = performance.now();

  async function ask({ name, ask: command }: Kind): Promise<void> {
    const at = asked.get(name) ?? 0;
    asked.set(name, at + 1);
    const tally = tallies.get(name)!;
    try {
      tally.answers.push(await command(at));
    } catch (error) {
      tally.unanswered++;
      console.error(name, (error as Error).message.slice(0, 200));
    }
  }

  return new Promise((resolve) => {
    const timer = setInterval(() => {
      // Sends as many as are due by now, since a timer alone drifts.
      const due = Math.min(seconds * A_SECOND, Math.floor(((performance.now() - began) / 1000) * A_SECOND));
      while (underWay.length < due) underWay.push(ask(order[underWay.length % order.length]!));
      if (due < seconds * A_SECOND) return;
      clearInterval(timer);
      void Promise.all(underWay).then(() => resolve(tallies));
    }, 1000 / A_SECOND);
  });
}

if (import.meta.main) await run(Number(process.argv[2] ?? 60));
