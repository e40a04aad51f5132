// Every view, for every reader: axe-core finds nothing in light and dark, and 360 px are wide enough.
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { project, script, shell, steady } from '../scenarios/support/recipes.ts';
import type { Stage } from '../scenarios/support/stage.ts';
import { pass, started } from '../scenarios/support/witnesses.ts';
import { violationsIn } from './support/axe.ts';
import { openService, reads, rowOf, sentence, tab } from './support/elements.ts';
import { inBrowser } from './support/visit.ts';

/** Services in as many states as stay. */
const begin = async (stage: Stage): Promise<void> => {
  await started(
    stage,
    project('shop', {
      db: shell(
        String.raw`printf '\033[32mready\033[0m \033[41mred\033[0m \033[2mdim\033[0m\n'; exec sleep 1000`,
      ),
      web: steady({ replicas: 2, depends_on: ['db'] }),
      api: script('until-told.sh', ['end'], { restart_policy: 'always', backoff: '1h' }),
      needy: steady({ depends_on: ['api'] }),
      report: shell('true', { cron: { expression: '0 3 * * *', timezone: 'utc' } }),
      migrate: shell('true', { restart_policy: 'never' }),
    }),
  );
  stage.write('end', '3');
  await pass(stage, { 'shop/api': 'backoff', 'shop/migrate': 'done' });
};

const TABS = ['Account', 'Charts', 'Logs', 'Processes', 'Configuration'];

const expectNoScrolling = async (page: Page, view: string): Promise<void> => {
  const [wide, most] = await page.evaluate<readonly [number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  expect(wide, `width of ${view}`).toBeLessThanOrEqual(most);
};

/** Calls `look` in every view of the page. */
const inEachView = async (page: Page, look: (view: string) => Promise<void>): Promise<void> => {
  await look('all services');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await look('the help');
  await page.keyboard.press('Escape');
  for (const service of ['api', 'db']) {
    await openService(page, service);
    for (const name of TABS) {
      await tab(page, name).click();
      await expect.poll(() => tab(page, name).getAttribute('aria-selected')).toBe('true');
      await look(`${name} of ${service}`);
    }
    await page.keyboard.press('Escape');
    await rowOf(page, service).waitFor();
  }
  await openService(page, 'db');
  await page.getByRole('button', { name: 'Restart', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await look('a dialog');
};

/** Gives every element a transition and an animation, as a later style sheet might, and counts what moves. */
const MOVING = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('@keyframes turn { to { opacity: 0.9 } } * { transition: all 9s; animation: turn 9s infinite; scroll-behavior: smooth }');
  document.adoptedStyleSheets = [sheet];
  const smooth = [...document.querySelectorAll('*')].filter((one) => getComputedStyle(one).scrollBehavior === 'smooth');
  return document.getAnimations().length + smooth.length;
})()`;

describe('every view', () => {
  inBrowser(
    'axe-core finds no violation in light and dark, and no view of 360 px scrolls sideways',
    async (visit) => {
      const { stage } = visit;
      await begin(stage);
      const { page: light, dashboard } = await visit.open('--allow-actions');
      const { page: dark } = await visit.visit(dashboard, { colorScheme: 'dark' });
      const { page: narrow } = await visit.visit(dashboard, { viewport: { width: 360, height: 740 } });
      for (const page of [light, dark, narrow]) await reads(sentence(page), /needs? you/);
      await inEachView(light, async (view) =>
        expect(await violationsIn(light), `${view}, light`).toEqual([]),
      );
      await inEachView(dark, async (view) => expect(await violationsIn(dark), `${view}, dark`).toEqual([]));
      await inEachView(narrow, (view) => expectNoScrolling(narrow, view));
    },
  );

  inBrowser('nothing moves for a reader who has asked for reduced motion', async (visit) => {
    await started(visit.stage, project('shop', { db: steady() }));
    const { page, dashboard } = await visit.open();
    const { page: calm } = await visit.visit(dashboard, { reducedMotion: 'reduce' });
    await reads(sentence(page), /^1 running$/);
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
    expect(await page.evaluate(MOVING)).toBeGreaterThan(0);
    await reads(sentence(calm), /^1 running$/);
    expect(await calm.evaluate(MOVING)).toBe(0);
  });
});
