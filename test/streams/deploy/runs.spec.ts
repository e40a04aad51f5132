import { describe, expect, it } from 'vitest';
import { withoutRollout, withRollout } from '../../../src/streams/deploy/runs.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { idOf } from '../../support/spec.ts';
import { NOW, serviceIn, TAGS, type STATES } from '../../support/states.ts';

const failed = (tag: keyof typeof STATES): Service => {
  const { rollout, ...service } = withRollout(serviceIn(tag), NOW, false);
  if (rollout === undefined) throw new Error('no rollout');
  const error = { code: 'ERR0115', service: idOf('web'), detail: 'it died', evidence: [] } as const;
  return withoutRollout({ ...service, rollout: { ...rollout, undoing: { tag: 'failed', error } } }, NOW);
};

/** Nobody of the old run is there to go on. */
const GONE: ReadonlySet<string> = new Set([
  'down',
  'scheduled',
  'waiting',
  'preparing',
  'backing-off',
  'broken',
  'casualty',
]);

describe('a rollout that failed', () => {
  it.each(TAGS)('says whether the old run, which is %s, goes on', (tag) => {
    const [record] = failed(tag).rollouts ?? [];
    expect(record).toMatchObject({ outcome: 'failed', error: { code: 'ERR0115' } });
    expect(record?.error && 'old' in record.error ? record.error.old : 'goes on').toBe(
      GONE.has(tag) ? 'gone' : 'goes on',
    );
  });
});
