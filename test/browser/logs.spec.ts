// The log of a service in the page: it is followed, searched, coloured and copied.
import { describe, expect } from 'vitest';
import { project, shell } from '../scenarios/support/recipes.ts';
import { started } from '../scenarios/support/witnesses.ts';
import { openService, reads, tab } from './support/elements.ts';
import { inBrowser } from './support/visit.ts';

/** A pattern that would take hours for this line, if it were one. */
const SLOW = { search: '(a+)+$', line: `${'a'.repeat(60)}! (a+)+$ old` };

/** Many lines, three hundred, one of them an error in red, then a line for each line that a file gets. */
const PRINTER = [
  `echo '${SLOW.line}'; seq 1200`,
  'for i in $(seq 150); do echo "order $i accepted"; done',
  String.raw`printf '\033[31mERROR\033[0m cannot reach smtp.shop:25\n' >&2`,
  'for i in $(seq 151 300); do echo "order $i accepted"; done',
  'touch more; exec tail -n +1 -f more',
].join('; ');

describe('the log of a service', () => {
  inBrowser(
    'a log is followed, an error in it is found, shown in its colour and copied',
    async ({ stage, visit, open }) => {
      await started(stage, project('shop', { mailer: shell(PRINTER) }));
      const { dashboard } = await open();
      const { page } = await visit(dashboard, { permissions: ['clipboard-read', 'clipboard-write'] });
      await openService(page, 'mailer');
      await tab(page, 'Logs').click();
      const log = page.getByRole('log');
      await reads(log, /order 300 accepted/);
      stage.write('more', 'order 301 accepted\n');
      await reads(log, /order 301 accepted/);

      await page.keyboard.press('/');
      await page.keyboard.type('smtp');
      await expect
        .poll(() => page.locator('body').innerText(), { timeout: 60_000 })
        .toMatch(/1 match|1 of 1/);
      await page.keyboard.press('Enter');
      const match = log.locator('mark');
      await reads(match, /^smtp$/);
      await expect
        .poll(async () => (await match.boundingBox())?.y, { timeout: 60_000 })
        .toSatisfy((y) => typeof y === 'number' && y > 0 && y < 900);
      const colourOf = (text: string): Promise<string> =>
        page.evaluate<string>(`getComputedStyle([...document.querySelectorAll('[role=log] span')]
        .find(({ textContent }) => textContent === '${text}')).color`);
      expect(await colourOf('ERROR')).not.toBe(await colourOf(' cannot reach '));

      await page.getByRole('checkbox', { name: 'Only matches' }).check();
      await expect.poll(() => log.innerText()).not.toMatch(/accepted/);
      await page.getByRole('button', { name: 'Copy' }).click();
      await expect
        .poll(() => page.evaluate('navigator.clipboard.readText()'))
        .toMatch(/ERROR cannot reach smtp\.shop:25/);

      // The page has the last 1,000 lines; the server finds older ones. What is typed is a text, not a pattern.
      await page.getByRole('searchbox', { name: 'Search logs' }).fill(SLOW.search);
      await reads(log, /a! \(a\+\)\+\$ old$/);
      stage.write('more', 'order 301 accepted\nanother (A+)+$\norder 302 accepted\n');
      await reads(log, /old\s+[^]*another \(A\+\)\+\$$/);
      await page.getByRole('checkbox', { name: 'Only matches' }).uncheck();
      await reads(log, /order 302 accepted/);
    },
  );
});
