// A Unix socket that only this user can connect to. A browser reaches it through a port that ssh forwards.
import { once } from 'node:events';
import { lstatSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { failedWith } from '../../client/client-failure.ts';

const isAnswered = async (path: string): Promise<boolean> => {
  const line = connect(path);
  try {
    await once(line, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    line.destroy();
  }
};

/** Removes a socket that a killed server has left. Throws ERR0240 if anything else is at the path. */
export const clearSocket = async (path: string): Promise<void> => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw failedWith({ code: 'ERR0240', place: path, detail: 'it is no socket' });
  if (await isAnswered(path))
    throw failedWith({ code: 'ERR0240', place: path, detail: 'another program listens there' });
  rmSync(path);
};

/** Listens at the path. The socket is created with mode 0600, so at no moment can other users connect. */
export const listenPrivately = (server: Server, path: string): void => {
  const mask = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(mask);
  }
};
