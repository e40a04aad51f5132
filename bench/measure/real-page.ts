// Opens the page of a dashboard in a real Chromium, and measures when it draws the rows that it receives.
import { chromium, type Page } from 'playwright-core';
import { until } from './until.ts';

interface Row {
  readonly name: string;
  readonly pid: number | null;
  readonly state: string;
}

interface Drawn {
  /** The time on the clock of `performance` of this process, ms. */
  readonly at: number;
  readonly rows: readonly Row[];
}

/** Times from the start of the navigation, ms. */
interface FirstRows {
  /** Until the script of the page runs and connects. */
  readonly connects: number;
  /** Until the page has received the services. */
  readonly received: number;
  /** Until the first rows of the table are drawn. */
  readonly drawn: number;
}

export interface RealPage {
  readonly firstRows: FirstRows;
  /** Returns everything that has been drawn so far. */
  readonly drawn: () => Promise<readonly Drawn[]>;
  readonly close: () => Promise<void>;
}

/**
 * A script that runs in the page before the page's own scripts. Records when a frame with received rows is
 * drawn, and when the first rows of services are in a frame.
 */
const OBSERVE = `
  window.drawn = [];
  const afterFrame = (then) =>
    requestAnimationFrame(() => setTimeout(() => then(performance.timeOrigin + performance.now())));
  const first = {};
  const note = (part) => (first[part] ??= performance.now());
  const ask = fetch;
  window.fetch = (...given) => {
    note('connects');
    return ask(...given);
  };
  const Native = WebSocket;
  window.WebSocket = class extends Native {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => {
        const { news, rows } = JSON.parse(data);
        if (news === 'view') note('received');
        const few = (rows ?? []).map(({ name, pid, state }) => ({ name, pid, state }));
        if (few.length > 0) afterFrame((at) => window.drawn.push({ at, rows: few }));
      });
    }
  };
  const look = () => {
    if (document.querySelectorAll('[role=table] [role=row] a').length === 0) requestAnimationFrame(look);
    else afterFrame(() => (window.firstRows = { ...first, drawn: performance.now() }));
  };
  requestAnimationFrame(look);`;

const firstRowsOf = (page: Page): Promise<FirstRows> =>
  until(() => page.evaluate<FirstRows | undefined>('window.firstRows'), {
    ...{ what: 'rows of services in the page', limitMs: 30_000 },
  });

/** Opens the page. `url`: the URL with the token in its fragment. */
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
