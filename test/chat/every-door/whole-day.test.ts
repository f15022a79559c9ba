/**
 * A whole day at each door as people read it, with the clock at 08:00, 12:00, 19:39 and the next morning. The expected
 * texts in `days/` are there to be read: every sentence must be true at its time. `vitest run test/chat/every-door/whole-day.test.ts -u` writes them again.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Name, newYork, type Place, type World, world } from '../../fakes/world.ts';
import { withoutHintNumbers } from '../../reply/look.ts';

/** The terminal shows times in the machine's zone. */
const ZONE = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'America/New_York';
});
afterAll(() => {
  if (ZONE === undefined) delete process.env.TZ;
  else process.env.TZ = ZONE;
});

/** Writes down what a person sees as the day goes by. */
class Diary {
  readonly #world: World;
  readonly #place: Place;
  readonly #known = new Map<string, string>();
  readonly #pages: string[] = [];

  constructor(world: World) {
    this.#world = world;
    this.#place = world.places[0]!;
  }

  get text(): string {
    return `${this.#pages.join('\n\n')}\n`;
  }

  /** New messages since the last look, and those that were changed. */
  async at(label: string, moment: number): Promise<void> {
    await this.#world.at(moment);
    this.#pages.push(`━━━ ${label} ━━━`);
    for (const { id, where, text } of await this.#place.messages()) {
      const before = this.#known.get(id);
      this.#known.set(id, text);
      if (before === text) continue;
      this.#add(before === undefined ? `In the ${where}` : `In the ${where}, changed`, text);
    }
  }

  async ask(line: string, who: Name = 'ben'): Promise<void> {
    const { text: answer } = await this.#place.ask(who, line);
    this.#add(`A ${who === 'ada' ? 'manager' : 'member'} types "${line}"`, answer);
    for (const { id, where, text } of await this.#place.messages()) {
      if (this.#known.has(id)) continue;
      this.#known.set(id, text);
      // An answer for everyone is in the channel itself.
      if (text !== answer) this.#add(`In the ${where}`, text);
    }
  }

  #add(heading: string, text: string): void {
    this.#pages.push(`${heading}:\n${text.replace(/^(?=.)/gm, '  ')}`);
  }
}

/** The channel has the daily thread since the day before. */
async function wholeDay(world: World, diary: Diary): Promise<void> {
  const [{ door, ask }] = world.places as [Place];
  await world.at(newYork(20, 7));
  if (door !== 'terminal') await ask('ada', 'daily on');
  await diary.at('Friday 08:00', newYork(20, 8));
  await diary.ask(door === 'terminal' ? 'today' : 'daily show');
  await diary.at('Friday 12:00', newYork(20, 12));
  await diary.at('Friday 19:39', newYork(20, 19, 39));
  await diary.ask('today');
  await diary.at('Friday 20:00', newYork(20, 20));
  await diary.at('Saturday 08:00', newYork(21, 8));
  await diary.ask(door === 'terminal' ? 'today yesterday' : 'today');
}

/** The thread is switched on in the evening, and its times are changed once it is open. */
async function lateDay(world: World, diary: Diary): Promise<void> {
  await world.at(newYork(20, 19, 38));
  await diary.ask('daily on', 'ada');
  await diary.at('Friday 19:39', newYork(20, 19, 39));
  await diary.at('Friday 20:00', newYork(20, 20));
  await diary.ask('daily masked:21:00', 'ada');
  await diary.at('Friday 20:01', newYork(20, 20, 1));
  await diary.at('Friday 21:00', newYork(20, 21));
  await diary.at('Friday 23:40', newYork(20, 23, 40));
  await diary.at('Saturday 08:00', newYork(21, 8));
}

test.each([
  ...(['discord', 'slack', 'web', 'terminal'] as const).map(
    (door) => ['a whole day', door, wholeDay, door] as const,
  ),
  // What comes late is decided before any door.
  ['a day switched on at 19:39', 'discord', lateDay, 'discord-late'] as const,
])('%s at %s reads as expected', async (_, door, live, file) => {
  const made = await world({ doors: [door] });
  try {
    const diary = new Diary(made);
    await live(made, diary);
    await expect(withoutHintNumbers(diary.text)).toMatchFileSnapshot(`days/${file}.txt`);
  } finally {
    await made.close();
  }
});
