import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import type { Door } from '../../../src/chat/door.ts';
import { readConfig } from '../../../src/config/config.ts';
import type { Environment } from '../../../src/config/read.ts';
import { ROLES } from '../../../src/config/settings.ts';
import type { DoorName } from '../../../src/core/channel-ref.ts';
import { StartError } from '../../../src/core/errors.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { keepOpen, makeDoors } from '../../../src/operations/lifecycle/doors.ts';
import { makePictures } from '../../../src/reply/picture/pictures.ts';
import { makeTestApp } from '../../fakes/app.ts';
import { changePauses } from '../../fakes/pauses.ts';
import { makeTestPoster } from '../../fakes/poster.ts';

interface TestDoor extends Door {
  starts: number;
  stops: number;
}

/** @param outcomes of one start after the other; a promise for one that takes its time. */
function door(name: Door['name'], ...outcomes: (Error | undefined | Promise<void>)[]): TestDoor {
  return {
    name,
    starts: 0,
    stops: 0,
    async start() {
      const outcome = outcomes[this.starts++];
      if (outcome instanceof Error) throw outcome;
      await outcome;
    },
    async stop() {
      this.stops++;
    },
    poster: makeTestPoster(name),
    trouble: () => undefined,
  };
}

function listening() {
  const said: string[] = [];
  const errors: string[] = [];
  const waiting = new Map<string, () => void>();
  const say = (_: object, message: string) => {
    said.push(message);
    waiting.get(message)?.();
  };
  const error = (fields: object, message: string) => {
    errors.push(message);
    say(fields, message);
  };
  const log = { debug: say, info: say, warn: say, error };
  const heard = (message: string) =>
    said.includes(message)
      ? Promise.resolve()
      : new Promise<void>((resolve) => waiting.set(message, resolve));
  return { said, errors, log, heard };
}

const explain = (failed: Door, error: unknown) => `${failed.name}: ${(error as Error).message}.`;

describe('doors', () => {
  it('are opened side by side and closed together', async () => {
    const { log, said } = listening();
    const doors = [door('discord'), door('slack')];
    const kept = await keepOpen(doors, { log, explain });
    expect(doors.map((one) => kept.isOpen(one))).toEqual([true, true]);
    expect(said).toEqual(['discord: open', 'slack: open']);
    await kept.stop();
    expect(doors.map(({ stops }) => stops)).toEqual([1, 1]);
  });

  it('that fail are tried again, while the others are open', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { log, said, errors } = listening();
    const failing = door('discord', new Error('no'), new Error('still no'), undefined);
    const kept = await keepOpen([failing, door('slack')], { log, explain });
    expect(kept.isOpen(failing)).toBe(false);
    await vi.advanceTimersByTimeAsync(45_000);
    expect(kept.isOpen(failing)).toBe(true);
    expect(failing.starts).toBe(3);
    expect(said.filter((line) => line.startsWith('discord'))).toEqual([
      'discord: no. Next try in 15 s.',
      'discord: still no. Next try in 30 s.',
      'discord: open',
    ]);
    // One for a failure that stays.
    expect(errors).toEqual(['discord: no. Next try in 15 s.']);
    await kept.stop();
  });

  it.each([
    ['for an outage are tried again within 40 seconds', (text: string) => new Error(text), [15, 30, 40, 40]],
    [
      'until somebody changes a setting, ever more rarely',
      (text: string) => new StartError(text),
      [15, 30, 60],
    ],
  ])('that fail %s', async (_, fail, waits) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { log, said } = listening();
    const failing = door('discord', ...waits.map(() => fail('no')), undefined);
    const kept = await keepOpen([failing, door('slack')], { log, explain });
    for (const seconds of waits) {
      expect(said.filter((line) => line.startsWith('discord')).at(-1)).toBe(
        `discord: no. Next try in ${seconds} s.`,
      );
      await vi.advanceTimersByTimeAsync(seconds * 1_000);
    }
    expect(kept.isOpen(failing)).toBe(true);
    await kept.stop();
  });

  it('that failed are not tried again after a stop', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { log } = listening();
    const failing = door('discord', new Error('no'));
    const kept = await keepOpen([failing, door('slack')], { log, explain });
    await kept.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(failing.starts).toBe(1);
  });

  it('that all fail keep the bot from starting, with every reason', async () => {
    const { log } = listening();
    const doors = [door('discord', new Error('no')), door('slack', new Error('neither'))];
    await expect(keepOpen(doors, { log, explain })).rejects.toThrow('discord: no.\nslack: neither.');
  });

  it('that take their time hold up nobody', async () => {
    changePauses(() => 5);
    const { log, heard } = listening();
    const slow = Promise.withResolvers<void>();
    const late = door('discord', slow.promise);
    const kept = await keepOpen([late, door('slack')], { log, explain });
    expect(kept.isOpen(late)).toBe(false);
    await heard('discord: still opening');
    slow.resolve();
    await heard('discord: open');
    await kept.stop();
    expect(late.stops).toBe(1);
  });

  it.each([true, false])(
    'that open only when all is over (%s) are closed at once, and not tried again',
    async (opens) => {
      changePauses(() => 5);
      const { log, said } = listening();
      const slow = Promise.withResolvers<void>();
      const late = door('discord', slow.promise);
      const kept = await keepOpen([late, door('slack')], { log, explain });
      const stopped = kept.stop();
      if (opens) slow.resolve();
      else slow.reject(new Error('too late'));
      await stopped;
      expect(late.stops).toBe(opens ? 1 : 0);
      expect(said.filter((line) => line.includes('Next try'))).toEqual([]);
      expect(kept.isOpen(late)).toBe(false);
    },
  );
});

