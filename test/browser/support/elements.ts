// The parts of the page by the names that a screen reader reads, and waiting for what they say.
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { PATIENCE_MS } from '../../scenarios/support/eventually.ts';

/** Waits until the element's text matches. */
export const reads = (element: Locator, text: RegExp): Promise<void> =>
  expect.poll(() => element.innerText(), { timeout: PATIENCE_MS, interval: 50 }).toMatch(text);

/** The first sentence: what runs, and what needs you. */
export const sentence = (page: Page): Locator => page.getByRole('status').first();

export const services = (page: Page): Locator => page.getByRole('table', { name: 'Services' });

/** The row of a service, by its name without the project. */
export const rowOf = (page: Page, name: string): Locator =>
  services(page)
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) });

export const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name });

/** Opens the account of a service from the table. */
export const openService = async (page: Page, name: string): Promise<void> => {
  await rowOf(page, name).getByText(name, { exact: true }).click();
  await tab(page, 'Account').waitFor();
};

/** Presses the button of a command, and confirms its dialog. */
export const act = async (page: Page, action: string): Promise<void> => {
  await page.getByRole('button', { name: action, exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: action, exact: true }).click();
};

export const timeline = (page: Page): Locator => page.getByRole('region', { name: 'Timeline' });

export const dependencies = (page: Page): Locator => page.getByRole('region', { name: 'Dependencies' });
