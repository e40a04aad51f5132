import { NEVER, Observable, of, Subject } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { News } from '../../../src/cli/watch/news.ts';
import { onTerminal } from '../../../src/cli/watch/on-terminal.ts';
import type { Session } from '../../../src/cli/watch/session.ts';
import { projectOf, serviceOf } from '../support/documents.ts';
import { contextIn, fakeWorld } from '../support/fake-world.ts';

const LEFT = '\u001b[?7h\u001b[?25h\u001b[?1049l';
const hello = { protocol: 3, version: '0.1.0', pid: 4, since: '' };
const FOUND: News = { tag: 'found', hello, again: false };
const SEEN: News = {
  tag: 'seen',
  view: { full: true, projects: [projectOf([serviceOf(), serviceOf({ name: 'api' })])], gone: [] },
};

/** A view with a keyboard that the test types on. */
const stage = (session: Partial<Session> = {}) => {
  const heard = fakeWorld({ terminal: { columns: 80, rows: 24 } });
  const own = {
    type: (text: string): unknown => text,
    drawnBefore: '',
    exit: (): void => undefined,
    lose: (): void => undefined,
  };
  const world = {
    ...heard.world,
    keyboard: {
      ...heard.world.keyboard,
      isThere: true,
      onTyped: (typed: (text: string) => void, lost: () => void = () => undefined) => {
        Object.assign(own, { type: typed, lose: lost, drawnBefore: heard.out() });
        return () => undefined;
      },
      onExit: (exit: () => void) => {
        Object.assign(own, { exit });
        return () => undefined;
      },
    },
  };
  const news$ = new Subject<News>();
  const view$ = onTerminal(
    {
      ...{ context: { ...contextIn(heard), world }, news$ },
      session: {
        act: () => Promise.resolve({ text: 'done', ink: 'green' }),
        samples: () => Promise.reject(new Error('none')),
        explain: () => Promise.resolve('because'),
        recorded: () => [],
        ...{ logs$: () => NEVER, events$: NEVER },
        ...session,
      },
    },
    { isWhole: true, unfolded: false },
  );
  const ended: string[] = [];
  const errors: unknown[] = [];
  view$.subscribe({ complete: () => ended.push('quit'), error: (error: unknown) => errors.push(error) });
  return { heard, own, news$, ended, errors };
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the live view on a terminal', () => {
  it('the live view shows what is seen, and restores the terminal when the user quits', () => {
    const { heard, own, news$, ended } = stage();
    news$.next(FOUND);
    for (let seen = 0; seen < 500; seen += 1) news$.next(SEEN);
    vi.advanceTimersByTime(200);
    expect(heard.out().split('shop/api')).toHaveLength(2);
    own.type('q');
    expect([ended, heard.out().endsWith(LEFT)]).toEqual([['quit'], true]);
    vi.advanceTimersByTime(5_000);
    expect(heard.out().endsWith(LEFT)).toBe(true);
  });

  it('the live view takes the keyboard before it draws, so that an early Ctrl-C is a key', () => {
    const { heard, own } = stage();
    vi.advanceTimersByTime(200);
    expect(heard.out()).toContain('SERVICE');
    expect(own.drawnBefore).toBe('\u001b[?1049h\u001b[?25l\u001b[?7l');
  });

  it.each(['exit', 'lose'] as const)('the live view restores the terminal at once on: %s', (what) => {
    const { heard, own } = stage();
    own[what]();
    expect(heard.out().endsWith(LEFT)).toBe(true);
  });

  it('the live view restores the terminal and ends with the error if a page cannot be drawn', () => {
    const { heard, news$, errors } = stage();
    news$.next({ tag: 'seen', view: { full: true, projects: [undefined as never], gone: [] } });
    vi.advanceTimersByTime(200);
    expect(errors).toEqual([expect.any(TypeError)]);
    expect(heard.out().endsWith(LEFT)).toBe(true);
  });

  it('the live view reads the logs of the selected service, and of another once the selection rests', () => {
    const read: string[] = [];
    const open = new Set<string>();
    const logs$: Session['logs$'] = ([service = '']) =>
      new Observable((subscriber) => {
        read.push(service);
        open.add(service);
        subscriber.next([{ at: '', stream: 'stdout', text: `hello from ${service}`, continues: false }]);
        return () => open.delete(service);
      });
    const { heard, own, news$ } = stage({ logs$ });
    news$.next(SEEN);
    own.type('l');
    vi.advanceTimersByTime(300);
    expect(heard.out()).toContain('hello from shop/web');
    own.type('\tjkjkj');
    vi.advanceTimersByTime(300);
    expect([read, [...open]]).toEqual([['shop/web', 'shop/api'], ['shop/api']]);
    own.type('\u001b');
    vi.advanceTimersByTime(300);
    expect(open.size).toBe(0);
  });

  it('the live view carries out a confirmed action and shows what happened', async () => {
    const act = vi.fn<Session['act']>(() => Promise.resolve({ text: '1 service restarted', ink: 'green' }));
    const { heard, own, news$ } = stage({ act, events$: of([]) });
    news$.next(FOUND);
    news$.next(SEEN);
    vi.advanceTimersByTime(200);
    own.type('ry');
    expect(act).toHaveBeenCalledExactlyOnceWith({ type: 'restart', row: 'shop/web' });
    expect(heard.out()).toContain('restart shop/web …');
    await vi.advanceTimersByTimeAsync(200);
    expect(heard.out()).toContain('1 service restarted');
  });

  it('the live view shows the records while no supervisor answers', () => {
    const { heard, news$ } = stage({ recorded: () => [projectOf([serviceOf({ name: 'recorded' })])] });
    const error = { code: 'ERR0206', message: 'none', path: null, at: null, hint: null } as const;
    news$.next({ tag: 'lost', error });
    vi.advanceTimersByTime(200);
    expect(heard.out()).toMatch(/waiting for the supervisor: none[^]*shop\/recorded/);
  });
});
