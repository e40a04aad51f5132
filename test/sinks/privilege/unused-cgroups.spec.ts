import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Subject } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { removeUnusedCgroups } from '../../../src/sinks/privilege/unused-cgroups.ts';
import { withRollout } from '../../../src/streams/rollout/two-runs.ts';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import type { Tag } from '../../../src/streams/domain/service/service.ts';
import type { ServiceChange } from '../../../src/streams/kernel/after-step/step-streams.ts';
import { listen } from '../../support/listen.ts';
import { idOf, specOf } from '../../support/spec.ts';
import { NOW, serviceIn, STATES } from '../../support/states.ts';

// A plain directory stands for a cgroup, one in it for a process that is in it.
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ck-'));
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(root, { recursive: true });
});

const unit = (): string => join(root, 'shop:web');
const busy = (): string => join(unit(), 'busy');
const specUnder = (above: string | undefined): ServiceSpec => {
  const limits = above === undefined ? {} : { limits: { cgroup: { root: above } } };
  return specOf('web', { privilege: { supplementaryGroups: [], ...limits } });
};
/** Without a tag: it has left. */
const change = (tag?: Tag, spec = specUnder(root)): ServiceChange => ({
  id: idOf('web'),
  service: tag === undefined ? undefined : serviceIn(tag, spec),
});

function kept(): Subject<ServiceChange> {
  const changed$ = new Subject<ServiceChange>();
  listen(removeUnusedCgroups(changed$));
  return changed$;
}

describe('the cgroup of a service', () => {
  it.each(['down', undefined] as const)(
    'the cgroup of a service is removed when the service has ended: %s',
    (tag) => {
      const changed$ = kept();
      mkdirSync(unit());
      changed$.next(change('stopping'));
      expect(existsSync(unit())).toBe(true);
      // A removed service is gone in the step in which it is down.
      changed$.next(change(tag));
      expect(existsSync(unit())).toBe(false);
    },
  );

  it('the cgroup of a removed service with living processes is removed when it is empty', () => {
    const changed$ = kept();
    mkdirSync(busy(), { recursive: true });
    changed$.next(change('stopping'));
    changed$.next(change('down'));
    changed$.next(change());
    vi.advanceTimersByTime(1_000);
    expect(existsSync(unit())).toBe(true);
    rmSync(busy(), { recursive: true });
    vi.advanceTimersByTime(200);
    expect(existsSync(unit())).toBe(false);
  });

  it.each([
    ['under another root', { root: 'other' }],
    ['without one', { root: undefined }],
  ])('the cgroup of a service that restarts %s is removed when it is empty', (_how, { root: moved }) => {
    const changed$ = kept();
    mkdirSync(busy(), { recursive: true });
    changed$.next(change('stopping'));
    // Its end and the new beginning are of one step.
    changed$.next(change('spawning', specUnder(moved && join(root, moved))));
    vi.advanceTimersByTime(1_000);
    expect(existsSync(unit())).toBe(true);
    rmSync(busy(), { recursive: true });
    vi.advanceTimersByTime(200);
    expect(existsSync(unit())).toBe(false);
  });

  it('the cgroup of a second run is removed when that run is given up', () => {
    const changed$ = kept();
    const second = join(root, 'other', 'shop:web');
    mkdirSync(second, { recursive: true });
    const service = serviceIn('up', specUnder(root));
    const rolling = withRollout({ ...service, revised: specUnder(join(root, 'other')) }, NOW, false);
    const other = { ...rolling.rollout!.other, actual: STATES.starting };
    changed$.next({ id: service.spec.id, service: { ...rolling, rollout: { ...rolling.rollout!, other } } });
    expect(existsSync(second)).toBe(true);
    changed$.next({ id: service.spec.id, service });
    expect(existsSync(second)).toBe(false);
  });

  it('the cgroup of a service that restarts meanwhile is kept', () => {
    const changed$ = kept();
    mkdirSync(busy(), { recursive: true });
    changed$.next(change('down'));
    changed$.next(change());
    changed$.next(change('spawning'));
    rmSync(busy(), { recursive: true });
    vi.advanceTimersByTime(1_000);
    expect(existsSync(unit())).toBe(true);
  });
});
