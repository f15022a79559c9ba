/**
 * What strangers can do to a running bot with its public port alone: `npm run bench -- attacks`. It needs the site, which
 * `npm run site` makes, and takes five minutes.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY, MINUTE, SECOND } from '../src/core/clock.ts';
import { dateAt } from '../src/puzzle/calendar.ts';
import { openPlatforms, posted, switchOn, WholeBot } from '../test/whole-bot/platforms.ts';
import { heading, quantile, row } from './table.ts';

/** When a bot begins, by its clock: a thread opens only while its puzzle has hours left. */
const NOON = Date.UTC(2026, 10, 20, 12);
const CHANNELS = 50;
const PROBES = 60;
const PROBE_TIMEOUT = 5 * SECOND;
/** How long openings are waited for after their time. */
const PATIENCE = 30 * SECOND;

const SOCKETS = 1_000;
const PICTURES_PER_SECOND = 25;
const BODIES = 990;
const BODY_BYTES = 256 * 1024;

export async function run(): Promise<void> {
  heading(
    'attack',
    `of ${PROBES} /healthz unanswered`,
    'slowest, ms',
    'last opening, s late',
    'peak memory, MB',
  );
  await attack('none', () => () => {});
  await attack(`${SOCKETS} sockets, ${PICTURES_PER_SECOND} pictures of days a second`, askForPictures);
  await attack(`${BODIES} bodies without their last byte`, withholdBodies);
}

/** Begins with the port, and returns what ends it. */
type Attack = (port: number) => () => void;

async function attack(name: string, begin: Attack): Promise<void> {
  const ahead = Math.round((NOON - Date.now()) / MINUTE) * MINUTE;
  const now = () => Date.now() + ahead;
  const dataDir = mkdtempSync(join(tmpdir(), 'letterboxed-bench-'));
  const platforms = await openPlatforms(CHANNELS, { now }, { now });
  const settings = {
    ...platforms.settings,
    DATA_DIR: dataDir,
    PUBLIC_URL: 'https://letterboxed.example',
    DISCORD_PUBLIC_KEY: '0'.repeat(64),
  };
  const bot = new WholeBot(settings, { ahead });
  const { port = 0 } = await bot.nextMessage();
  const due = Math.ceil((now() + MINUTE / 2) / MINUTE) * MINUTE;
  await switchOn(platforms, { zones: ['UTC'], openings: [new Date(due).toISOString().slice(11, 16)] });
  await sleep(due - 15 * SECOND - now());
  const end = begin(port);
  const probing = probe(port);
  let late = Number.NaN;
  while (Number.isNaN(late) && now() < due + PATIENCE) {
    if (posted(platforms).openings.length === CHANNELS) late = (now() - due) / SECOND;
    await sleep(50);
  }
  const times = await probing;
  end();
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${bot.child.pid}/status`, 'utf8'))?.[1];
  const answered = times.filter((time) => !Number.isNaN(time));
  row(
    name,
    PROBES - answered.length,
    Math.round(quantile(answered, 1)),
    late.toFixed(1),
    Math.round(Number(peak) / 1000),
  );
  await bot.stop();
  await platforms.close();
  rmSync(dataDir, { recursive: true });
}

/** Milliseconds until each of some fresh connections had its answer, two a second. */
function probe(port: number): Promise<number[]> {
  return Promise.all(
    Array.from({ length: PROBES }, async (_, at) => {
      await sleep((at * SECOND) / 2);
      const began = performance.now();
      const socket = connect(port, '127.0.0.1');
      try {
        socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
        const [bytes] = await once(socket, 'data', { signal: AbortSignal.timeout(PROBE_TIMEOUT) });
        return `${bytes}`.startsWith('HTTP/1.1 200') ? performance.now() - began : Number.NaN;
      } catch {
        return Number.NaN;
      } finally {
        socket.destroy();
      }
    }),
  );
}

/** Keeps sockets open that each ask for the picture of another day, again once they were answered or closed. */
function askForPictures(port: number): () => void {
  const sockets = new Set<Socket>();
  let isOver = false;
  let asked = 0;
  const ask = (socket: Socket) => {
    const day = dateAt(NOON - (++asked % 300) * DAY);
    socket.write(`GET /day-${day}.png HTTP/1.1\r\nHost: x\r\n\r\n`);
  };
  /** Sockets that wait for their turn, or are to be opened. */
  const idle: (Socket | undefined)[] = [];
  const open = () => {
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    let isWaiting = true;
    socket.on('error', () => {});
    socket.on('data', () => {
      if (isWaiting) idle.push(socket);
      isWaiting = false;
    });
    socket.on('ask', () => {
      isWaiting = true;
      ask(socket);
    });
    socket.on('close', () => {
      sockets.delete(socket);
      if (!isOver) idle.push(undefined);
    });
    ask(socket);
  };
  for (let at = 0; at < SOCKETS; at++) open();
  const timer = setInterval(() => {
    const next = idle.shift();
    if (next !== undefined && !next.destroyed) next.emit('ask');
    else if (sockets.size < SOCKETS) open();
  }, SECOND / PICTURES_PER_SECOND);
  return () => {
    isOver = true;
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  };
}

/** Sends all but the last byte of many requests that only a signature could refuse. */
function withholdBodies(port: number): () => void {
  const sockets = new Set<Socket>();
  const open = () => {
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.resume();
    // Within the five minutes in which a signature is valid.
    const timestamp = Math.floor(Date.now() / SECOND);
    const ahead = Math.round((NOON - Date.now()) / MINUTE) * 60;
    socket.write(
      `POST /discord/interactions HTTP/1.1\r\nHost: x\r\nContent-Length: ${BODY_BYTES}\r\n` +
        `X-Signature-Timestamp: ${timestamp + ahead}\r\nX-Signature-Ed25519: ${'0'.repeat(128)}\r\n\r\n` +
        'x'.repeat(BODY_BYTES - 1),
    );
  };
  let opened = 0;
  const timer = setInterval(() => {
    // All of them within ten seconds; then those that were closed, a few at a time.
    for (let more = opened < BODIES ? 4 : 1; more > 0 && sockets.size < BODIES; more--, opened++) open();
  }, SECOND / 25);
  return () => {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  };
}
