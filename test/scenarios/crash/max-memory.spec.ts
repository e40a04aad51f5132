// max_memory: a leaking service is replaced by its strategy, with sampling off.
import { describe, expect } from 'vitest';
import { eventually, holds } from '../support/eventually.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { loose } from '../support/recipes.ts';
import { serviceOf } from '../support/rollouts.ts';
import { scenario } from '../support/scenario.ts';
import { agree, started } from '../support/witnesses.ts';

/** The first run takes 150 MB of memory; later ones take none. */
const LEAK = `const { existsSync, appendFileSync } = require('node:fs');
globalThis.kept = existsSync('runs') ? undefined : Buffer.alloc(150e6, 1);
appendFileSync('runs', process.pid + '\\n');
setInterval(() => undefined, 1000);`;

describe('a service over max_memory', () => {
  scenario('a service over max_memory is rolled out again, and why names ERR0120', async (stage) => {
    const web = {
      exec: [process.execPath, '-e', LEAK],
      max_memory: '120M',
      max_memory_for: '2s',
      stop_timeout: '5s',
      deployment: { strategy: 'rolling', grace_period: '100ms' },
    };
    await started(stage, { ...loose({ web }), metrics: { retention_minutes: 0 } });
    await linesCome(stage, 'runs', 2);
    const after = await eventually({
      what: 'the new run',
      look: async () => {
        const now = await serviceOf(stage, 'web');
        return now.restarts_total === 1 ? now : undefined;
      },
    });
    expect(after.last_failure).toMatchObject({ error: { code: 'ERR0120' } });
    expect(linesOf(stage, 'runs').length).toBe(2);
    expect((await stage.sup('why', 'web')).stdout).toMatch(
      /ERR0120 used \d+ MiB of memory, more than max_memory/,
    );
    await holds('the stored event', async () =>
      /web warning \(.*ERR0120/.test((await stage.sup('events')).stdout),
    );
    await agree(stage, { web: 'running' });
  });
});
