import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Event, Stamped } from '../../../src/streams/domain/event.ts';
import { requestId } from '../../../src/streams/domain/ids.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { INITIAL_STATE } from '../../../src/streams/kernel/state.ts';
import type { Step } from '../../../src/streams/kernel/step.ts';
import { supervise } from '../../../src/streams/kernel/kernel-scan.ts';
import { serviceTableOf } from '../../../src/streams/kernel/service-table.ts';
import { listen } from '../../support/listen.ts';
import { idOf } from '../../support/spec.ts';
import { serviceIn } from '../../support/states.ts';

const stop: Event = {
  type: 'requested',
  request: 'client:1' as never,
  command: { type: 'stop', selection: {} },
};
const stamped = (event: Event): Stamped => ({ at: instant(5), event });

describe('supervise', () => {
  it('supervise steps once per event, for any number of subscribers', () => {
    const event$ = new Subject<Stamped>();
    const step$ = event$.pipe(
      supervise({ ...INITIAL_STATE, serviceTable: serviceTableOf([serviceIn('backing-off')]) }),
    );
    const heard: [Step[], Step[]] = [[], []];
    listen(step$, (step) => heard[0].push(step));
    listen(step$, (step) => heard[1].push(step));
    event$.next(stamped(stop));
    expect(heard[0]).toHaveLength(1);
    expect(heard[0][0]).toBe(heard[1][0]);
    expect(heard[0][0]).toMatchObject({ at: 5, event: stop, services: [idOf('web')] });
  });

  it('supervise keeps the old state and reports it if a step throws', () => {
    const event$ = new Subject<Stamped>();
    const steps: Step[] = [];
    listen(event$.pipe(supervise()), (step) => steps.push(step));
    event$.next(stamped({ type: 'booted' } as Event));
    event$.next(stamped(stop));
    expect(steps).toMatchObject([
      { state: INITIAL_STATE, effects: [{ type: 'note', level: 'error' }], services: [] },
      { effects: [{ type: 'reply' }] },
    ]);
    expect(JSON.stringify(steps[0]?.effects)).toContain('ERR0001 booted');
  });

  it('supervise answers a request whose step throws, and drops it', () => {
    const event$ = new Subject<Stamped>();
    const steps: Step[] = [];
    listen(event$.pipe(supervise()), (step) => steps.push(step));
    const request = requestId('client:2');
    const restart: Event = { type: 'requested', request, command: { type: 'restart', selection: {} } };
    event$.next(stamped(restart));
    expect(steps[0]?.state.requests).toHaveProperty([request]);
    event$.next(stamped({ type: 'manifests-loaded', request } as Event));
    event$.next(stamped({ type: 'requested', request } as Event));
    const error = { code: 'ERR0001', detail: expect.any(String) as string };
    const reply = { type: 'reply', request, reply: { ok: false, error } };
    expect(steps[1]).toMatchObject({
      state: { requests: {} },
      effects: [{ type: 'note', level: 'error' }, reply],
      requests: [request],
    });
    expect(steps[2]).toMatchObject({ effects: [{ type: 'note' }, reply] });
  });
});
