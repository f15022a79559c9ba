/**
 * Fifty people who play whole games on Slack at once, over HTTP: how soon the modal is open, how soon each press is
 * acknowledged and shown, and what it costs. The door is a process of its own, on the fake Slack.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMMANDS } from '../commands/index.ts';
import { makeManifest } from '../src/chat/slack/manifest.ts';
import { type FakeSlack, startFakeSlack } from '../test/fakes/slack/index.ts';
import type { Person } from '../test/fakes/slack/people.ts';
import { controlsOf } from '../test/fakes/slack/shown.ts';
import type { View } from '../test/fakes/slack/world.ts';
import { startDoor } from './slack.ts';
import { heading, milliseconds, quantile, row } from './table.ts';

const PEOPLE = 50;
/** Milliseconds between what somebody sees and their next press, on average. */
const PAUSES = [1_000, 400, 0];
/** Of the small board, which the door has as the day's. */
const SOLUTION = [...'BFJMCG', 'Enter', ...'KDHLNBP', 'Enter'];

interface Played {
  readonly modal: number;
  readonly acks: readonly number[];
  readonly shown: readonly number[];
}

export async function run(): Promise<void> {
  heading(
    'pause between presses, ms',
    'presses a second',
    'modal open: median, ms',
    'p99',
    'press acknowledged: median, ms',
    'p99',
    'shown: median, ms',
    'p99',
    'processor time for a press, ms',
  );
  for (const pause of PAUSES) await measure(pause);
}

async function measure(pause: number): Promise<void> {
  const manifest = makeManifest({ commands: COMMANDS, publicUrl: 'https://bot.example.org' });
  const fake = await startFakeSlack({ manifest, pace: { postsPerSecond: 0 } });
  const workspace = fake.addWorkspace();
  const { apiUrl, app } = fake;
  const { appToken, signingSecret } = app;
  const botToken = fake.install(workspace);
  const { child, said } = startDoor({ mode: 'http', apiUrl, botToken, appToken, signingSecret, plays: true });
  const { port } = await said();
  fake.app.requestUrl = `http://127.0.0.1:${port}/slack/events`;
  // The first game loads what games need.
  await play(fake, workspace, 0);
  child.send('vitals');
  const before = await said();
  const began = performance.now();
  const games = await Promise.all(Array.from({ length: PEOPLE }, () => play(fake, workspace, pause)));
  const seconds = (performance.now() - began) / 1_000;
  child.send('vitals');
  const after = await said();
  child.send('stop');
  await once(child, 'exit');
  await fake.close();
  const presses = games.length * SOLUTION.length;
  const times = [
    games.map(({ modal }) => modal),
    games.flatMap(({ acks }) => acks),
    games.flatMap(({ shown }) => shown),
  ].map((all) => all.toSorted((a, b) => a - b));
  row(
    pause,
    Math.round(presses / seconds),
    ...times.flatMap((all) => [quantile(all, 0.5), quantile(all, 0.99)].map(milliseconds)),
    milliseconds((after.processor! - before.processor!) / presses),
  );
}

/** One game of somebody new, in a channel of their own. */
async function play(
  fake: FakeSlack,
  workspace: ReturnType<FakeSlack['addWorkspace']>,
  pause: number,
): Promise<Played> {
  const person = fake.addPerson(workspace);
  const channel = fake.addChannel(workspace, [person]);
  await sleep(Math.random() * pause);
  const began = performance.now();
  let view = await nextView(fake, person, () => person.slash(channel, '/letterboxed play').ack);
  const modal = performance.now() - began;
  const acks: number[] = [];
  const shown: number[] = [];
  for (const button of SOLUTION) {
    await sleep(pause * (0.5 + Math.random()));
    const pressed = performance.now();
    view = await nextView(fake, person, async () => {
      const { problem, milliseconds: took } = await person.press(view, labelled(view, button)).ack;
      acks.push(took);
      return { problem };
    });
    shown.push(performance.now() - pressed);
  }
  return { modal, acks, shown };
}

/** Does something, and resolves with what this person's modal shows next. */
async function nextView(
  fake: FakeSlack,
  person: Person,
  act: () => Promise<{ readonly problem?: string | undefined }>,
): Promise<View> {
  const next = fake.next(({ view, viewer }) => viewer === person.id && view !== undefined);
  const { problem } = await act();
  if (problem !== undefined) throw new Error(problem);
  return (await next).view!;
}

/** The label of a letter's button, with its mark. */
function labelled({ blocks }: View, button: string): string {
  return (
    controlsOf(blocks).find(({ label }) => label === button || label.endsWith(` ${button}`))?.label ?? ''
  );
}
