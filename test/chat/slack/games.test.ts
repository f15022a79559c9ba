import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { makeSlackDoor } from '../../../src/chat/slack/door.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { hintNumber } from '../../../src/reply/replies/hint.ts';
import { compileLexicon, loadLexicon } from '../../../src/solver/lexicon.ts';
import type { TestAppOptions } from '../../fakes/app.ts';
import { sample } from '../../fakes/sample.ts';
import type { Person } from '../../fakes/slack/people.ts';
import { controlsOf } from '../../fakes/slack/shown.ts';
import type { View } from '../../fakes/slack/world.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { followLink } from '../../web/pages/serve.ts';
import {
  makeSlackApp,
  messageOf,
  type OpenedSlack,
  type OpenSlackOptions,
  openSlack,
  read,
  viewOf,
} from './open-slack.ts';

let slack: OpenedSlack;
/** For tests that change nothing of the door, each with a person of its own. */
let shared: OpenedSlack;
beforeAll(async () => {
  shared = await opened();
});
afterAll(() => shared.close());
afterEach(async () => {
  if (slack.fake !== shared.fake) await slack.close();
});

const LEXICON = loadLexicon(compileLexicon(WORDS));

/** A door of the test's own, on a board that BFJMCG and GKDHLNBP solve. */
async function start(options: OpenSlackOptions = {}, app: TestAppOptions = {}): Promise<void> {
  slack = await opened(options, app);
}

async function opened(options: OpenSlackOptions = {}, app: TestAppOptions = {}): Promise<OpenedSlack> {
  const test = await makeSlackApp({ ...app, lexicon: LEXICON, house, posterOf: () => slack.door.poster });
  const made = await openSlack({ test, ...options });
  return {
    ...made,
    async close() {
      await made.close();
      await test.close();
    },
  };
}

/** The shared door, with somebody who has not played yet. */
function share(): void {
  const ann = shared.fake.addPerson(shared.workspace);
  shared.channel.members.add(ann.id);
  shared.test.logged.length = 0;
  slack = { ...shared, ann };
}

/** Does something, and resolves with the first view that this person sees then and that fits. */
async function seen(person: Person, act: () => unknown, fits: RegExp): Promise<View> {
  const next = slack.fake.next(
    ({ view, viewer }) => viewer === person.id && view !== undefined && fits.test(read(view)),
  );
  act();
  return (await next).view!;
}

const open = (person: Person, line = 'play') =>
  seen(person, () => person.slash(slack.channel, `/letterboxed ${line}`), /\[Enter\]/);
/** Submits typed words. On a busy machine, the modal says first that it takes a moment. */
const enter = (person: Person, words?: string) =>
  seen(person, () => person.submit(words === undefined ? {} : { 'Type words': words }), /^(?!One moment …$)/);
/** The label of a letter's button, with its mark. */
const labelOf = (view: View, letter: string) =>
  controlsOf(view.blocks).find(({ label }) => label.endsWith(` ${letter.toUpperCase()}`))?.label ?? '';
const CONTROLS: Readonly<Record<string, string>> = { '.': 'Enter', '<': 'Back' };
/** Presses quickly: as soon as the press before is acknowledged, and long before the view has changed. */
async function press(person: Person, view: View, letters: string, took: number[] = []): Promise<void> {
  for (const letter of letters) {
    const { problem, milliseconds } = await person.press(view, CONTROLS[letter] ?? labelOf(view, letter)).ack;
    expect(problem).toBeUndefined();
    took.push(milliseconds);
  }
}
/** Lets no move be made until the returned function is called; `isHeld` resolves with the first that waits. */
function hold(): { readonly release: () => void; readonly isHeld: Promise<void> } {
  const { work } = slack.test.app;
  const { run } = work;
  const gate = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  Object.assign(work, {
    run: async (...given: Parameters<typeof run>) => {
      held.resolve();
      await gate.promise;
      return run.apply(work, given);
    },
  });
  return { release: () => gate.resolve(), isHeld: held.promise };
}
/** Waits until so many acknowledged presses are with their game: each is taken in a round of the event loop of its own. */
async function taken(presses: number): Promise<void> {
  for (let round = 0; round < presses; round++) await setImmediate();
}
const results = () => slack.test.store.tenant(`slack:${slack.workspace.id}`).results;
const troubles = () => slack.test.logged.filter(({ level }) => level === 'error' || level === 'warn');

