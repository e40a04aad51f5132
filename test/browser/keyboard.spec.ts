// The page without a mouse.
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { project, steady } from '../scenarios/support/recipes.ts';
import { started } from '../scenarios/support/witnesses.ts';
import { reads, rowOf, sentence, tab } from './support/elements.ts';
import { inBrowser } from './support/visit.ts';

const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(
    `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()`,
  );

/** Presses the Tab key until the element with this name has the focus. */
const tabTo = async (page: Page, name: string): Promise<void> => {
  const passed: string[] = [];
  while (passed.length < 60) {
    await page.keyboard.press('Tab');
    passed.push(await focused(page));
    if (passed.at(-1) === name) return;
  }
  throw new Error(`the Tab key does not reach ${name}, only: ${passed.join(' | ')}`);
};

/** Opens a service, and returns what has the focus as soon as its heading is in the document. */
const FOCUS_AT_ONCE = `new Promise((settle) => {
  new MutationObserver(() => {
    const heading = document.querySelector('.service-head h2');
    if (heading !== null) settle(document.activeElement.textContent);
  }).observe(document.body, { childList: true, subtree: true });
  location.hash = '#/shop/db';
})`;

describe('the keyboard', () => {
  inBrowser('a service that is opened has the focus before it is drawn', async ({ stage, open }) => {
    await started(stage, project('shop', { db: steady() }));
    const { page } = await open();
    await reads(sentence(page), /^1 running$/);
    expect(await page.evaluate(FOCUS_AT_ONCE)).toBe('shop/db');
  });

  inBrowser('a service is found, opened, looked through and left by keys alone', async ({ stage, open }) => {
    await started(stage, project('shop', { api: steady(), db: steady(), web: steady() }));
    const { page } = await open();
    await reads(sentence(page), /^3 running$/);

    await page.keyboard.press('/');
    expect(await focused(page)).toBe('Filter services');
    await page.keyboard.type('web');
    await expect.poll(() => rowOf(page, 'db').count()).toBe(0);
    await page.keyboard.press('Escape');
    await rowOf(page, 'db').waitFor();

    await tabTo(page, 'api');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe('db');
    await page.keyboard.press('Enter');
    await tab(page, 'Account').waitFor();
    await tabTo(page, 'Account');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => tab(page, 'Logs').getAttribute('aria-selected')).toBe('true');
    await page.getByRole('log').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('db');
  });

  inBrowser(
    'a dialog takes the focus, keeps it, and gives it back when it is left by Escape',
    async ({ stage, open }) => {
      await started(stage, project('shop', { db: steady() }));
      const { page } = await open('--allow-actions');
      await reads(sentence(page), /^1 running$/);
      await tabTo(page, 'db');
      await page.keyboard.press('Enter');
      await tabTo(page, 'Restart');
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      for (let at = 0; at < 6; at += 1) {
        await page.keyboard.press('Tab');
        const place = await page.evaluate<string>(
          `document.activeElement.closest('[role=dialog], dialog') ? 'dialog' : document.activeElement.tagName`,
        );
        // Between its last and first element, the browser's own window has the focus.
        expect(place).toMatch(/^(dialog|BODY)$/);
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      expect(await focused(page)).toBe('Restart');
    },
  );
});
