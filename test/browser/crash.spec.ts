// A crash and its healing, as a person sees them while the page is open.
import { describe, expect } from 'vitest';
import { project, shell, steady } from '../scenarios/support/recipes.ts';
import { expectDone, glance, serviceIn, started } from '../scenarios/support/witnesses.ts';
import { openService, reads, rowOf, sentence, timeline } from './support/elements.ts';
import { inBrowser } from './support/visit.ts';

describe('a crash', () => {
  inBrowser(
    'a killed process is seen in its row, the timeline and its account, and so is its next run',
    async (visit) => {
      const { stage } = visit;
      await started(
        stage,
        project('shop', {
          db: shell('echo "disk is full" >&2; exec sleep 1000', { restart_policy: 'always', backoff: '1h' }),
          web: steady({ depends_on: ['db'] }),
        }),
      );
      const { page } = await visit.open();
      await reads(sentence(page), /^2 running$/);
      const { pid } = serviceIn(await glance(stage), 'shop/db');
      process.kill(pid ?? Number.NaN, 'SIGKILL');
      await reads(sentence(page), /needs? you: shop\/db in backoff, SIGKILL/);
      await expect.poll(() => page.title()).toMatch(/^(1 needs|2 need) you · sup$/);
      await reads(rowOf(page, 'web'), /casualty[^]*db/);
      expectDone(await stage.sup('start', '--daemonize', 'db'));
      await reads(sentence(page), /^2 running$/);
      await expect.poll(() => page.title()).toBe('2 running · sup');
      await reads(rowOf(page, 'db'), /running/);
      await expect.poll(() => timeline(page).innerText()).toMatch(/db/);

      await openService(page, 'db');
      await reads(page.getByRole('tabpanel'), /SIGKILL[^]*disk is full/);
      expectDone(await stage.sup('stop', 'db'));
      await reads(page.getByRole('tabpanel'), /stopped/);
    },
  );
});