describe.each(['socket', 'http'] as const)('a game in a modal, by %s', (mode) => {
  it('is played by buttons and by typing to the end, shared, and counted once', async () => {
    await start({ mode });
    const { ann, channel } = slack;
    let view = await open(ann);
    expect(view.title.text).toBe('Your game: Nov 20, 2026');
    expect(read(view)).toMatch(/B.*Choose a letter to begin/s);
    for (const letter of 'bfjmcg') {
      const shown = new RegExp(`\`[A-Z]*${letter.toUpperCase()}\``);
      view = await seen(ann, () => press(ann, view, letter), shown);
    }
    view = await seen(ann, () => press(ann, view, '.'), /\*BFJMCG\* – `G…`/);
    expect(read(view)).toContain('Left: D H K L N P');
    const shown = seen(ann, () => {}, /Solved in 2 words.*Your streak is 1 day/s);
    const { ack } = ann.submit({ 'Type words': 'gkdhlnbp' });
    expect((await ack).body).toMatchObject({ response_action: 'update' });
    const solved = await shown;
    expect(controlsOf(solved.blocks).map(({ label }) => label)).toEqual([
      'Share',
      'How you did',
      'Hunt',
      'See other solutions',
      'Play again',
    ]);
    await seen(ann, () => ann.press(solved, 'How you did'), /100 of 100/);
    const shared = slack.fake.next(({ message }) => message?.only === undefined && message !== undefined);
    await seen(ann, () => ann.press(solved, 'Share'), /Shared\./);
    expect((await shared).message).toMatchObject({ channel: channel.id });
    expect(read((await shared).message!)).not.toMatch(/bfjmcg|gkdh/i);
    await messageOf(ann.slash(channel, '/letterboxed play bfjmcg gkdhlnbp'));
    expect(await results().ofPerson(ann.id)).toMatchObject([{ words: 2, letters: 14 }]);
    expect(troubles()).toEqual([]);
  });

  it('takes quick presses in their order, and shows them together', async () => {
    await start({ mode });
    const { ann, fake } = slack;
    const view = await open(ann);
    const { release, isHeld } = hold();
    let drawn = 0;
    fake.watchers.add(({ viewer }) => {
      if (viewer === ann.id) drawn += 1;
    });
    await press(ann, view, 'b');
    await isHeld;
    const others = 'fjmcgk<.';
    await press(ann, view, others);
    await taken(others.length);
    await seen(ann, release, /\*BFJMCG\* – `G…`/);
    expect(drawn).toBe(1);
  });
});