describe('the doors of a process', async () => {
  const { app, close, logged } = await makeTestApp();
  afterAll(close);
  const platforms: Readonly<Record<Exclude<DoorName, 'web' | 'terminal'>, Environment>> = {
    discord: { DISCORD_TOKEN: 'a.b.c', DISCORD_PUBLIC_KEY: 'a'.repeat(64) },
    slack: { SLACK_BOT_TOKEN: 'xoxb-1-a', SLACK_SIGNING_SECRET: 'a'.repeat(32) },
  };
  const settings: Environment = Object.assign(
    { DATABASE_URL: 'postgres://a@b/c' },
    ...Object.values(platforms),
  );
  const tools = {
    app,
    dispatcher: makeDispatcher(app, { commands: COMMANDS }),
    onFirstAnswer: () => {},
    pictures: makePictures(),
    chatClock: { now: () => 0, next: async () => undefined, moveTo: async () => {} },
  };

  it.each(ROLES.map((role) => [role]))('with the role %s', async (role) => {
    // The local chat is for one process that does everything.
    const web = { port: 0, outside: false };
    const doors = await makeDoors({ ...readConfig({ ...settings, ROLE: role }), web }, tools);
    const hasChat = doors.some(({ door }) => door.name === 'web');
    expect(hasChat).toBe(role === 'all');
    const opened = doors.flatMap(({ opens, door: { name } }) => (opens && name !== 'web' ? [name] : []));
    const overHttp = doors.filter(({ routes }) => routes !== undefined).map(({ door: { name } }) => name);
    const isAnswering = role !== 'gateway' && role !== 'worker';
    expect(opened).toEqual(isAnswering ? ['discord', 'slack'] : role === 'gateway' ? ['discord'] : []);
    expect(overHttp).toEqual(isAnswering ? ['discord', 'slack'] : []);
    await Promise.all(doors.map(({ door }) => door.stop()));
  });

  it.each(['gateway', 'interactions', 'web', 'worker'])(
    'with the role %s only post on Slack where it has no secret for requests',
    async (ROLE) => {
      const { SLACK_SIGNING_SECRET: _, ...others } = settings;
      const doors = await makeDoors(readConfig({ ...others, ROLE }), tools);
      const slack = doors.find(({ door }) => door.name === 'slack')!;
      expect(slack).toMatchObject({ opens: false, door: { poster: { door: 'slack' } } });
      logged.length = 0;
      for (const _ of ['once', 'again']) {
        const asked = await slack.routes?.request('/slack/events', { method: 'POST', body: '{}' });
        expect(asked?.status ?? 404).toBe(404);
      }
      const warning = 'a request to /slack/events is not taken: SLACK_SIGNING_SECRET is not set';
      expect(logged.map(({ level, message }) => ({ level, message }))).toEqual(
        slack.routes === undefined ? [] : [{ level: 'warn', message: warning }],
      );
      const takesRequests = ROLE === 'interactions' || ROLE === 'web';
      expect(slack.routes !== undefined).toBe(takesRequests);
      expect(slack.lacksForHttp).toBe(takesRequests ? 'SLACK_SIGNING_SECRET' : undefined);
      await Promise.all(doors.map(({ door }) => door.stop()));
    },
  );
});
