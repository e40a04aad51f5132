import { describe, expect, it } from 'vitest';
import type { DownReason, Service, StopCause, Tag } from '../../../src/streams/domain/service/service.ts';
import {
  hasFailed,
  holdsUp,
  isAlive,
  isSkipped,
  isUnderWay,
  satisfies,
} from '../../../src/streams/graph/standing.ts';
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

describe('a dependency is there', () => {
  it.each(only('up'))('in state %s: %s', (tag, there) => {
    expect(satisfies({ ...serviceIn(tag), wanted: 'up' }, 'started')).toBe(there);
    expect(satisfies({ ...serviceIn(tag), wanted: 'up' }, 'completed')).toBe(false);
  });

  it.each([
    ['new', false],
    ['asked', false],
    ['completed', true],
    ['ended', true],
  ] as const)('down as %s: %s', (tag, there) => {
    expect(satisfies(down({ tag }), 'started')).toBe(there);
    expect(satisfies(down({ tag }), 'completed')).toBe(there);
  });

  it('never when it failed or was skipped', () => {
    expect(satisfies(down({ tag: 'failed', error }), 'started')).toBe(false);
    expect(satisfies(down({ tag: 'skipped', by: 'manifest' }), 'started')).toBe(false);
    expect(isSkipped(down({ tag: 'skipped', by: 'command' }))).toBe(true);
  });

  it.each(TAGS.filter((tag) => tag !== 'down'))('at once when it is scheduled and wanted, %s', (tag) => {
    const service = serviceIn(tag, { kind: 'cron' });
    expect(satisfies(service, 'started')).toBe(true);
    if (tag !== 'up') expect(satisfies({ ...service, wanted: 'down' }, 'started')).toBe(false);
  });
});

describe('a dependency has failed', () => {
  it.each(only('backing-off', 'broken'))('in state %s: %s', (tag, failed) => {
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
  ])('while it stops for %j with exit %i: %s', (cause, exit, failed) => {
    expect(hasFailed(stopping(cause, exit))).toBe(failed);
  });

  it('when it is down as failed, not when it restarts after a clean exit', () => {
    expect(hasFailed(down({ tag: 'failed', error }))).toBe(true);
    const backing = { ...STATES['backing-off'], error: wellEnded };
    expect(hasFailed({ ...serviceIn('backing-off'), actual: backing })).toBe(false);
  });

  it.each(TAGS)('never when it is not wanted or scheduled, %s', (tag) => {
    expect(hasFailed({ ...serviceIn(tag), wanted: 'down' })).toBe(false);
    expect(hasFailed(serviceIn(tag, { kind: 'cron' }))).toBe(false);
  });
});

it.each(TAGS)('in state %s nobody is there and has failed at once', (tag) => {
  for (const kind of ['service', 'cron'] as const) {
    const service = serviceIn(tag, { kind });
    expect(satisfies(service, 'started') && hasFailed(service)).toBe(false);
  }
});

describe('a service', () => {
  it.each(only('spawning', 'starting', 'up', 'stopping'))(
    'has something alive in state %s: %s',
    (tag, alive) => {
      expect(isAlive(serviceIn(tag))).toBe(alive);
      expect(holdsUp({ ...serviceIn(tag), wanted: 'down' })).toBe(alive);
      expect(holdsUp({ ...serviceIn(tag), wanted: 'up' })).toBe(false);
    },
  );

  it('holds nobody up once its end cannot be verified', () => {
    const actual = { ...STATES.stopping, phase: 'unverified' } as const;
    expect(holdsUp({ ...serviceIn('stopping'), wanted: 'down', actual })).toBe(false);
  });

  it.each(only('preparing', 'spawning', 'starting'))('is under way in state %s: %s', (tag, underWay) => {
    expect(isUnderWay(serviceIn(tag))).toBe(underWay);
  });
});