describe('a game in a modal', () => {
  it('has its picture and all keys on one screen of a phone', async () => {
    share();
    const { ann } = slack;
    const view = await open(ann);
    // The title is in the client's own bar. A drawing, three lines, five rows and a field: 580 of 610 points (`scripts/phone.ts`).
    const kinds = view.blocks.map(({ type }) => type);
    expect(kinds).toEqual([...Array(3).fill('section'), ...Array(5).fill('actions'), 'input']);
    expect(view.title.text).toBe('Your game: Nov 20, 2026');
    const long = await open(ann, 'play sides:"abcdef ghijkl mnopqr stuvwx yz"');
    expect(long.title.text).toBe('Letter Boxed');
    expect(read(long)).toContain('Your game: ABCDEF GHIJKL MNOPQR STUVWX YZ');
  });

  it('marks letters, keeps them in place, and refuses with a sentence', async () => {
    share();
    const { ann } = slack;
    const first = await open(ann);
    const rows = (view: View) =>
      view.blocks
        .filter(({ type }) => type === 'actions')
        .map(({ elements }) => elements.map((button: { text: { text: string } }) => button.text.text));
    expect(rows(first)).toEqual([
      ['Enter', 'Back', 'Restart', 'Hint'],
      ['↑ ○ B', '○ C', '○ D'],
      ['← ○ M', '○ N', '○ P'],
      ['→ ○ F', '○ G', '○ H'],
      ['↓ ○ J', '○ K', '○ L'],
    ]);
    const second = await seen(ann, () => press(ann, first, 'b'), /`B`/);
    expect(rows(second)[1]).toEqual(['↑ · B', '· C', '· D']);
    const refused = await seen(ann, () => press(ann, second, 'c'), /C is on the same side/);
    expect(refused.blocks.map(({ type }) => type)).toEqual(first.blocks.map(({ type }) => type));
    const played = await seen(ann, () => press(ann, refused, 'fjm.'), /\*BFJM\*/);
    expect(rows(played).flat()).toEqual(
      expect.arrayContaining(['↑ ● B', '→ ● F', '↓ ● J', '← · M', '· N', '○ G']),
    );
    const back = await seen(ann, () => press(ann, played, '<'), /`BFJM`/);
    expect(controlsOf(back.blocks).find(({ label }) => label === 'Restart')?.element.confirm).toBeUndefined();
    const button = controlsOf(played.blocks).find(({ label }) => label === 'Restart');
    expect(button?.element.confirm).toMatchObject({ text: { text: 'This takes your words away.' } });
    await seen(ann, () => ann.press(played, 'Restart'), /Choose a letter to begin/);
  });

  it('keeps what is typed until it is right', async () => {
    share();
    const { ann } = slack;
    const view = await open(ann);
    const input = (of: View) => of.blocks.find(({ type }) => type === 'input')?.block_id;
    const refused = await enter(ann, 'bfjm, xyz');
    expect(read(refused)).toMatch(/\*BFJM\*.*XYZ/is);
    expect(input(refused)).toBe(input(view));
    const pressed = await seen(ann, () => press(ann, refused, 'c'), /`MC`/);
    expect(input(pressed)).toBe(input(view));
    await seen(ann, () => press(ann, pressed, 'g'), /`MCG`/);
    // Without words it is Enter.
    const entered = await enter(ann);
    expect(read(entered)).toContain('MCG is not in the word list.');
    const typed = await enter(ann, 'mcgkdhlnbp');
    expect(read(typed)).toContain('Solved in 2 words');
    const again = await seen(ann, () => ann.press(typed, 'Play again'), /Choose a letter/);
    expect(input(again)).not.toBe(input(view));
  });

  it('gives a hint from the words so far on top of the game', async () => {
    share();
    const { ann } = slack;
    const view = await open(ann);
    const played = await seen(ann, () => press(ann, view, 'bfjmcg.'), /\*BFJMCG\*/);
    const hint = await seen(ann, () => ann.press(played, 'Hint'), /Hint \d+ of \d+.*after BFJMCG/s);
    expect(ann.modal?.id).toBe(hint.id);
    expect(hint.id).not.toBe(view.id);
    const [more = ''] = /Next hint: [^\]]*/.exec(read(hint)) ?? [];
    await seen(ann, () => ann.press(hint, more), /●○*●/);
    ann.close();
    expect(ann.modal?.id).toBe(view.id);
    await seen(ann, () => press(ann, ann.modal!, 'kd'), /`GKD`/);
    expect(troubles()).toEqual([]);
  });

  it('shows a form in place of a hint where no more modals fit', async () => {
    share();
    const { ann, workspace } = slack;
    const view = await open(ann);
    const hint = await seen(ann, () => ann.press(view, 'Hint'), new RegExp(hintNumber('start')));
    await seen(ann, () => ann.press(hint, 'Check'), /Words/);
    expect(workspace.modals.get(ann.id)).toHaveLength(3);
    const form = await seen(ann, () => ann.press(hint, 'Check'), /Words/);
    expect(form.id).toBe(hint.id);
    expect(troubles()).toEqual([]);
  });

  it('says so where a result can’t be posted', async () => {
    share();
    const { ann, fake } = slack;
    await open(ann);
    const solved = await enter(ann, 'bfjmcg gkdhlnbp');
    fake.faults.inject({ kind: 'error', error: 'not_in_channel', method: 'chat.postMessage', times: 2 });
    fake.faults.inject({ kind: 'error', error: 'used_url', method: 'response' });
    const failed = await seen(ann, () => ann.press(solved, 'Share'), /can’t be posted here/);
    expect(read(failed)).toContain('[Share]');
    const shared = await seen(ann, () => ann.press(failed, 'Share'), /Shared\./);
    expect(read(shared)).not.toContain('[Share]');
  });

  /** A game that is begun in a modal and goes on in the browser. */
  async function inBrowser() {
    const PUBLIC_URL = 'https://bot.example.org';
    const settings = { PUBLIC_URL, DISCORD_TOKEN: `${'M'.repeat(24)}.GabcDe.${'x'.repeat(38)}` };
    await start({}, { settings });
    const { ann, test } = slack;
    const view = await open(ann);
    const played = await seen(ann, () => press(ann, view, 'bfjmcg.'), /\*BFJMCG\*/);
    const button = controlsOf(played.blocks).find(({ label }) => label === 'Play in the browser')!;
    const link = new URL(button.element.url);
    const dispatcher = makeDispatcher(test.app, { commands: COMMANDS });
    const playByLink = await followLink(test.app, dispatcher, link, settings.DISCORD_TOKEN);
    return { ann, test, played, link, playByLink };
  }

  it('is shown no more in a modal that was closed, however much is played in the browser', async () => {
    const { ann, playByLink } = await inBrowser();
    await seen(ann, () => playByLink('k'), /`GK`/);
    ann.close();
    const { faults } = slack.fake;
    let updates = 0;
    const take = faults.take.bind(faults);
    faults.take = (method) => {
      updates += Number(method === 'views.update');
      return take(method);
    };
    await playByLink('d');
    await expect.poll(() => updates, { timeout: 5_000 }).toBe(1);
    await playByLink('h');
    // Changes are shown within a second.
    await sleep(1_500);
    expect(updates).toBe(1);
  });

  it('goes on in the browser by a link of the person’s own, and is counted once', async () => {
    const { ann, test, played, link, playByLink } = await inBrowser();
    await seen(ann, () => playByLink('kdhlnb'), /`GKDHLNB`/);
    expect((await ann.press(played, 'Play in the browser').ack).problem).toBeUndefined();
    const solved = await seen(ann, () => press(ann, played, 'p.'), /Solved in 2 words/);
    // Nothing was put over the game when the link was pressed.
    expect(ann.modal?.id).toBe(solved.id);
    expect(await results().ofPerson(ann.id)).toMatchObject([{ words: 2 }]);
    expect(JSON.stringify(test.logged)).not.toContain(link.hash.slice(1));
    expect(troubles()).toEqual([]);
  });

  it('puts presses that arrive out of order into the order in which they were made', async () => {
    share();
    const { ann } = slack;
    const view = await open(ann);
    const { release, isHeld } = hold();
    await press(ann, view, 'b');
    // What is pressed from here on waits for the first move.
    await isHeld;
    for (const [letter, second] of [
      ['j', 2],
      ['f', 1],
    ] as const) {
      // Slack gives each press its time when it is made.
      await ann.press(view, labelOf(view, letter), 0, { at: `999999999${second}.000000` }).ack;
    }
    await taken(2);
    await seen(ann, release, /`BFJ`/);
  });

  it('holds no word in what Slack stores besides the texts', async () => {
    share();
    const { ann } = slack;
    const view = await open(ann);
    const played = await seen(ann, () => press(ann, view, 'bfjmcg.kdh'), /`GKDH`/);
    const values = controlsOf(played.blocks).map(({ element, actionId }) => [element.value, actionId]);
    const stored = JSON.stringify([values, played.private_metadata, played.callback_id, played.external_id]);
    expect(stored).not.toMatch(/bfj|gkd/i);
    expect(JSON.parse(played.private_metadata)).toMatchObject({ packed: '1|play|date=2026-11-20' });
  });

  it('opens from a board, from the home page, and in a mention by a button', async () => {
    share();
    const { ann, bob, channel, fake, workspace } = slack;
    const board = await messageOf(ann.slash(channel, '/letterboxed today'));
    await seen(bob, () => bob.press(board, 'Play'), /\[Enter\]/);
    const eve = fake.addPerson(workspace);
    const home = await viewOf(eve.openHome());
    await seen(eve, () => eve.press(home, 'Play'), /\[Enter\]/);
    const asked = await messageOf(ann.mention(channel, 'play'));
    expect(asked.only).toBe(ann.id);
    await seen(ann, () => ann.press(asked, 'Play'), /\[Enter\]/);
  });

  it('opens without a board first if that takes time', async () => {
    share();
    const { ann, test } = slack;
    const { puzzles } = test.app;
    const gate = Promise.withResolvers<void>();
    const { puzzleOf } = puzzles;
    Object.assign(puzzles, {
      puzzleOf: async (...given: Parameters<typeof puzzleOf>) => {
        await gate.promise;
        return puzzleOf.apply(puzzles, given);
      },
    });
    const waiting = await viewOf(ann.slash(slack.channel, '/letterboxed play'));
    expect(read(waiting)).toBe('One moment …');
    const opened = await seen(ann, () => gate.resolve(), /\[Enter\]/);
    expect(opened.id).toBe(waiting.id);
  });

  it('is offered by a button when its trigger has expired', async () => {
    share();
    const { ann, test } = slack;
    const action = ann.slash(slack.channel, '/letterboxed play');
    test.clock.time += 4000;
    const offered = await messageOf(action);
    expect(offered).toMatchObject({ only: ann.id, text: 'Slack took too long to open your game' });
    await seen(ann, () => ann.press(offered, 'Play'), /\[Enter\]/);
    expect(troubles()).toEqual([]);
  });

  it('goes on where it was after its view was closed between a press and its answer', async () => {
    await start();
    const { ann } = slack;
    const view = await open(ann);
    const { release } = hold();
    await press(ann, view, 'bfjm.');
    ann.close();
    release();
    await slack.door.stop();
    expect(troubles()).toEqual([]);
    const { soloGames } = slack.test.store.tenant(`slack:${slack.workspace.id}`);
    const game = await soloGames.get(ann.id, '2026-11-20 bcd-fgh-jkl-mnp', slack.test.clock.now());
    expect(game?.state).toMatchObject({ words: ['bfjm'] });
  });

  it('shows the newest state when two processes change its view', async () => {
    share();
    const { ann } = slack;
    const view = await open(ann);
    await seen(ann, () => press(ann, view, 'b'), /`B`/);
    // The other process has the view as it was at first, with its hash.
    await seen(ann, () => press(ann, view, 'f'), /`BF`/);
    expect(ann.modal?.hash).not.toBe(view.hash);
    expect(troubles()).toEqual([]);
  });

  it('goes on after a restart, from the buttons of the open view', async () => {
    await start();
    const { ann, door, fake, test, workspace } = slack;
    const view = await open(ann);
    const before = await seen(ann, () => press(ann, view, 'bfjmcg.'), /\*BFJMCG\*/);
    await door.stop();
    // Slack sends nothing to connections that are being closed.
    await expect.poll(() => fake.sockets.count).toBe(0);
    const restarted = makeSlackDoor({
      app: test.app,
      dispatcher: makeDispatcher(test.app, { commands: COMMANDS }),
      mode: { kind: 'socket', appToken: fake.app.appToken },
      workspaces: { kind: 'one', botToken: fake.install(workspace) },
      apiUrl: fake.apiUrl,
    });
    slack = { ...slack, door: restarted };
    await restarted.start();
    const solved = await seen(ann, () => press(ann, before, 'kdhlnbp.'), /Solved in 2 words/);
    expect(read(solved)).toContain('Your streak is 1 day');
    await restarted.stop();
  });

  it('is not changed by moves that were made up', async () => {
    share();
    const { ann } = slack;
    const view = await open(ann);
    const forged = (change: object, metadata = view.private_metadata) => ({
      ...view,
      private_metadata: metadata,
      blocks: view.blocks.map((block) =>
        block.type === 'actions'
          ? { ...block, elements: block.elements.map((button: object) => ({ ...button, ...change })) }
          : block,
      ),
    });
    for (const value of ['ZZZ', '🙂', '%', 'x'.repeat(1999)]) {
      const shown = await seen(ann, () => ann.press(forged({ value }), '↑ ○ B'), /\[Enter\]/);
      expect(read(shown)).toContain('Left: B C D F G H J K L M N P');
    }
    await ann.press(forged({ action_id: 'ask:x', value: 'daily' }), '↑ ○ B').ack;
    const lost = await seen(ann, () => ann.press(forged({}, 'no metadata'), '↑ ○ B'), /another version/);
    expect(read(lost)).toContain('[Back to the board]');
    expect(troubles()).toEqual([]);
  });

  it.each([
    ['of 26 letters', 'abcdef ghijkl mnopqr stuvwx yz', 'agmsy'],
    ['of 8 sides', 'abc def ghi jkl mno pqr stu vwx', 'adgjv'],
    ['with repeated letters', 'abc ade fgh ijk', 'fai'],
  ])('has buttons for a board %s', async (_, sides, letters) => {
    share();
    const { ann } = slack;
    const view = await open(ann, `play sides:"${sides}"`);
    const labels = controlsOf(view.blocks).map(({ label }) => label);
    expect(labels.filter((label) => label.includes('○'))).toHaveLength(sides.replaceAll(' ', '').length);
    await seen(ann, () => press(ann, view, letters), new RegExp(`\`${letters.toUpperCase()}\``));
    expect(troubles()).toEqual([]);
  });

  it('waits as long as Slack asks for when there are too many changes', async () => {
    share();
    const { ann, fake } = slack;
    const view = await open(ann);
    fake.faults.inject({ kind: 'ratelimited', retryAfter: 5, method: 'views.update', times: 2 });
    await seen(ann, () => press(ann, view, 'bf'), /`BF`/);
  });

  it('answers typed words later if they take longer than Slack waits', async () => {
    share();
    const { ann } = slack;
    const view = await open(ann);
    const { release } = hold();
    const waiting = await viewOf(ann.submit({ 'Type words': 'bfjm' }));
    expect(read(waiting)).toBe('One moment …');
    const shown = await seen(ann, release, /\*BFJM\*/);
    expect(shown.id).toBe(view.id);
  });

  it('answers typed words even if too many moves wait before them', async () => {
    share();
    const { ann } = slack;
    await open(ann);
    const { release } = hold();
    const acks: Promise<unknown>[] = [];
    const typeOften = () => {
      for (let times = 0; times < 110; times++) acks.push(ann.submit({ 'Type words': 'bfjm' }).ack);
    };
    await seen(ann, typeOften, /Too many moves of yours are waiting/);
    await seen(ann, release, /\*BFJM\*/);
    await Promise.all(acks);
  });

  it('fails with a sentence and a way back when the store fails', async () => {
    await start();
    const { ann, test } = slack;
    const view = await open(ann);
    const { work } = test.app;
    const { run } = work;
    Object.assign(work, { run: () => Promise.reject(new Error('disk full')) });
    test.expectErrors('moves in a game failed');
    const failed = await seen(ann, () => press(ann, view, 'b'), /went wrong/);
    Object.assign(work, { run });
    await seen(ann, () => ann.press(failed, 'Back to the board'), /\[Enter\]/);
  });
});

