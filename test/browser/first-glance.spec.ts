// What is seen first: the sentence, the table of services with what each uses, and live changes of both.
import { describe, expect } from 'vitest';
import { project, script, shell, steady } from '../scenarios/support/recipes.ts';
import { inBrowser } from './support/visit.ts';
import { reads, rowOf, sentence, services } from './support/elements.ts';
import { pass, started } from '../scenarios/support/witnesses.ts';

describe('the first glance', () => {
  inBrowser(
    'the sentence says what runs and what needs you, the table the reason for it',
    async ({ stage, open }) => {
      await started(
        stage,
        project('shop', {
          db: steady(),
          web: steady({ depends_on: ['db'] }),
          api: script('until-told.sh', ['end'], { restart_policy: 'always', backoff: '1h', max_restarts: 8 }),
          report: shell('true', { cron: { expression: '0 3 * * *', timezone: 'utc' } }),
        }),
      );
      const { page } = await open();
      await reads(sentence(page), /^3 running, 1 scheduled$/);
      await expect.poll(() => services(page).getByRole('row').allInnerTexts()).toHaveLength(6);
      await reads(rowOf(page, 'web'), /running[^]*MiB/);

      stage.write('end', '3');
      await pass(stage, { 'shop/api': 'backoff' });
      await reads(
        sentence(page),
        /^2 running, 1 scheduled, 1 needs you: shop\/api in backoff, exit 3, 1 of 8$/,
      );
      await reads(rowOf(page, 'api'), /backoff[^]*exited with 3; attempt 1 of 8/);
    },
  );
});
