/** Servers on this machine, for tests. */

import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Resolves once the server listens on a free port. */
export function listening<Kind extends Server>(server: Kind): Promise<Kind> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

export const portOf = (server: Server) => (server.address() as AddressInfo).port;
export const originOf = (server: Server) => `http://127.0.0.1:${portOf(server)}`;

/** With the connections that clients keep open. */
export function closeServer(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
