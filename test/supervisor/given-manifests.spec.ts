import { describe, expect, it } from 'vitest';
import { lastStatus, startsOf, stateFor } from '../../src/supervisor/given-manifests.ts';
import { idOf } from '../support/spec.ts';
import type { EndReason } from '../../src/streams/domain/effect.ts';

const ended = (exit: Extract<EndReason, { tag: 'ended' }>['exit']): EndReason => ({
  tag: 'ended',
  service: idOf('api'),
  exit,
});

describe('a supervisor with given manifests', () => {
  const given = { manifests: ['/a.yaml', '/b.yaml'], environment: {}, dataDir: '/data' };

  it('a supervisor with given manifests starts each of them and belongs to them', () => {
    expect(startsOf(given).map((event) => 'command' in event && event.command)).toEqual([
      { type: 'start', selection: { manifest: '/a.yaml' } },
      { type: 'start', selection: { manifest: '/b.yaml' } },
    ]);
    expect(stateFor(given).bound).toBe(true);
    expect(stateFor({ ...given, manifests: [] }).bound).toBeUndefined();
  });

  it.each([
    [undefined, 0],
    [{ tag: 'refused' } as const, 1],
    [ended({ tag: 'code', code: 0 }), 0],
    [ended({ tag: 'code', code: 7 }), 7],
    [ended({ tag: 'signal', signal: 'SIGKILL' }), 137],
    [ended({ tag: 'signal', signal: 'SIGTERM' }), 143],
    [ended({ tag: 'unknown' }), 1],
    [ended(undefined), 1],
  ])('a supervisor with given manifests that came to %j ends with %j', (endReason, status) => {
    expect(lastStatus(endReason)).toBe(status);
  });
});
