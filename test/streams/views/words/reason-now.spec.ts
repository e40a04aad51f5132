import { describe, expect, it } from 'vitest';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import { ms, plus } from '../../../../src/streams/domain/time.ts';
import { serviceDocument } from '../../../../src/streams/views/service-document.ts';
import { reasonNow } from '../../../../src/streams/views/words/reason.ts';
import { NOW, serviceIn, STATES } from '../../../support/states.ts';

const in20s = plus(NOW, ms(20_000));
const toldLater = (service: Service, after: number): string | null =>
  reasonNow(serviceDocument(service, { now: NOW, byId: () => undefined }), plus(NOW, ms(after)));

const scheduled: Service = { ...serviceIn('scheduled'), schedule: { due: in20s, runs: [] } };
const failed: Service = {
  ...scheduled,
  schedule: { due: in20s, runs: [{ due: NOW, result: 'success' }] },
};
const retrying: Service = {
  ...serviceIn('backing-off'),
  actual: { ...STATES['backing-off'], until: in20s },
};

describe('a reason that was written before', () => {
  it.each([
    ['a schedule', scheduled, /^next run in 12 s$/],
    ['a schedule with a last run', failed, /^next run in 12 s; last run: success$/],
    ['a service in backoff', retrying, /; attempt 1 of 8 in 12 s$/],
  ])('an earlier reason has the present duration of %s', (_, service, text) => {
    expect(toldLater(service, 8_000)).toMatch(text);
    expect(toldLater(service, 0)).toBe(serviceDocument(service, { now: NOW, byId: () => undefined }).reason);
  });

  it('an earlier reason of any other service is unchanged', () => {
    const down = serviceIn('down');
    expect(toldLater(down, 8_000)).toBe(serviceDocument(down, { now: NOW, byId: () => undefined }).reason);
    expect(toldLater(serviceIn('up'), 8_000)).toBeNull();
  });
});
