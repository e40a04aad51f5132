import { describe, expect, it } from 'vitest';
import { instant } from '../../../../src/streams/domain/time.ts';
import { transition } from '../../../../src/streams/service/service-machine.ts';
import { actEvents } from '../../../../src/streams/views/events/incident-events.ts';
import { CONTEXT, INPUTS, serviceIn } from '../../../support/states.ts';

const context = { at: instant(2_000), byId: () => undefined };
const before = serviceIn('up');
const afterOf = (input: (typeof INPUTS)[keyof typeof INPUTS]): Parameters<typeof actEvents>[0] => ({
  before,
  after: transition(before, input, CONTEXT).service,
  input,
});

describe('the event of a user action', () => {
  it('a user action is an event with the action, the service and no transition', () => {
    expect(actEvents(afterOf(INPUTS.acted), context)).toMatchObject([
      {
        at: '1970-01-01T00:00:02.000Z',
        kind: 'act',
        service: 'web',
        from: 'running',
        to: 'running',
        pid: 300,
        cause: 'acted',
        reason: 'SIGHUP, sent by sup kill',
      },
    ]);
  });

  it('other inputs cause no event of a user action', () => {
    expect(actEvents(afterOf(INPUTS.stop), context)).toEqual([]);
  });
});
