// The page while its supervisor or its server is away: what it shows, and that it comes back by itself.
import { describe, expect } from 'vitest';
import { loose, steady } from '../scenarios/support/recipes.ts';
import { killOnlySupervisor } from '../scenarios/support/supervisors.ts';
import { expectDone, glance, started } from '../scenarios/support/witnesses.ts';
import { killDashboard } from './support/dashboard.ts';
import { reads, rowOf, sentence, timeline } from './support/elements.ts';
import { inBrowser } from './support/visit.ts';

const STACK = loose({ db: steady(), web: steady() });

describe('the page without its supervisor', () => {
  inBrowser(
    'a supervisor that is killed comes back without a reload, and its services keep running',
    async (visit) => {
      const { stage } = visit;
      await started(stage, STACK);
      const { page } = await visit.open();
      await reads(sentence(page), /^2 running$/);
      const { pid } = (await glance(stage)).supervisor;
      killOnlySupervisor(stage);
      // Without a supervisor there is no pid.
      await expect
        .poll(async () => (await glance(stage)).supervisor.pid, { timeout: 90_000 })
        .toSatisfy((now) => typeof now === 'number' && now !== pid);
      // The next change can only be known from the new supervisor.
      expectDone(await stage.sup('stop', 'web'));
      await reads(rowOf(page, 'web'), /stopped/);
      await reads(sentence(page), /^1 running, 1 stopped$/);
      const next = (await glance(stage)).supervisor.pid;
      await reads(page.getByRole('banner'), new RegExp(`pid ${next}, version [^]*brought back once`));
      await reads(timeline(page).getByRole('listitem').first(), /^supervisor$/);
    },
  );

  inBrowser(
    'after a shutdown the page says that this is a record, and follows the next supervisor',
    async (visit) => {
      const { stage } = visit;
      await started(stage, STACK);
      const { page } = await visit.open();
      await reads(sentence(page), /^2 running$/);
      expectDone(await stage.sup('shutdown'));
      await reads(page.getByRole('alert').first(), /No supervisor runs/);
      await reads(rowOf(page, 'db'), /stopped/);
      expectDone(await stage.sup('start', '--daemonize'));
      await reads(sentence(page), /^2 running$/);
      await expect.poll(() => page.getByRole('alert').first().innerText(), { timeout: 60_000 }).toBe('');
    },
  );

  inBrowser('a page whose server is killed says so and keeps what it shows', async ({ stage, open }) => {
    await started(stage, STACK);
    const { page, dashboard, watched } = await open();
    await reads(sentence(page), /^2 running$/);
    watched.expect(/ERR_CONNECTION_(REFUSED|RESET)/);
    await killDashboard(dashboard);
    await reads(page.getByRole('alert').first(), /Connection lost/);
    await reads(rowOf(page, 'db'), /running/);
  });
});
