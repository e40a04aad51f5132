import { describe, expect, it } from 'vitest';
import type { ProbeResult } from '../../../../src/streams/domain/event.ts';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import { instant } from '../../../../src/streams/domain/time.ts';
import { transition } from '../../../../src/streams/service/service-machine.ts';
import { healthEvents } from '../../../../src/streams/views/events/incident-events.ts';
import type { EventDocument } from '../../../../src/streams/wire/documents/event-document.ts';
import { manifestOf } from '../../../support/marble/declare.ts';
import { parseMarble } from '../../../support/marble/parse.ts';
import { CONTEXT, INPUTS, serviceIn } from '../../../support/states.ts';

const STORY =
  'title t\nspec s\nframe 1s\nservice web deployment.health_check.url=http://a/\nin cli S\nout web.state s';
const checked = manifestOf(parseMarble(STORY, 'x.marble')).services[0];

/** Returns the health events of a running service whose probes have these results, two seconds apart. */
const toldOf = (...results: readonly ProbeResult[]): readonly EventDocument[] => {
  const up = serviceIn('up');
  let service: Service = checked === undefined ? up : { ...up, spec: checked };
  const told: EventDocument[] = [];
  results.forEach((result, index) => {
    const at = instant(index * 2_000);
    const input = { ...INPUTS.probed, result };
    const after = transition(service, input, { ...CONTEXT, at }).service;
    if (after !== service)
      told.push(...healthEvents({ before: service, after, input }, { at, byId: () => undefined }));
    service = after;
  });
  return told;
};

const bad: ProbeResult = { tag: 'unhealthy', detail: 'HTTP 500' };
const good: ProbeResult = { tag: 'passed' };

describe('health events', () => {
  it('health events say that probes begin to fail, and why, and later that they pass again', () => {
    expect(toldOf(good, bad, bad, good)).toMatchObject([
      {
        at: '1970-01-01T00:00:02.000Z',
        kind: 'health',
        service: 'web',
        from: 'running',
        to: 'running',
        health: 'unhealthy',
        run: 3,
        pid: 300,
        cause: 'probed',
        reason: 'its health check reported unhealthy: HTTP 500; failure 1 of 3',
        code: 'ERR0104',
      },
      {
        at: '1970-01-01T00:00:06.000Z',
        health: 'healthy',
        reason: 'its health check passes again, after 2 failures in 4 s',
        code: null,
      },
    ]);
  });

  it('health events have the kind of failure as a code', () => {
    expect(toldOf({ tag: 'timed-out' })[0]?.code).toBe('ERR0023');
    expect(toldOf({ tag: 'unreachable', detail: 'connection refused' })[0]?.code).toBe('ERR0022');
  });

  it('a service that is healthy for the first time has no health event', () => {
    expect(toldOf(good, good)).toEqual([]);
  });
});
