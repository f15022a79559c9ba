/**
 * A whole day at each door as people read it, with the clock at 08:00, 12:00, 19:39 and the next morning. The expected
 * texts in `days/` are there to be read: every sentence must be true at its time. `vitest run test/chat/every-door/whole-day.test.ts -u` writes them again.
 */
import { expect, test } from 'vitest';
import { newYork, type Place, WORLD_DOORS, type World, world } from '../../fakes/world.ts';
import { withoutHintNumbers } from '../../reply/look.ts';

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

  async ask(line: string): Promise<void> {
    const { text: answer } = await this.#place.ask('ben', line);
    this.#add(`A member types "${line}"`, answer);
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
  const [{ ask }] = world.places as [Place];
  await world.at(newYork(20, 7));
  await ask('ada', 'daily on');
  await diary.at('Friday 08:00', newYork(20, 8));
  await diary.ask('daily show');
  await diary.at('Friday 12:00', newYork(20, 12));
  await diary.at('Friday 19:39', newYork(20, 19, 39));
  await diary.ask('today');
  await diary.at('Friday 20:00', newYork(20, 20));
  await diary.at('Saturday 08:00', newYork(21, 8));
  await diary.ask('today');
}

test.each(WORLD_DOORS)('a whole day at %s reads as expected', async (door) => {
  const made = await world({ doors: [door] });
  try {
    const diary = new Diary(made);
    await wholeDay(made, diary);
    await expect(withoutHintNumbers(diary.text)).toMatchFileSnapshot(`days/${door}.txt`);
  } finally {
    await made.close();
  }
});
