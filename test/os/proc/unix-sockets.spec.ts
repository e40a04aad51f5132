import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { inodesAtPath, socketOf } from '../../../src/os/proc/net-sockets.ts';

it('the one socket that listens at a path is found, and none of its connections', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sup unix '));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'a socket');
  expect(inodesAtPath(path).size).toBe(0);
  const server = createServer().listen(path);
  await once(server, 'listening');
  const client = createConnection(path);
  await once(server, 'connection');
  const inodes = inodesAtPath(path);
  expect(inodes.size).toBe(1);
  expect(socketOf(process.pid, inodes)).toBeDefined();
  client.destroy();
  server.close();
});
