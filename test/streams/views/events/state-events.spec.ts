import { describe, expect, it } from 'vitest';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import { transition } from '../../../../src/streams/service/service-machine.ts';
import { stateEvents } from '../../../../src/streams/views/events/state-events.ts';
import { idOf, needs, specOf } from '../../../support/spec.ts';
import { CONTEXT, INPUT_TYPES, INPUTS, NOW, serviceIn, TAGS } from '../../../support/states.ts';

const around = { at: NOW, byId: () => undefined };
const move = (before: Service, type: keyof typeof INPUTS) => ({
  before,
  after: transition(before, INPUTS[type], CONTEXT).service,
  input: INPUTS[type],
});

describe('state events', () => {
  it('each transition between two public states is one event, and none within a state', () => {
    for (const tag of TAGS)
      for (const type of INPUT_TYPES) {
        const told = stateEvents(move(serviceIn(tag), type), around);
        expect(told.length, `${tag} × ${type}`).toBeLessThanOrEqual(1);
        for (const { from, to, at } of told) {
          expect(from, `${tag} × ${type}`).not.toBe(to);
          expect(at).toBe('1970-01-01T00:01:01.000Z');
        }
      }
  });

  it('a state event has the service, both states and the cause', () => {
    expect(stateEvents(move(serviceIn('up'), 'exited'), around)).toEqual([
      {
        schema: 'sup.event/1',
        at: '1970-01-01T00:01:01.000Z',
        kind: 'state',
        project: 'shop',
        service: 'web',
        child: null,
        from: 'running',
        to: 'stopping',
        health: 'unknown',
        run: 3,
        pid: 300,
        cause: 'exited',
        reason: 'exited with 1',
        code: null,
        because_of: [],
        rollout: null,
      },
    ]);
    expect(stateEvents(move(serviceIn('up', { dependsOn: needs('db') }), 'fell'), around)[0]).toMatchObject({
      to: 'stopping',
      cause: 'fell',
      reason: 'shop/db failed',
      because_of: ['db'],
    });
    expect(
      stateEvents(
        { before: serviceIn('preparing'), after: serviceIn('spawning'), input: INPUTS.admit },
        around,
      ),
    ).toEqual([]);
  });

  it('a state event has the error code', () => {
    const error = { code: 'ERR0110', service: idOf('web'), attempts: 3 } as const;
    const after: Service = { ...serviceIn('broken'), actual: { tag: 'broken', error } };
    const [event] = stateEvents({ before: serviceIn('backing-off'), after, input: INPUTS.surveyed }, around);
    expect(event).toMatchObject({ from: 'backoff', to: 'breaker-open', code: 'ERR0110', pid: null });
  });

  it('a removed service is a state event', () => {
    const before: Service = { ...serviceIn('down'), spec: specOf('web') };
    expect(stateEvents({ before }, around)[0]).toMatchObject({ from: 'stopped', to: null, cause: 'left' });
  });
});
