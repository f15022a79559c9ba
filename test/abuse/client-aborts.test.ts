import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type Served, serveWeb } from '../chat/web/serve.ts';

let served: Served;
afterEach(() => served.close());

const SAY = JSON.stringify({ person: 'ada', line: 'hint' });

/** Sends a request, or a part of one, and goes away: politely, or as a broken connection does. */
async function sendAndLeave(bytes: string, how: 'end' | 'reset', waitFor?: 'data'): Promise<void> {
  const { hostname, port } = new URL(served.door.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(bytes, resolve));
  if (waitFor !== undefined) await once(socket, waitFor);
  if (how === 'reset') socket.resetAndDestroy();
  else socket.destroy();
}

it('people who leave the local chat in the middle of something cause no error in its log', async () => {
  served = await serveWeb();
  const { host } = new URL(served.door.url);
  const post = (length: number, body: string) =>
    `POST /say HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
  const chunked = `POST /say HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"per`;
  const stream = `GET /events?person=ada HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  for (const how of ['end', 'reset'] as const) {
    // In the middle of a body, after a whole request, and as soon as an event stream has begun.
    for (const part of [post(900, '{"pers'), chunked, post(SAY.length, SAY), stream]) {
      for (let time = 0; time < 10; time++) await sendAndLeave(part, how);
    }
    for (let time = 0; time < 10; time++) await sendAndLeave(stream, how, 'data');
  }
  const ask = () =>
    fetch(new URL('/say', served.door.url), {
      method: 'POST',
      body: SAY,
      headers: { 'content-type': 'application/json' },
    });
  // What goes on for those who left ends before the last answer.
  for (let time = 0; time < 5; time++) expect((await ask()).status).toBe(200);
  expect(served.logged.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
});
