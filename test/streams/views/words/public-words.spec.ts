import { describe, expect, it } from 'vitest';
import type { DownReason, Service } from '../../../../src/streams/domain/service/service.ts';
import { healthWord, stateWord } from '../../../../src/streams/views/words/public-words.ts';
import { idOf } from '../../../support/spec.ts';
import { serviceIn, STATES } from '../../../support/states.ts';

const down = (why: DownReason): Service => ({ ...serviceIn('down'), actual: { tag: 'down', why } });

describe('the public state of a service', () => {
  it.each([
    ['scheduled', 'scheduled'],
    ['waiting', 'waiting'],
    ['preparing', 'starting'],
    ['spawning', 'starting'],
    ['starting', 'starting'],
    ['up', 'running'],
    ['stopping', 'stopping'],
    ['backing-off', 'backoff'],
    ['broken', 'breaker-open'],
    ['casualty', 'casualty'],
  ] as const)('the public state of a service that is %s is %s', (tag, word) => {
    expect(stateWord(serviceIn(tag))).toBe(word);
  });

  it.each([
    [{ tag: 'new' }, 'stopped'],
    [{ tag: 'asked' }, 'stopped'],
    [{ tag: 'ended' }, 'stopped'],
    [{ tag: 'completed' }, 'done'],
    [{ tag: 'skipped', by: 'manifest' }, 'skipped'],
    [{ tag: 'failed', error: { code: 'ERR0113', service: idOf('web'), detail: 'x' } }, 'failed'],
    [
      { tag: 'failed', error: { code: 'ERR0101', service: idOf('web'), status: { tag: 'code', code: 1 } } },
      'failed',
    ],
    [{ tag: 'failed', error: { code: 'ERR0101', service: idOf('web'), status: { tag: 'unknown' } } }, 'lost'],
    [
      {
        tag: 'failed',
        error: { code: 'ERR0102', service: idOf('web'), status: { tag: 'unknown' }, evidence: [] },
      },
      'lost',
    ],
  ] as const)('the public state of a service that is down because of %j is %s', (why, word) => {
    expect(stateWord(down(why))).toBe(word);
  });

  it('the public state of a service that is up and must stop is stopping', () => {
    expect(stateWord({ ...serviceIn('up'), wanted: 'down' })).toBe('stopping');
  });
});

describe('the health of a service', () => {
  it('the health of a service is that of its probes while it has a process, and unknown otherwise', () => {
    const healthy: Service = {
      ...serviceIn('up'),
      actual: { ...STATES.up, health: { health: 'healthy', failures: 0 } },
    };
    expect(healthWord(healthy)).toBe('healthy');
    expect(healthWord(serviceIn('up'))).toBe('unknown');
    expect(healthWord(serviceIn('broken'))).toBe('unknown');
  });

  it('the health of a service is unhealthy while it is stopped because it was unhealthy', () => {
    const error = { code: 'ERR0104', service: idOf('web'), detail: '500' } as const;
    const stopping: Service = {
      ...serviceIn('stopping'),
      actual: { ...STATES.stopping, cause: { tag: 'unhealthy', wasReady: true, error } },
    };
    expect(healthWord(stopping)).toBe('unhealthy');
  });
});
