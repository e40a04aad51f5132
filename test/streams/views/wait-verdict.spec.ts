import { describe, expect, it } from 'vitest';
import { waitVerdict, type WaitContext } from '../../../src/streams/views/wait-verdict.ts';
import {
  STATE_WORDS,
  type ServiceDocument,
  type StateWord,
} from '../../../src/streams/wire/documents/documents.ts';
import { GOALS, type Goal } from '../../../src/streams/wire/documents/wait-document.ts';

type Shown = Parameters<typeof waitVerdict>[0] & object;

const shown = (state: StateWord, more: Partial<ServiceDocument> = {}): Shown => ({
  ...{ state, health: 'unknown', error: null, because_of: [], last_exit: null, wanted: 'up' },
  ...more,
});
const verdict = (
  goal: Goal,
  service: Shown | undefined,
  more: Partial<WaitContext> = {},
): ReturnType<typeof waitVerdict> =>
  waitVerdict(service, { goal, neighbour: () => undefined, isChecked: true, ...more });

/** The result for each state, in the order of `STATE_WORDS`. */
const TABLE: Readonly<Record<Goal, string>> = {
  running: 'pending pending pending reached pending pending never never never never pending never never',
  healthy: 'pending pending pending pending pending pending never never never never pending never never',
  done: 'pending pending pending pending pending pending never reached never never pending never never',
  stopped:
    'pending pending pending pending pending pending reached reached reached reached pending reached reached',
};

describe('the verdict of wait', () => {
  it.each(GOALS)('wait for %s: each state is reached, pending, or impossible', (goal) => {
    expect(STATE_WORDS.map((state) => verdict(goal, shown(state))).join(' ')).toBe(TABLE[goal]);
  });

  it('wait for health ends when the service is healthy, and at once if it has no health check', () => {
    expect(verdict('healthy', shown('running', { health: 'healthy' }))).toBe('reached');
    expect(verdict('healthy', shown('running'), { isChecked: false })).toBe('never');
  });

  it('wait ends if a direct or indirect dependency is down for good', () => {
    const chain: Readonly<Record<string, Shown>> = {
      api: shown('casualty', { because_of: ['db'] }),
      db: shown('breaker-open'),
      cache: shown('backoff'),
    };
    const neighbour = (name: string): Shown | undefined => chain[name];
    const web = (...names: readonly string[]): Shown => shown('waiting', { because_of: names });
    expect(verdict('running', web('api'), { neighbour })).toBe('never');
    expect(verdict('running', web('cache'), { neighbour })).toBe('pending');
    expect(verdict('running', web('unknown'), { neighbour })).toBe('never');
  });

  it('wait continues if only a dependency of the candidate is down', () => {
    const chain: Readonly<Record<string, Shown>> = {
      db: shown('stopped'),
      cache: shown('running', { because_of: ['db'] }),
    };
    const neighbour = (name: string): Shown | undefined => chain[name];
    expect(verdict('healthy', shown('running', { because_of: ['db'] }), { neighbour })).toBe('pending');
    expect(verdict('running', shown('casualty', { because_of: ['cache'] }), { neighbour })).toBe('pending');
  });

  it('wait for a scheduled service uses its last run', () => {
    const exit = { code: 0, signal: null, success: true, at: null };
    expect(verdict('done', shown('scheduled', { last_exit: exit }))).toBe('reached');
    const error = { code: 'ERR0101', message: '', path: null, at: null, hint: null } as const;
    expect(verdict('done', shown('scheduled', { last_exit: { ...exit, code: 1 }, error }))).toBe('never');
  });

  it('wait counts a service that exited cleanly by itself as done', () => {
    const last_exit = { code: 0, signal: null, success: true, at: null };
    expect(verdict('done', shown('stopped', { last_exit }))).toBe('reached');
    expect(verdict('done', shown('stopped', { last_exit, wanted: 'down' }))).toBe('never');
  });

  it('wait for a service that is no longer declared ends', () => {
    expect(GOALS.map((goal) => verdict(goal, undefined))).toEqual(['never', 'never', 'never', 'reached']);
  });
});
