// A test in the browser: a scenario, pages that look at its dashboard, and what no page may do.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { PATIENCE_MS } from '../../scenarios/support/eventually.ts';
import { scenario } from '../../scenarios/support/scenario.ts';
import type { Stage } from '../../scenarios/support/stage.ts';
import { theBrowser } from './browser.ts';
import { beginDashboard, type Dashboard } from './dashboard.ts';
import { watched, type Watched } from './watched.ts';

export interface Tab {
  readonly page: Page;
  readonly dashboard: Dashboard;
  readonly watched: Watched;
}

export interface Visit {
  readonly stage: Stage;
  /** Begins a dashboard with these options and opens its page. */
  readonly open: (...args: readonly string[]) => Promise<Tab>;
  /** Opens a page of a dashboard that runs, as another user of a browser would. */
  readonly visit: (dashboard: Dashboard, options?: BrowserContextOptions) => Promise<Tab>;
}

const SIZE = { width: 1280, height: 900 };

const openTab = async (dashboard: Dashboard, options: BrowserContextOptions): Promise<Tab> => {
  const context = await (await theBrowser()).newContext({ viewport: SIZE, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const tab = { page, dashboard, watched: await watched(page, dashboard.origin) };
  await page.goto(dashboard.url);
  return tab;
};

const shownBy = async ({ page }: Tab): Promise<string> => {
  const text = await page.locator('body').innerText({ timeout: 1_000 }).catch(String);
  return `--- page ${page.url().replace(/#.*/, '')}\n${text}`;
};

const withPages = async (error: unknown, tabs: readonly Tab[]): Promise<Error> => {
  const failed = error instanceof Error ? error : new Error(String(error));
  const pages = await Promise.all(tabs.map(shownBy));
  failed.message = [failed.message, ...tabs.flatMap((tab) => tab.watched.complaints()), ...pages].join('\n');
  return failed;
};

/** A test on pages of its own, which must not have done anything that no page may do. */
export const inBrowser = (title: string, play: (visit: Visit) => Promise<void>): void =>
  scenario(title, async (stage) => {
    const tabs: Tab[] = [];
    const visit: Visit['visit'] = async (dashboard, options = {}) => {
      const tab = await openTab(dashboard, options);
      tabs.push(tab);
      return tab;
    };
    try {
      await play({ stage, visit, open: async (...args) => visit(await beginDashboard(stage, ...args)) });
      const complaints = tabs.flatMap((tab) => tab.watched.complaints());
      if (complaints.length > 0) throw new Error(complaints.join('\n'));
    } catch (error) {
      throw await withPages(error, tabs);
    } finally {
      await Promise.all(tabs.map(({ page }) => page.context().close()));
    }
  });
