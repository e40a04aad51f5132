// Start: what a dead supervisor left lying about does not keep the next one from starting.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { isAlive } from '../support/process-table.ts';
import { loose, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, started } from '../support/witnesses.ts';

/** A socket file without a listener, as a killed supervisor leaves it. */
const leaveSocket = ({ data }: Stage): Promise<void> =>
  new Promise((settle) => {
    const path = join(data, 'control.sock');
    const server = createServer().listen(path, () => {
      // Closing removes the file that it was bound to, so it is put back as a plain one of that name.
      server.close(() => {
        writeFileSync(path, '');
        settle();
      });
    });
  });

describe('leftovers of a dead supervisor', () => {
  scenario('a leftover socket and pid file do not block a start', async (stage) => {
    await leaveSocket(stage);
    writeFileSync(join(stage.data, 'sup.pid'), '999999\n');
    await started(stage, loose({ web: steady() }));
    await agree(stage, { web: 'running' });
  });

  scenario(
    'a leftover pid file and lock that name another process neither block a start nor affect it',
    async (stage) => {
      // The test runner itself is the stranger: it has nothing to do with this supervisor.
      writeFileSync(join(stage.data, 'sup.pid'), `${process.pid}\n`);
      writeFileSync(join(stage.data, 'supervisor.lock'), `${process.pid} 1\n`);
      await started(stage, loose({ web: steady() }));
      await agree(stage, { web: 'running' });
      expect(isAlive(process.pid)).toBe(true);
    },
  );
});