const PEOPLE = sample(50, 3);

it('games of many people at once are played to the end, each result counted once', async () => {
  await start({ mode: 'http' });
  const { fake, workspace, channel } = slack;
  const people = Array.from({ length: PEOPLE }, () => fake.addPerson(workspace));
  for (const { id } of people) channel.members.add(id);
  const acks: number[] = [];
  const first: number[] = [];
  const began = performance.now();
  const views = await Promise.all(
    people.map(async (person) => {
      const action = person.slash(channel, '/letterboxed play');
      const shown = seen(person, () => {}, /\[Enter\]/);
      await action.shown;
      first.push(performance.now() - began);
      return shown;
    }),
  );
  await Promise.all(
    people.map(async (person, index) => {
      const play = () => press(person, views[index]!, 'bfjmcg.kdhlnbp.', acks);
      expect(read(await seen(person, play, /Solved in 2 words/))).toContain('Your streak is 1 day');
    }),
  );
  for (const { id } of people) expect(await results().ofPerson(id)).toHaveLength(1);
  expect(troubles()).toEqual([]);
  const p99 = (of: number[]) => of.toSorted((a, b) => a - b)[Math.ceil(of.length * 0.99) - 1]!.toFixed(0);
  console.log(`${PEOPLE} people: modal p99 ${p99(first)} ms, acknowledgement of a press p99 ${p99(acks)} ms`);
});
