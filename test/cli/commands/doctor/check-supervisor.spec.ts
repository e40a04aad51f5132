import { describe, expect, it } from 'vitest';
import { descriptors } from '../../../../src/cli/commands/doctor/check-descriptors.ts';
import { supervisor, type Presence } from '../../../../src/cli/commands/doctor/check-supervisor.ts';
import { usage } from '../../../../src/cli/commands/doctor/check-usage.ts';

const judged = (presence: Presence, running = 0): string => {
  const [finding] = supervisor.judge({ presence, ownVersion: '2.0.0', running });
  return `${finding?.level}: ${finding?.says}`;
};

describe('the finding of the supervisor', () => {
  it.each<[Presence, number, string]>([
    [{ tag: 'answers', pid: 7, version: '2.0.0' }, 3, 'ok: pid 7 answers'],
    [
      { tag: 'answers', pid: 7, version: '2.0.0', guardian: { pid: 6, restarts: 2 } },
      3,
      'ok: pid 7 answers; sup-guardian (pid 6) brings it back, 2 times so far',
    ],
    [
      { tag: 'answers', pid: 7, version: '2.0.0', guardian: { pid: 6, restarts: 2 }, parent: 6 },
      3,
      'ok: pid 7 answers; sup-guardian (pid 6) brings it back, 2 times so far',
    ],
    [
      { tag: 'answers', pid: 7, version: '2.0.0', guardian: { pid: 6, restarts: 2 }, parent: 1 },
      3,
      'warning: pid 7 will not be started again if it is killed: its guardian (pid 6) has ended',
    ],
    [
      { tag: 'answers', pid: 7, version: '1.0.0', guardian: { pid: 6, restarts: 2 }, parent: 1 },
      3,
      'warning: pid 7 is sup 1.0.0, this is 2.0.0; pid 7 will not be started again if it is killed: its guardian (pid 6) has ended',
    ],
    [{ tag: 'answers', pid: 7, version: '2.0.0', parent: 1 }, 3, 'ok: pid 7 answers'],
    [{ tag: 'answers', pid: 7, version: '1.0.0' }, 3, 'warning: pid 7 is sup 1.0.0, this is 2.0.0'],
    [{ tag: 'silent', says: 'it does not answer' }, 3, 'problem: it does not answer'],
    [{ tag: 'none' }, 0, 'ok: none is running'],
    [{ tag: 'none' }, 1, 'problem: none is running, and 1 service runs on without one'],
    [{ tag: 'none' }, 2, 'problem: none is running, and 2 services run on without one'],
    [
      { tag: 'unreachable', pid: 7 },
      0,
      'problem: pid 7 holds the data directory, but its socket has no listener',
    ],
  ])('the supervisor is %o with %i running services', (presence, running, says) => {
    expect(judged(presence, running)).toBe(says);
  });

  const absent = { presence: { tag: 'none' }, ownVersion: '2.0.0' } as const;

  it('a missing supervisor is a problem if the last one crashed', () => {
    expect(supervisor.judge({ ...absent, running: 1, broke: 'ERR0001 unhandled: RangeError' })[0]).toEqual({
      id: 'supervisor',
      level: 'problem',
      says: 'none is running, and 1 service runs on without one; the last one broke: ERR0001 unhandled: RangeError',
      mend: 'for the whole error: sup supervise',
    });
  });

  it('a missing supervisor is a problem if a guardian tries to restart it', () => {
    expect(supervisor.judge({ ...absent, running: 0, retrying: 7 })[0]).toMatchObject({
      level: 'problem',
      says: 'none is running; sup-guardian (pid 7) tries to start one again',
    });
  });

  it('the supervisor has many or few free descriptors', () => {
    expect(descriptors.judge({ open: 79, limit: 100, kept: 20 })[0]).toEqual({
      id: 'descriptors',
      level: 'ok',
      says: '79 of 100 descriptors are open, 20 are kept free for looks, clients and starts',
    });
    expect(descriptors.judge({ open: 80, limit: 100, kept: 20 })[0]).toMatchObject({ level: 'warning' });
    expect(descriptors.judge({ open: 30, limit: 50, kept: 20 })[0]).toMatchObject({ level: 'warning' });
    expect(descriptors.judge({ open: 80, limit: Infinity, kept: 20 })[0]).toMatchObject({ level: 'ok' });
  });
});

it('the resources that the supervisor uses are reported', () => {
  expect(usage.judge({ cpuPercent: 0.42, rssBytes: 85.1 * 1024 * 1024 })[0]).toEqual({
    id: 'usage',
    level: 'ok',
    says: 'the supervisor has used 0.4 % of a core since it began, and has 85.1 MiB of memory',
  });
});
