import { describe, expect, it } from 'vitest';
import { CHECK_DEFAULTS, type HealthCheck } from '../../../src/streams/domain/declared/health-check.ts';
import { shownHealth } from '../../../src/streams/domain/service/service-state.ts';
import type { ProbeResult } from '../../../src/streams/domain/event.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { DEFAULT_SETTINGS } from '../../../src/streams/domain/declared/settings.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import type { Input } from '../../../src/streams/service/service-input.ts';
import { transition } from '../../../src/streams/service/service-machine.ts';
import { watchesOf } from '../../../src/streams/service/service-watches.ts';
import { CONTEXT, INPUTS, serviceIn } from '../../support/states.ts';

const probe = { tag: 'command', command: 'x' } as const;
const up = (healthCheck: HealthCheck): Service => {
  const service = serviceIn('up');
  const { spec } = service;
  return { ...service, spec: { ...spec, deployment: { ...spec.deployment, healthCheck } } };
};
const liveness = { ...CHECK_DEFAULTS, probe, retries: 2 };
const BOTH: HealthCheck = { ...CHECK_DEFAULTS, probe, afterReady: ms(1000), liveness };

const FAILED: ProbeResult = { tag: 'unhealthy', detail: 'x' };
const asked = (result: ProbeResult): Input => ({ ...INPUTS.probed, result });
const askedAlive = (result: ProbeResult): Input => ({ ...INPUTS.probed, result, liveness: true });

const after = (service: Service, ...inputs: readonly Input[]): Service =>
  inputs.reduce((now, input) => transition(now, input, CONTEXT).service, service);

describe('liveness', () => {
  it('a passed health check does not clear a failure of liveness', () => {
    const once = after(up(BOTH), askedAlive(FAILED), asked({ tag: 'passed' }));
    expect(once.actual).toMatchObject({ tag: 'up', health: { health: 'healthy' }, alive: { failures: 1 } });
    expect(once.actual.tag === 'up' && shownHealth(once.actual).health).toBe('unhealthy');
    expect(after(once, askedAlive(FAILED)).actual).toMatchObject({
      tag: 'stopping',
      cause: { wasReady: true, error: { liveness: true } },
    });
    expect(once.actual).toMatchObject({ alive: { error: { code: 'ERR0104', liveness: true } } });
    const well = after(once, askedAlive({ tag: 'passed' }));
    expect(well.actual.tag === 'up' && shownHealth(well.actual).health).toBe('healthy');
  });

  it('with liveness, the health check probes a ready service only if it has after_ready', () => {
    const { afterReady: _, ...alone } = BOTH;
    const keys = (check: HealthCheck): readonly string[] =>
      watchesOf(up(check), DEFAULT_SETTINGS).flatMap(({ type, key }) =>
        type === 'probe' ? [key.split(':')[0] ?? ''] : [],
      );
    expect(keys(BOTH)).toEqual(['probe', 'alive']);
    expect(keys(alone)).toEqual(['alive']);
  });

  it('liveness does not probe a starting service, and an outdated result changes nothing', () => {
    const service = { ...up(BOTH), actual: serviceIn('starting').actual };
    expect(after(service, askedAlive(FAILED))).toBe(service);
  });
});
