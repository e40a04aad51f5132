import { describe, expect, it } from 'vitest';
import { instant } from '../../../../src/streams/domain/time.ts';
import { supervisorEvent } from '../../../../src/streams/views/events/event-documents.ts';

describe('supervisor events', () => {
  it('the start and the end of the supervisor are events', () => {
    const began = supervisorEvent({ at: instant(0), pid: 7, to: 'running', version: '1.2.3' });
    expect(began).toMatchObject({
      service: null,
      to: 'running',
      pid: 7,
      reason: 'the supervisor began, sup 1.2.3',
    });
    expect(supervisorEvent({ at: instant(0), pid: 7, to: 'stopped', version: '1' }).cause).toBe(
      'supervisor-ended',
    );
  });
});
