// The page of a dashboard in a real Chromium, and when it draws what it is sent.
import { chromium, type Page } from 'playwright-core';
import { until } from './until.ts';

interface Row {
  readonly name: string;
  readonly pid: number | null;
  readonly state: string;
}

interface Drawn {
  /** On the clock of `performance` of this process, ms. */
  readonly at: number;
  readonly rows: readonly Row[];
}

export interface RealPage {
  /** From the start of the navigation until the first rows of the table are drawn, ms. */
  readonly firstRows: number;
  /** What has been drawn so far. */
  readonly drawn: () => Promise<readonly Drawn[]>;
  readonly close: () => Promise<void>;
}

/**
 * Runs in the page before its own scripts. Notes when a frame is done after the page has received rows, and
 * when the first rows of services are in a frame.
 */
const OBSERVE = `
  window.drawn = [];
  const afterFrame = (then) =>
    requestAnimationFrame(() => setTimeout(() => then(performance.timeOrigin + performance.now())));
  const Native = WebSocket;
  window.WebSocket = class extends Native {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => {
        const { rows } = JSON.parse(data);
        const few = (rows ?? []).map(({ name, pid, state }) => ({ name, pid, state }));
        if (few.length > 0) afterFrame((at) => window.drawn.push({ at, rows: few }));
      });
    }
  };
  const look = () => {
    if (document.querySelectorAll('[role=table] [role=row] a').length === 0) requestAnimationFrame(look);
    else afterFrame((at) => (window.firstRows = at - performance.timeOrigin));
  };
  requestAnimationFrame(look);`;

const firstRowsOf = async (page: Page): Promise<number> => {
  await until(
    async () => (await page.evaluate<number | undefined>('window.firstRows')) !== undefined || undefined,
    {
      what: 'rows of services in the page',
      limitMs: 30_000,
    },
  );
  return page.evaluate<number>('window.firstRows');
};

/** Opens the page. `url`: with the token in its fragment. */
export const openRealPage = async (url: string): Promise<RealPage> => {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    // As root, Chromium refuses to run with its sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(OBSERVE);
  await page.goto(url);
  const toOwnClock = (at: number): number => at - performance.timeOrigin;
  return {
    firstRows: await firstRowsOf(page),
    drawn: async () =>
      (await page.evaluate<readonly Drawn[]>('window.drawn')).map(({ at, rows }) => ({
        at: toOwnClock(at),
        rows,
      })),
    close: () => browser.close(),
  };
};
