import { describe, expect, it } from 'vitest';
import type { Run } from '../../../src/streams/domain/service/service-run.ts';
import { ms, plus, seconds } from '../../../src/streams/domain/time.ts';
import type { Change } from '../../../src/streams/service/service-input.ts';
import { transition } from '../../../src/streams/service/service-machine.ts';
import {
  afterFailure,
  delayBefore,
  policyRestarts,
  restartAfterCleanExit,
} from '../../../src/streams/service/restart-policy.ts';
import { idOf } from '../../support/spec.ts';
import { CONTEXT, INPUTS, NOW, serviceIn } from '../../support/states.ts';

const error = { code: 'ERR0101', service: idOf('web'), status: { tag: 'code', code: 1 } } as const;
const constant = { initial: seconds(3), max: seconds(3), factor: 1, jitter: 0 };
const growing = { initial: seconds(1), max: seconds(30), factor: 2, jitter: 0 };

describe('delayBefore', () => {
  it.each([
    [constant, [3, 3, 3, 3]],
    [growing, [1, 2, 4, 8, 16, 30, 30]],
    [{ ...growing, initial: seconds(40) }, [30, 30]],
    [{ ...constant, initial: ms(0), max: ms(0) }, [0, 0]],
  ])('delayBefore of %j is %j', (backoff, delays) => {
    expect(delays.map((_, index) => delayBefore(index + 1, backoff, 'web') / 1000)).toEqual(delays);
  });

  it('delayBefore does not overflow after a thousand attempts', () => {
    expect(delayBefore(1_000, growing, 'web')).toBe(30_000);
    expect(delayBefore(5_000, growing, 'web')).toBe(30_000);
    expect(delayBefore(5_000, { ...growing, initial: ms(0) }, 'web')).toBe(0);
  });

  it('delayBefore varies by at most its jitter, equally for equal services and attempts', () => {
    const backoff = { ...constant, initial: seconds(10), max: seconds(60), jitter: 0.5 };
    const delays = Array.from({ length: 200 }, (_, index) => delayBefore(1, backoff, `web${index}`));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(5_000);
    expect(Math.max(...delays)).toBeLessThanOrEqual(15_000);
    expect(new Set(delays).size).toBeGreaterThan(50);
    expect(delayBefore(1, backoff, 'web7')).toBe(delays[7]);
  });

  it('delayBefore never exceeds max and still spreads delays there', () => {
    const backoff = { ...constant, initial: seconds(10), max: seconds(10), jitter: 1 };
    const delays = Array.from({ length: 200 }, (_, index) => delayBefore(1, backoff, `web${index}`));
    expect(Math.max(...delays)).toBeLessThanOrEqual(10_000);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(delays.filter((delay) => delay > 9_900).length).toBeLessThan(10);
  });

  it('delayBefore has another jitter at each attempt', () => {
    const backoff = { ...constant, initial: seconds(10), max: seconds(60), jitter: 0.5 };
    const delays = Array.from({ length: 8 }, (_, index) => delayBefore(index + 1, backoff, 'worker-1'));
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(3_000);
  });
});

describe('policyRestarts', () => {
  const exits = [
    { tag: 'code', code: 0 },
    { tag: 'code', code: 1 },
    { tag: 'signal', signal: 'SIGKILL' },
    { tag: 'unknown' },
  ] as const;
  it.each([
    ['always', [true, true, true, true]],
    ['on-failure', [false, true, true, true]],
    ['never', [false, false, false, false]],
  ] as const)('policyRestarts: %s', (policy, restarts) => {
    expect(exits.map((exit) => policyRestarts(policy, exit))).toEqual(restarts);
  });
});

/** The change after a failure of a service that is restarted. */
const restarted = (service: Run): Change => afterFailure(service, { error, at: NOW });

describe('the restart after a failure', () => {
  it.each([
    [0, 0, 'broken'],
    [0, 1, 'backing-off'],
    [1, 1, 'broken'],
    [7, 8, 'backing-off'],
    [8, 8, 'broken'],
  ])('the state after %i of %i attempts is %s', (attempts, maxRestarts, tag) => {
    const service = { ...serviceIn('stopping', { maxRestarts }), attempts };
    expect(restarted(service).to?.tag).toBe(tag);
  });

  it('the state says which attempt comes when, and why', () => {
    const service = { ...serviceIn('stopping', { backoff: growing }), attempts: 2 };
    expect(restarted(service)).toEqual({
      to: { tag: 'backing-off', attempt: 3, until: plus(NOW, seconds(4)), error },
      patch: { attempts: 3, recovering: true, lastFailure: { error, at: NOW } },
    });
  });

  it('the state says how many attempts were made when it gives up, with the last error', () => {
    const service = { ...serviceIn('stopping', { maxRestarts: 2 }), attempts: 2 };
    expect(restarted(service).to).toEqual({
      tag: 'broken',
      error: { code: 'ERR0110', service: idOf('web'), attempts: 2, last: error },
    });
  });
});

describe('restartAfterCleanExit', () => {
  it('restartAfterCleanExit counts the restart, which is no recovery', () => {
    const status = { tag: 'code', code: 0 } as const;
    const service = { ...serviceIn('stopping', { backoff: growing }), attempts: 2 };
    expect(restartAfterCleanExit(service, status, NOW)).toEqual({
      to: { tag: 'backing-off', attempt: 3, until: plus(NOW, seconds(4)), error: { ...error, status } },
      patch: { attempts: 3, recovering: false },
    });
  });
});

describe('an automatic start', () => {
  const due = { ...INPUTS.elapsed, timer: 'backoff' } as const;

  it('an automatic start counts in the service total at its time, unless a command starts it first', () => {
    const service = { ...serviceIn('backing-off'), attempts: 1, restartsTotal: 7 };
    expect(transition(service, due, CONTEXT).service.restartsTotal).toBe(8);
    for (const input of [INPUTS.start, INPUTS.restart, INPUTS.stop])
      expect(transition(service, input, CONTEXT).service.restartsTotal).toBe(7);
    expect(transition(serviceIn('backing-off'), due, CONTEXT).service.restartsTotal).toBe(1);
  });
});

describe('afterFailure', () => {
  it('afterFailure leaves a service with restart never down, with its error', () => {
    expect(afterFailure(serviceIn('stopping', { restartPolicy: 'never' }), { error, at: NOW }).to).toEqual({
      tag: 'down',
      why: { tag: 'failed', error },
    });
  });

  it.each(['always', 'on-failure'] as const)(
    'afterFailure does not retry what waiting cannot fix, %s',
    (restartPolicy) => {
      const refused = { code: 'ERR0742', service: idOf('web'), key: 'user', detail: 'unknown' } as const;
      const tried = (final: object): unknown =>
        afterFailure(serviceIn('spawning', { restartPolicy }), { error: { ...refused, ...final }, at: NOW })
          .to;
      expect(tried({ final: true })).toMatchObject({ tag: 'down', why: { tag: 'failed' } });
      expect(tried({})).toMatchObject({ tag: 'backing-off' });
    },
  );

  it.each(['always', 'on-failure', 'never'] as const)(
    'afterFailure makes a scheduled service wait, %s',
    (restartPolicy) => {
      const service = serviceIn('stopping', { restartPolicy, kind: 'cron' });
      expect(afterFailure(service, { error, at: NOW }).to).toEqual({ tag: 'scheduled' });
    },
  );
});
