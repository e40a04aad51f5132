// What happens to scheduled services when a new supervisor starts.
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../src/streams/domain/event.ts';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import { serviceAt } from '../../../../src/streams/kernel/service-table.ts';
import type { Step } from '../../../../src/streams/kernel/step.ts';
import { idOf } from '../../../support/spec.ts';
import { bootWith } from '../../../support/boot.ts';
import { BEGAN, NOW, PROCESS, RUN, serviceIn, STATES } from '../../../support/states.ts';

type Booted = Extract<Event, { type: 'booted' }>;

const webOf = ({ state }: Step): Service | undefined => serviceAt(state.serviceTable, idOf('web'));
const found = (): Booted['found'] => [{ service: idOf('web'), run: RUN, process: PROCESS }];
const cron = { kind: 'cron', cron: { expression: '* * * * *', timezone: 'utc' } } as const;

describe('a scheduled service of the previous supervisor', () => {
  const running = { runs: [{ due: BEGAN, result: 'running', startedAt: BEGAN }] } as const;

  it('a recovered scheduled service waits for its next scheduled time and replays no missed one', () => {
    const web: Service = { ...serviceIn('scheduled', cron), schedule: { runs: [], due: BEGAN } };
    expect(webOf(bootWith({ restored: [web] }))).toMatchObject({
      actual: { tag: 'scheduled' },
      schedule: { due: 120_000, runs: [] },
    });
  });

  it.each([
    ['was killed', { actual: STATES.scheduled }],
    ['ended in order', { actual: { tag: 'down', why: { tag: 'asked' } }, wanted: 'down', resume: true }],
  ] as const)('with catch_up a time that came after the supervisor %s is run once', (_, changes) => {
    const once = { ...cron, cron: { ...cron.cron, catchUp: 'once' } } as const;
    const web: Service = {
      ...serviceIn('scheduled', once),
      ...changes,
      schedule: { runs: [], due: BEGAN },
    };
    const booted = webOf(bootWith({ restored: [web] }));
    expect(booted?.actual.tag).not.toBe('scheduled');
    expect(booted?.schedule).toMatchObject({
      due: 120_000,
      runs: [{ due: BEGAN, result: 'running', by: 'caught-up' }],
    });
  });

  it('a scheduled run whose end was missed has an unknown result', () => {
    const web: Service = { ...serviceIn('up', cron), schedule: running };
    expect(webOf(bootWith({ restored: [web], sameBoot: false }))).toMatchObject({
      actual: { tag: 'scheduled' },
      schedule: { runs: [{ result: 'unknown', endedAt: NOW }] },
    });
  });

  it('a scheduled run that is alive continues', () => {
    const web: Service = { ...serviceIn('up', cron), schedule: running };
    expect(webOf(bootWith({ restored: [web], found: found() }))).toMatchObject({
      actual: STATES.up,
      schedule: { runs: [{ result: 'running' }] },
    });
  });

  it('a recovered scheduled service that was no longer wanted is down', () => {
    const web: Service = { ...serviceIn('up', cron), wanted: 'down', schedule: running };
    expect(webOf(bootWith({ restored: [web], sameBoot: false }))?.actual.tag).toBe('down');
  });
});
