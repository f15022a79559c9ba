/** The people of the siege: ordinary ones, and hostile ones who ask for too much, too often, or for nonsense. */
import { Random } from '../../src/core/random.ts';
import { typeAction } from '../../src/reply/model/text.ts';
import { type HostileCommand, hostileCommands, NAMED } from '../whole-bot/hostile.ts';
import { type Answered, askOnDiscord, askOnSlack, forget, type Platforms } from '../whole-bot/platforms.ts';
import { mutate } from './mutate.ts';

export interface CrowdPlan {
  readonly ordinary: number;
  readonly hostile: number;
  /** Commands of ordinary people in a second, and of hostile people, a tenth of whose are malformed events. */
  readonly ordinaryRate: number;
  readonly hostileRate: number;
}

/** The answers that some people got. */
export interface Tally {
  /** For each command that had no answer, what it was. */
  readonly unanswered: string[];
  /** Milliseconds until there was a first sign of each answer. */
  readonly first: number[];
}

const ORDINARY: readonly HostileCommand[] = [
  { name: 'today', options: {} },
  { name: 'hint', options: {} },
  { name: 'check', options: { words: 'forum' } },
  { name: 'words', options: {} },
  { name: 'help', options: {} },
  { name: 'solve', options: { sides: 'ozu nri lfa mbt' } },
  { name: 'stats', options: {} },
  { name: 'next', options: { words: 'forum' } },
];
/** Commands that cost much, are malformed, huge, or not theirs to use. */
const HOSTILE: readonly HostileCommand[] = [
  ...NAMED,
  ...hostileCommands(100),
  ...['relay', 'daily', 'set', 'privacy', 'reveal'].map((name) => ({ name, options: {} })),
  { name: 'check', options: { words: 'forum,'.repeat(300) } },
  { name: 'check', options: { words: '@everyone <script>||`'.repeat(90) } },
  { name: 'solve', options: { sides: 'a'.repeat(1_900) } },
  { name: 'words', options: { sides: '<'.repeat(1_900) } },
  { name: 'today', options: { date: '2020-01-01' } },
];
/** People in one channel: with more, its own limit would be what is measured. */
const A_CHANNEL = 25;
/** One in this many hostile people sends half of all their commands, far over the limit of a person. */
const FLOODING = 10;

type Kind = 'ordinary' | 'hostile';
type Ask = (line: HostileCommand) => Promise<Answered>;

/** Ordinary and hostile people at both platforms, who ask at the rates of a plan until they are stopped. */
export class Crowd {
  readonly #platforms: Platforms;
  readonly #plan: CrowdPlan;
  readonly #people: Readonly<Record<Kind, readonly Ask[]>>;
  readonly #underWay = new Set<Promise<void>>();
  readonly #timers: NodeJS.Timeout[] = [];
  /** The answers so far. */
  readonly tallies: Readonly<Record<Kind, Tally>> = { ordinary: emptyTally(), hostile: emptyTally() };

  constructor(platforms: Platforms, plan: CrowdPlan) {
    this.#platforms = platforms;
    this.#plan = plan;
    const hostile = peopleOf(platforms, plan.hostile);
    const flooding = hostile.filter((_, at) => at % FLOODING === 0);
    this.#people = {
      ordinary: peopleOf(platforms, plan.ordinary),
      hostile: hostile.flatMap((ask, at) => [ask, flooding[at % flooding.length]!]),
    };
  }

  start(): void {
    const { ordinaryRate, hostileRate } = this.#plan;
    this.#talk('ordinary', ORDINARY, ordinaryRate);
    this.#talk('hostile', HOSTILE, hostileRate * 0.9);
    const send = mutatedEvents(this.#platforms);
    this.#timers.push(setInterval(send, 10_000 / hostileRate));
    this.#timers.push(setInterval(() => forget(this.#platforms), 10_000));
  }

  /** Resolves when everybody has an answer, or has given up waiting for it. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#underWay);
  }

  #talk(kind: Kind, lines: readonly HostileCommand[], rate: number): void {
    const people = this.#people[kind];
    const began = performance.now();
    let asked = 0;
    const timer = setInterval(() => {
      // Sends as many as are due by now, since a timer alone drifts.
      for (const due = ((performance.now() - began) / 1000) * rate; asked < due; asked++) {
        const work = this.#ask(kind, people[asked % people.length]!, lines[asked % lines.length]!);
        this.#underWay.add(work);
        void work.finally(() => this.#underWay.delete(work));
      }
    }, 20);
    this.#timers.push(timer);
  }

  async #ask(kind: Kind, ask: Ask, line: HostileCommand): Promise<void> {
    try {
      const { first } = await ask(line);
      this.tallies[kind].first.push(first);
    } catch (error) {
      this.tallies[kind].unanswered.push(`${line.name}: ${(error as Error).message.slice(0, 200)}`);
    }
  }
}

const emptyTally = (): Tally => ({ unanswered: [], first: [] });

/** People of both platforms in turns, in channels that they share with a few others of the same kind. */
function peopleOf(platforms: Platforms, count: number): Ask[] {
  const { discord, slack, workspace } = platforms;
  const [guild] = discord.world.guilds.values();
  const room = () => ({
    discord: discord.world.addChannel(guild!),
    slack: slack.addChannel(workspace, []),
  });
  let rooms = room();
  return Array.from({ length: count }, (_, at): Ask => {
    if (at % (2 * A_CHANNEL) === 0) rooms = room();
    const { discord: channel, slack: slackChannel } = rooms;
    if (at % 2 === 1) {
      const person = slack.addPerson(workspace);
      slackChannel.members.add(person.id);
      return ({ name: command, options }) =>
        askOnSlack(person, slackChannel, typeAction({ command, options }));
    }
    const user = discord.world.addUser(`person ${at} of ${count}`);
    return ({ name, options }) => askOnDiscord(platforms, user, channel, name, options);
  });
}

/** Sends a malformed event to one of the platforms' clients each time it is called. */
function mutatedEvents({ discord, slack }: Platforms): () => void {
  const random = new Random('siege');
  const [guild] = discord.world.guilds.values();
  const interaction = {
    id: discord.world.snowflake(),
    application_id: discord.world.application.id,
    type: 3,
    token: 'a-token',
    data: { custom_id: 'x', component_type: 2 },
    user: { id: '7' },
    authorizing_integration_owners: { 1: '7' },
  };
  const frame = {
    envelope_id: 'x',
    type: 'interactive',
    payload: { type: 'block_actions', actions: [{}] },
  };
  let sent = 0;
  return () => {
    if (sent++ % 2 === 0)
      discord.gateway.dispatch('INTERACTION_CREATE', mutate(interaction, random), guild!.id);
    else slack.sockets.sendRaw(JSON.stringify(mutate(frame, random)) ?? '');
  };
}
