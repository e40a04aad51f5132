// A second way to a privileged supervisor, for one question only. A service that runs as another user cannot enter the data
// directory, and may all the same ask for children (`docs/security.md`, "Who may speak to a supervisor"). Whoever is on the
// machine may knock: who it is, the kernel tells.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { turnAway } from './turn-away.ts';

/** More than so many beside those that may stand there are hung up on at once. */
const MOST_TURNED_AWAY = 16;
/** So many may stand there at once, and for so long. */
const MOST_CLIENTS = 64;
const PATIENCE_MS = 30_000;
const MAX_FRAME = 1024 * 1024;

/** The same for each data directory, and in a place that only root writes. */
export const doorPlace = (dataDir: string): string =>
  `/run/sup-spawn-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}.sock`;

export interface Door {
  /** Opens it again where its path was removed. */
  readonly mend: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Rejects when it cannot be had. */
export const openDoor = async (
  path: string,
  admit: (socket: WebSocket, line: Socket) => void,
): Promise<Door> => {
  const http = createServer((_request, response) => {
    response.writeHead(426, { connection: 'close' }).end();
  });
  http.maxConnections = MOST_CLIENTS + MOST_TURNED_AWAY;
  const sockets = new WebSocketServer({ server: http, maxPayload: MAX_FRAME, perMessageDeflate: false });
  http.on('connection', (line: Socket) => void setTimeout(() => line.destroy(), PATIENCE_MS).unref());
  sockets.on('connection', (socket, { socket: line }) => {
    if (sockets.clients.size > MOST_CLIENTS) turnAway(socket, line);
    else admit(socket, line);
  });
  sockets.on('error', () => undefined);
  const listen = async (): Promise<void> => {
    await rm(path, { force: true });
    http.listen(path);
    await once(http, 'listening');
    await chmod(path, 0o666);
  };
  await listen();
  return {
    mend: async () => {
      if (!http.listening || existsSync(path)) return;
      http.close();
      await listen();
    },
    close: async () => {
      sockets.close();
      http.close();
      http.closeAllConnections();
      sockets.clients.forEach((socket) => socket.terminate());
      await rm(path, { force: true });
    },
  };
};
