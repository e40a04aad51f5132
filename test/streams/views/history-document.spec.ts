import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../src/streams/domain/service/history-facts.ts';
import type { Service, Transition } from '../../../src/streams/domain/service/service.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { historyDocument } from '../../../src/streams/views/history-document.ts';
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

describe('the history document', () => {
  it('the history has incidents among transitions in order of time, a cause before its effect', () => {
    expect(historyDocument(web).map(({ from, to, reason }) => [from, to, reason])).toEqual([
      ['starting', 'running', 'stayed up for startup_stability_ms'],
      ['running', 'running', 'SIGHUP, sent by sup kill'],
      ['running', 'stopping', 'killed by SIGHUP'],
      ['running', 'running', 'its reload command succeeded'],
      ['running', 'running', 'its reload command exited with 2'],
      ['stopping', 'running', 'start requested'],
      ['running', 'running', expect.stringContaining('reported unhealthy: HTTP 500')],
      ['running', 'running', 'its health check passes again, after 2 failures in 2 s'],
    ]);
  });

  const stopped = (facts: Transition['facts'], cause: string): Transition => ({
    at: instant(1),
    from: 'up',
    to: 'stopping',
    cause,
    ...(facts && { facts }),
  });
  const exited = stopped({ status: { tag: 'code', code: 3 } }, 'exited');
  const gone = (to: Transition['to'], down?: Transition['down']): Transition => ({
    at: instant(2),
    from: 'stopping',
    to,
    cause: 'surveyed',
    ...(down && { down }),
  });

  it.each([
    [exited, gone('backing-off'), 'exited with 3'],
    [exited, gone('scheduled'), 'exited with 3'],
    [exited, gone('broken'), 'max_restarts is spent: exited with 3'],
    [exited, gone('down', 'failed'), 'exited with 3'],
    [stopped({ of: [idOf('db')] }, 'fell'), gone('casualty'), 'shop/db failed'],
    [stopped(undefined, 'release'), gone('down', 'asked'), 'all its processes are gone'],
  ])('the history says why a run was ended (%#)', (stop, end, reason) => {
    const history = [{ ...stop }, { ...end }];
    expect(historyDocument({ ...serviceIn('up'), history }).at(-1)?.reason).toBe(reason);
  });

  it('the history shows the recorded part of a stop whose beginning is no longer recorded', () => {
    const history = [gone('backing-off')];
    expect(historyDocument({ ...serviceIn('up'), history })[0]?.reason).toBe('all its processes are gone');
  });

  it('the history has the state lost if the exit of a run was not seen', () => {
    const unseen = stopped({ status: { tag: 'unknown' } }, 'exited');
    const again: Transition = { at: instant(3), from: 'down', to: 'waiting', cause: 'start' };
    const history = [unseen, gone('down', 'failed'), again];
    expect(historyDocument({ ...serviceIn('up'), history }).map(({ from, to }) => [from, to])).toEqual([
      ['running', 'stopping'],
      ['stopping', 'lost'],
      ['lost', 'waiting'],
    ]);
  });

  it('the history of a rollout starts again with the state of the other run', () => {
    const ready: Transition = { at: instant(1), from: 'starting', to: 'up', cause: 'elapsed' };
    const history = [ready, { ...ready, at: instant(2) }];
    expect(historyDocument({ ...serviceIn('up'), history }).map(({ from, to }) => [from, to])).toEqual([
      ['starting', 'running'],
      ['starting', 'running'],
    ]);
  });
});
