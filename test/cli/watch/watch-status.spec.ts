import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { watchStatus } from '../../../src/cli/watch/watch-status.ts';
import { contextIn, fakeWorld, type Heard } from '../support/fake-world.ts';

/** A play in a data directory of its own. */
const inDirectory = async (play: (heard: Heard, dataDir: string) => Promise<void>): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'watch-'));
  try {
    await play(fakeWorld({ environment: { SUP_DATA_DIR: dataDir } }), dataDir);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
};

describe('status --watch in a pipe', () => {
  it('status --watch in a pipe waits for a supervisor that runs and does not answer at once', () =>
    inDirectory(async (heard, dataDir) => {
      const sockets: Socket[] = [];
      const silent = createServer((socket) => sockets.push(socket)).listen(join(dataDir, 'control.sock'));
      const view = watchStatus(contextIn(heard, 'json'), {});
      await expect.poll(heard.err).toMatch(/ERR0205 .*; waiting for the supervisor/);
      heard.interrupt();
      expect(await view).toBe(0);
      expect(heard.out()).toBe('');
      sockets.forEach((socket) => socket.destroy());
      silent.close();
    }));

  it('status --watch in a pipe leaves it to status if no supervisor runs', () =>
    inDirectory(async (heard) => {
      expect(await watchStatus(contextIn(heard, 'json'), {})).toBeUndefined();
    }));
});
