import { describe, expect, it } from 'vitest';
import type { DownReason, Service, StopCause, Tag } from '../../../src/streams/domain/service/service.ts';
import {
  hasFailed,
  blocksStop,
  isAlive,
  isComing,
  isSkipped,
  isUnderWay,
  satisfies,
} from '../../../src/streams/graph/dependency-state.ts';
import { idOf } from '../../support/spec.ts';
import { NOW, serviceIn, STATES, TAGS } from '../../support/states.ts';

const code = (value: number) => ({ tag: 'code', code: value }) as const;
const error = { code: 'ERR0101', service: idOf('web'), status: code(1) } as const;
const wellEnded = { ...error, status: code(0) } as const;
const down = (why: DownReason): Service => ({ ...serviceIn('up'), actual: { tag: 'down', why } });
const stopping = (cause: StopCause, exit = 1): Service => ({
  ...serviceIn('stopping'),
  lastExit: { status: code(exit), at: NOW },
  actual: { ...STATES.stopping, cause },
});
const only = (...tags: readonly Tag[]) => TAGS.map((tag) => [tag, tags.includes(tag)] as const);

describe('a dependency that is met', () => {
  it.each(only('up'))('a dependency in state %s is met: %s', (tag, there) => {
    expect(satisfies({ ...serviceIn(tag), wanted: 'up' }, 'started')).toBe(there);
    expect(satisfies({ ...serviceIn(tag), wanted: 'up' }, 'completed')).toBe(false);
  });

  it.each([
    ['new', false],
    ['asked', false],
    ['completed', true],
    ['ended', true],
  ] as const)('a dependency that is down as %s is met: %s', (tag, there) => {
    expect(satisfies(down({ tag }), 'started')).toBe(there);
    expect(satisfies(down({ tag }), 'completed')).toBe(there);
  });

  it('a dependency that failed or was skipped is never met', () => {
    expect(satisfies(down({ tag: 'failed', error }), 'started')).toBe(false);
    expect(satisfies(down({ tag: 'skipped', by: 'manifest' }), 'started')).toBe(false);
    expect(isSkipped(down({ tag: 'skipped', by: 'command' }))).toBe(true);
  });

  it.each(TAGS.filter((tag) => tag !== 'down'))(
    'a scheduled dependency that is wanted is met at once, %s',
    (tag) => {
      const service = serviceIn(tag, { kind: 'cron' });
      expect(satisfies(service, 'started')).toBe(true);
      if (tag !== 'up') expect(satisfies({ ...service, wanted: 'down' }, 'started')).toBe(false);
    },
  );
});

describe('a dependency that may still be met', () => {
  it.each(only('waiting', 'preparing', 'spawning', 'starting', 'stopping'))(
    'a dependency in state %s may still be started: %s',
    (tag, coming) => {
      expect(isComing({ ...serviceIn(tag), wanted: 'up' }, 'started')).toBe(coming);
    },
  );

  it.each(only('waiting', 'preparing', 'spawning', 'starting', 'up', 'stopping'))(
    'a dependency in state %s may still complete: %s',
    (tag, coming) => {
      expect(isComing({ ...serviceIn(tag), wanted: 'up' }, 'completed')).toBe(coming);
    },
  );

  it.each(TAGS)('a dependency that is unwanted is not expected to be met, %s', (tag) => {
    expect(isComing({ ...serviceIn(tag), wanted: 'down' }, 'completed')).toBe(false);
  });

  it('a dependency that stops after a failure is not expected to be met', () => {
    expect(isComing(stopping({ tag: 'exited', wasReady: true }), 'started')).toBe(false);
    expect(isComing(stopping({ tag: 'restart' }), 'started')).toBe(true);
  });
});

describe('a dependency that has failed', () => {
  it.each(only('backing-off', 'broken'))('a dependency in state %s has failed: %s', (tag, failed) => {
    expect(hasFailed(serviceIn(tag))).toBe(failed);
  });

  it.each<[StopCause, number, boolean]>([
    [{ tag: 'asked' }, 1, false],
    [{ tag: 'restart' }, 1, false],
    [{ tag: 'felled', of: [] }, 1, false],
    [{ tag: 'exited', wasReady: true }, 1, true],
    [{ tag: 'exited', wasReady: true }, 0, false],
    [{ tag: 'exited', wasReady: false }, 1, true],
    [{ tag: 'unhealthy', wasReady: true, error }, 0, true],
  ])('a dependency that stops for %j with exit %i has failed: %s', (cause, exit, failed) => {
    expect(hasFailed(stopping(cause, exit))).toBe(failed);
  });

  it('a dependency that exited with an unknown status has failed', () => {
    const { lastExit: _lastExit, ...service } = stopping({ tag: 'exited', wasReady: true });
    expect(hasFailed(service)).toBe(true);
  });

  it('a dependency has failed when it is down as failed, not when it restarts after a clean exit', () => {
    expect(hasFailed(down({ tag: 'failed', error }))).toBe(true);
    const backing = { ...STATES['backing-off'], error: wellEnded };
    expect(hasFailed({ ...serviceIn('backing-off'), actual: backing })).toBe(false);
  });

  it.each(TAGS)('a dependency has never failed while it is unwanted or scheduled, %s', (tag) => {
    expect(hasFailed({ ...serviceIn(tag), wanted: 'down' })).toBe(false);
    expect(hasFailed(serviceIn(tag, { kind: 'cron' }))).toBe(false);
  });
});

it.each(TAGS)('a dependency in state %s is never both met and failed', (tag) => {
  for (const kind of ['service', 'cron'] as const) {
    const service = serviceIn(tag, { kind });
    expect(satisfies(service, 'started') && hasFailed(service)).toBe(false);
  }
});

describe('the processes of a service', () => {
  it.each(only('spawning', 'starting', 'up', 'stopping'))(
    'a service has a live process in state %s: %s',
    (tag, alive) => {
      expect(isAlive(serviceIn(tag))).toBe(alive);
      expect(blocksStop({ ...serviceIn(tag), wanted: 'down' })).toBe(alive);
      expect(blocksStop({ ...serviceIn(tag), wanted: 'up' })).toBe(false);
    },
  );

  it('a service blocks nothing once its end cannot be verified', () => {
    const actual = { ...STATES.stopping, phase: 'unverified' } as const;
    expect(blocksStop({ ...serviceIn('stopping'), wanted: 'down', actual })).toBe(false);
  });

  it.each(only('preparing', 'spawning', 'starting'))(
    'a service is starting in state %s: %s',
    (tag, underWay) => {
      expect(isUnderWay(serviceIn(tag))).toBe(underWay);
    },
  );
});
