// What pages get over time: origins, changes, log lines.
import { asyncScheduler, map, of, ReplaySubject, share } from 'rxjs';
import { describe, it } from 'vitest';
import { logBatches, MOST_LINES } from '../../../src/dashboard/live/log-batches.ts';
import { readerNews, type SharedNews } from '../../../src/dashboard/live/reader-news.ts';
import { NO_VIEW } from '../../../src/dashboard/live/view-changes.ts';
import { withOrigin } from '../../../src/dashboard/live/view-origin.ts';
import type { LogDocument } from '../../../src/streams/wire/documents/basic-documents.ts';
import { rxTest } from '../../support/rx-test.ts';
import { GONE, statusOf } from '../fake-sup.ts';

const line = (text: string): LogDocument => ({
  ...{ schema: 'sup.log/1', at: null, project: 'shop', service: 'web', stream: 'stdout', text },
});

const newsOf = (text: string): SharedNews => ({ text, seen: NO_VIEW, view: () => `view ${text}` });

const STATUSES = { u: statusOf([]), g: statusOf([], GONE) };

describe('the origin of the view', () => {
  it('a lost supervisor counts as reconnecting for 3 s, and what was recorded is shown after that', () => {
    rxTest((rx) => {
      const origin$ = withOrigin(rx.hot('u-g 4s |', STATUSES)).pipe(
        map(({ origin, status }) => [origin, status]),
      );
      rx.expectObservable(origin$).toBe('u-g 2999ms r 1000ms |', {
        u: ['connected', STATUSES.u],
        g: ['reconnecting', undefined],
        r: ['recorded', STATUSES.g],
      });
    });
  });

  it('a supervisor that is back within 3 s never shows what was recorded', () => {
    rxTest((rx) => {
      const origin$ = withOrigin(rx.hot('u-g 1s u 5s |', STATUSES)).pipe(map(({ origin }) => origin));
      rx.expectObservable(origin$).toBe('u-g 1s u 5s |', { u: 'connected', g: 'reconnecting' });
    });
  });

  it('without a supervisor at the start, what was recorded is shown at once', () => {
    rxTest((rx) => {
      const origin$ = withOrigin(rx.hot('-g-|', STATUSES)).pipe(map(({ origin }) => origin));
      rx.expectObservable(origin$).toBe('-g-|', { g: 'recorded' });
    });
  });
});

describe('the news for one page', () => {
  const values = { a: newsOf('a'), b: newsOf('b'), c: newsOf('c'), d: newsOf('d') };

  it('a page gets the whole view, then each change', () => {
    rxTest((rx) => {
      const news$ = rx.cold('a-b-c|', values);
      rx.expectObservable(readerNews(news$, { keepsUp: () => true })).toBe('v-b-c|', {
        ...{ v: 'view a', b: 'b', c: 'c' },
      });
    });
  });

  it('a page that reads too slowly gets no backlog, and the newest view when it has caught up', () => {
    rxTest((rx) => {
      // From 1 to 300 ms its buffer is full. It is looked at every 200 ms.
      const keepsUp = (): boolean => asyncScheduler.now() < 1 || asyncScheduler.now() > 300;
      const news$ = rx
        .hot('a-b-c 500ms d|', values)
        .pipe(share({ connector: () => new ReplaySubject<SharedNews>(1), resetOnRefCountZero: false }));
      rx.expectObservable(readerNews(news$, { keepsUp })).toBe('v 401ms w 102ms d|', {
        ...{ v: 'view a', w: 'view c', d: 'd' },
      });
    });
  });
});

describe('log lines for one page', () => {
  it('lines are sent together, ten times a second', () => {
    rxTest((rx) => {
      const line$ = rx.cold('ab 200ms c|', { a: line('a'), b: line('b'), c: line('c') });
      const texts$ = logBatches(line$, { keepsUp: () => true }).pipe(
        map(({ lines, missed }) => [lines.map(({ text }) => text).join(''), missed]),
      );
      rx.expectObservable(texts$).toBe('100ms x 102ms (y|)', { x: ['ab', 0], y: ['c', 0] });
    });
  });

  it('a page that reads too slowly gets the newest lines, and the number of those it missed', () => {
    rxTest((rx) => {
      const line$ = of(...Array.from({ length: MOST_LINES + 7 }, (_, at) => line(String(at))));
      const batch$ = logBatches(line$, { keepsUp: () => false }).pipe(
        map(({ lines, missed }) => [lines.length, lines[0]?.text, missed]),
      );
      rx.expectObservable(batch$).toBe('(x|)', { x: [MOST_LINES, '7', 7] });
    });
  });
});
