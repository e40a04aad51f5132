import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../src/streams/domain/event.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { STOP_ONLY } from '../../../../src/streams/kernel/boot/stop-only.ts';
import { serviceAt } from '../../../../src/streams/kernel/service-table.ts';
import type { Step } from '../../../../src/streams/kernel/step.ts';
import { idOf, manifestOf, needs, SHOP, specOf } from '../../../support/spec.ts';
import { bootWith } from '../../../support/boot.ts';
import { PROCESS, RUN } from '../../../support/states.ts';

type Booted = Extract<Event, { type: 'booted' }>;

const effectsOf = ({ effects }: Step): readonly string[] => effects.map(({ type }) => type);
const cron = { kind: 'cron', cron: { expression: '* * * * *', timezone: 'utc' } } as const;
const registeredOf = (...specs: readonly ServiceSpec[]): Booted['registered'] => {
  const manifest = manifestOf(...specs);
  return [{ path: manifest.path, load: { path: manifest.path, manifest, problems: [] } }];
};

describe('a registered project without a record', () => {
  const lost = {
    unrecorded: [SHOP],
    registered: registeredOf(specOf('db'), specOf('web', { dependsOn: needs('db') })),
  };

  it('an unrecorded project is a warning, and its services start in order', () => {
    const { state, effects } = bootWith(lost);
    expect(state.warnings).toEqual([expect.stringContaining('the record of shop is lost')]);
    expect(effects.filter(({ type }) => type === 'spawn')).toMatchObject([{ service: idOf('db') }]);
    expect(serviceAt(state.serviceTable, idOf('web'))).toMatchObject({
      wanted: 'up',
      actual: { tag: 'waiting' },
    });
  });

  it('an unrecorded project has live services adopted, and its jobs wait for their scheduled time', () => {
    const { state, effects } = bootWith({
      unrecorded: [SHOP],
      registered: registeredOf(specOf('web'), specOf('job', cron)),
      found: [{ service: idOf('web'), run: RUN, process: PROCESS }],
    });
    expect(serviceAt(state.serviceTable, idOf('web'))?.actual).toMatchObject({ process: PROCESS });
    expect(serviceAt(state.serviceTable, idOf('job'))).toMatchObject({
      wanted: 'up',
      actual: { tag: 'scheduled' },
    });
    expect(effects.filter(({ type }) => type === 'spawn')).toEqual([]);
  });

  it('an unrecorded project is ignored without a manifest, before an end and during a stop without a supervisor', () => {
    expect(bootWith({ ...lost, registered: [] }).state.warnings).toEqual([]);
    expect(effectsOf(bootWith(lost, STOP_ONLY))).toEqual([]);
    const ending = bootWith({ ...lost, closing: { resume: true } });
    expect(effectsOf(ending)).not.toContain('spawn');
  });
});
