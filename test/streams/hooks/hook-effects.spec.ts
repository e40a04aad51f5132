import { describe, expect, it } from 'vitest';
import type { HookName } from '../../../src/streams/domain/declared/spec.ts';
import type { LastFailure } from '../../../src/streams/domain/service/service.ts';
import { hookEffects, hooksOf } from '../../../src/streams/hooks/hook-effects.ts';
import { FURTHER, MATRIX, type Step } from '../../support/hook-matrix.ts';
import { BEGAN, NOW, PROCESS, RUN, serviceIn, STATES, TAGS } from '../../support/states.ts';
import { idOf } from '../../support/spec.ts';

const firedBy = (moves: readonly Step[]): readonly HookName[] =>
  moves.flatMap(([before, after]) => hooksOf(before, after, 'current'));

describe('the hooks of each transition', () => {
  it.each(MATRIX)('hooks run for: $scenario', ({ moves, fires }) => {
    expect(firedBy(moves)).toEqual(fires);
  });

  it.each(FURTHER)('hooks of a scheduled service run for: $scenario', ({ moves, fires }) => {
    expect(firedBy(moves)).toEqual(fires);
  });

  it.each(TAGS)('no hook runs for a change within %s', (tag) => {
    expect(hooksOf(serviceIn(tag), { ...serviceIn(tag), attempts: 5 }, 'current')).toEqual([]);
  });
});

describe('the hooks of a scheduled service whose run does not start', () => {
  const earlier: LastFailure = {
    at: BEGAN,
    error: { code: 'ERR0103', service: idOf('web'), status: { tag: 'code', code: 1 }, evidence: [] },
  };
  const preparing = { ...serviceIn('preparing', { kind: 'cron' }), lastFailure: earlier };
  const scheduled = { ...preparing, actual: STATES.scheduled };

  it('a scheduled service whose run does not start runs a hook if that is a failure', () => {
    const failed = { ...scheduled, lastFailure: { ...earlier, at: NOW } };
    expect(hooksOf(preparing, failed, 'current')).toEqual(['on_start.error', 'onerr']);
  });

  it('a scheduled service whose run is skipped or stopped by a dependency runs no hook', () => {
    expect(hooksOf(preparing, scheduled, 'current')).toEqual([]);
  });

  it('a scheduled run whose exit status is unknown runs no hook', () => {
    const cause = { tag: 'exited', wasReady: true } as const;
    const actual = { ...STATES.stopping, cause, exit: { tag: 'unknown' } } as const;
    const ended = { ...serviceIn('stopping', { kind: 'cron' }), actual };
    expect(hooksOf(ended, { ...ended, actual: STATES.scheduled }, 'current')).toEqual([]);
  });
});

const hooks = { 'on_stop.error': { command: 'page' }, onerr: { command: 'mail' } };
const before = {
  ...serviceIn('stopping', { hooks }),
  attempts: 1,
  actual: { ...STATES.stopping, cause: { tag: 'exited', wasReady: true } } as const,
};
const status = { tag: 'code', code: 7 } as const;
const error = { code: 'ERR0101', service: idOf('web'), status } as const;
const after = {
  ...before,
  attempts: 2,
  lastExit: { status, at: NOW },
  actual: { tag: 'backing-off', attempt: 2, until: NOW, error } as const,
};

describe('the variables of a hook', () => {
  it('a hook receives its name, run, pid, exit, attempt and error', () => {
    expect(hookEffects(before, after)).toEqual([
      {
        type: 'run-hook',
        spec: before.spec,
        hook: { command: 'page' },
        occasion: { name: 'on_stop.error', run: RUN, pid: PROCESS.pid, exit: status, attempt: 2, error },
      },
      {
        type: 'run-hook',
        spec: before.spec,
        hook: { command: 'mail' },
        occasion: { name: 'onerr', run: RUN, pid: PROCESS.pid, exit: status, attempt: 2, error },
      },
    ]);
  });

  it('a hook receives no exit and no error when the service becomes ready', () => {
    const ready = serviceIn('starting', { hooks: { onstart: { command: 'tell' } } });
    const up = { ...ready, lastExit: { status, at: BEGAN }, actual: STATES.up };
    expect(hookEffects(ready, up)).toMatchObject([{ occasion: { name: 'onstart', pid: PROCESS.pid } }]);
    expect(JSON.stringify(hookEffects(ready, up))).not.toContain('"exit"');
  });

  it('a hook receives the error of a scheduled run, although the service keeps none', () => {
    const spec = { ...before.spec, kind: 'cron' } as const;
    const over = { ...after, spec, actual: STATES.scheduled, lastFailure: { at: NOW, error } };
    expect(hookEffects({ ...before, spec }, over)).toMatchObject([
      { occasion: { name: 'on_stop.error', error } },
      { occasion: { name: 'onerr', error } },
    ]);
  });

  it.each(['preparing', 'spawning'] as const)(
    'a hook receives the error of a scheduled run that ended %s',
    (tag) => {
      const failure = { code: 'ERR0103', service: idOf('web'), status, evidence: [] } as const;
      const begun = serviceIn(tag, { hooks, kind: 'cron' });
      const over = { ...begun, actual: STATES.scheduled, lastFailure: { at: NOW, error: failure } };
      expect(hookEffects(begun, over)).toMatchObject([{ occasion: { name: 'onerr', error: failure } }]);
    },
  );

  it('a hook receives the error of a scheduled run that is followed by another at once', () => {
    const spec = { ...before.spec, kind: 'cron' } as const;
    const over = { ...after, spec, actual: STATES.waiting, lastFailure: { at: NOW, error } };
    expect(hookEffects({ ...before, spec }, over)).toMatchObject([{ occasion: { error } }, {}]);
  });

  it('a hook receives no error if a policy restarts a service that exited with 0', () => {
    const spec = { ...before.spec, hooks: { 'on_stop.success': { command: 'tell' } } };
    const exit = { tag: 'code', code: 0 } as const;
    const well = { ...before, spec, actual: { ...before.actual, exit } };
    const clean = { ...error, status: exit };
    const over = { ...after, spec, lastExit: { status: exit, at: NOW } };
    const [effect] = hookEffects(well, { ...over, actual: { ...after.actual, error: clean } });
    expect(effect?.occasion).toEqual({
      ...{ name: 'on_stop.success', run: RUN, pid: PROCESS.pid, exit, attempt: 2 },
    });
  });

  it('an event goes only to hooks that the service declares', () => {
    const quiet = { ...before, spec: { ...before.spec, hooks: {} } };
    expect(hookEffects(quiet, { ...after, spec: quiet.spec })).toEqual([]);
  });
});
