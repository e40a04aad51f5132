import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../src/streams/domain/service/incident.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { historyDocument } from '../../../src/streams/views/history.ts';
import { serviceIn } from '../../support/states.ts';
import { idOf } from '../../support/spec.ts';

const acted = (at: number, act: Extract<Incident['facts'], { act: unknown }>['act']): Incident => ({
  at: instant(at),
  during: 'up',
  cause: 'acted',
  facts: { act },
});

const error = { code: 'ERR0104', service: idOf('web'), detail: 'HTTP 500' } as const;
const streak = { health: 'unhealthy', failures: 2, failingSince: instant(6_000), error } as const;

const web: Service = {
  ...serviceIn('backing-off'),
  history: [
    { at: instant(1_000), from: 'starting', to: 'up', cause: 'elapsed', facts: { timer: 'stability' } },
    {
      at: instant(3_000),
      from: 'up',
      to: 'stopping',
      cause: 'exited',
      facts: { status: { tag: 'signal', signal: 'SIGHUP' } },
    },
    { at: instant(5_000), from: 'stopping', to: 'up', cause: 'start' },
  ],
  incidents: [
    acted(3_000, { tag: 'signal', by: 'kill', signal: 'SIGHUP' }),
    acted(4_000, { tag: 'command', status: { tag: 'code', code: 0 } }),
    acted(4_500, { tag: 'command', status: { tag: 'code', code: 2 } }),
    { at: instant(6_000), during: 'up', cause: 'probed', facts: { health: 'unhealthy', streak } },
    { at: instant(8_000), during: 'up', cause: 'probed', facts: { health: 'healthy', streak } },
  ],
};

describe('the history of a service, as it is told', () => {
  it('has what moved nobody among the moves, in the order of time, and a cause before what it caused', () => {
    expect(historyDocument(web).map(({ from, to, reason }) => [from, to, reason])).toEqual([
      ['starting', 'running', 'alive for startup_stability_ms'],
      ['running', 'running', 'SIGHUP, sent by sup kill'],
      ['running', 'stopping', 'killed by SIGHUP'],
      ['running', 'running', 'its reload command went well'],
      ['running', 'running', 'its reload command exited with 2'],
      ['stopping', 'running', 'start requested'],
      ['running', 'running', expect.stringContaining('reported unhealthy: HTTP 500')],
      ['running', 'running', 'its health check passes again, after 2 failures in 2 s'],
    ]);
  });
});
