// A service that attacks the reader of its output: nothing that it prints, and no name that it has, can run, load, ask
// or open anything. That no page asks another machine or shows a dialog is watched in every test (`support/watched.ts`).
import { describe, expect } from 'vitest';
import { fixture, steady } from '../scenarios/support/recipes.ts';
import { pass } from '../scenarios/support/witnesses.ts';
import { openService, reads, rowOf, tab } from './support/elements.ts';
import { inBrowser } from './support/visit.ts';

const SLY = '<img src=http://evil.test/y onerror=window.pwned=1>';

/** How far the shown part of the log is from its end, px. */
const BELOW = `(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(
  document.querySelector('[role=log]'))`;

const STACK = {
  projects: {
    shop: {
      name: `shop ${SLY}`,
      services: {
        bad: {
          exec: [process.execPath, fixture('hostile.mjs'), SLY],
          restart_policy: 'never',
          env: { vars: { SLY, TOKEN: 'a-secret' } },
        },
        victim: steady({ depends_on: ['bad'] }),
      },
    },
  },
};

describe('a hostile service', () => {
  inBrowser(
    'markup, escape codes and broken text of a service are shown and do nothing',
    async ({ stage, open }) => {
      stage.declare(STACK);
      await stage.sup('start', '--daemonize');
      await pass(stage, { 'shop/bad': 'failed' });
      const { page } = await open();
      await reads(rowOf(page, 'bad'), /failed/);
      await openService(page, 'bad');
      for (const name of ['Account', 'Charts', 'Processes', 'Configuration']) {
        await tab(page, name).click();
        await expect.poll(() => tab(page, name).getAttribute('aria-selected')).toBe('true');
      }
      await reads(page.getByRole('tabpanel'), /<img src=http/);
      await tab(page, 'Logs').click();
      const log = page.getByRole('log');
      await reads(log, /the end/);
      // Now all lines come at once. The end stays in sight, although a line before it is very long.
      await page.reload();
      await reads(log, /the end/);
      await expect.poll(() => page.evaluate(BELOW)).toBeLessThan(30);

      expect(await page.evaluate('window.pwned')).toBeUndefined();
      expect(await page.locator('#page :is(script, iframe, img, link, meta, base, style)').count()).toBe(0);
      expect(await page.locator('a[href^="javascript:"], [onerror], [onload]').count()).toBe(0);
      expect(await log.getByRole('link').count()).toBe(0);
    },
  );
});
