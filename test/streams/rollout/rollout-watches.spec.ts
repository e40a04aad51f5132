import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src/streams/domain/declared/settings.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import type { Child } from '../../../src/streams/domain/service/child.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { inStep, withRollout } from '../../../src/streams/rollout/two-runs.ts';
import { allWatchesOf } from '../../../src/streams/rollout/rollout-watches.ts';
import { NOW, RUN, serviceIn, STATES } from '../../support/states.ts';

const limited = {
  privilege: { supplementaryGroups: [], limits: { cgroup: { root: '/sys/fs/cgroup/sup' } } },
} as const;
const NEXT = runId(RUN + 1);

/** Returns for each stopping run the cgroup that must be empty before the stop ends. */
const awaitedCgroups = (service: Service): readonly unknown[] =>
  allWatchesOf(service, DEFAULT_SETTINGS).flatMap((watch) =>
    watch.type === 'tree' ? [watch.cgroup ?? 'none'] : [],
  );

const withdrawing = (): Service => {
  const service = withRollout(serviceIn('up', limited), NOW, false);
  if (service.rollout === undefined) throw new Error('no rollout');
  const other = { ...service.rollout.other, runs: NEXT, actual: { ...STATES.stopping, run: NEXT } };
  return { ...service, rollout: { ...inStep(service.rollout, 'withdrawing', NOW), other } };
};

const child: Child = {
  name: 'child-1',
  run: NEXT,
  parent: 'service',
  argv: ['/bin/sleep'],
  born: NOW,
  wanted: 'down',
  actual: { ...STATES.stopping, run: NEXT },
};

describe('the cgroup of a stopping run', () => {
  it('a service with one run stops only when its cgroup is empty', () => {
    expect(awaitedCgroups(serviceIn('stopping', limited))).toEqual(['/sys/fs/cgroup/sup/shop:web']);
  });

  it('the other run of a rollout stops although the current run is in the same cgroup', () => {
    expect(awaitedCgroups(withdrawing())).toEqual(['none']);
  });

  it('a child stops although its service is in the same cgroup', () => {
    expect(awaitedCgroups({ ...serviceIn('up', limited), children: [child] })).toEqual(['none']);
  });
});
