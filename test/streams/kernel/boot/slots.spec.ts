import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../src/streams/domain/event.ts';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import { DEFAULT_SETTINGS } from '../../../../src/streams/domain/declared/settings.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
import { INITIAL_STATE, type SupervisorState } from '../../../../src/streams/kernel/state.ts';
import { step } from '../../../../src/streams/kernel/step.ts';
import { idOf, manifestOf, specOf } from '../../../support/spec.ts';
import { NOW, PROCESS, RUN, serviceIn } from '../../../support/states.ts';

type Booted = Extract<Event, { type: 'booted' }>;

const spec = specOf('web', {
  deployment: {
    ...{ strategy: 'rolling', gracePeriod: ms(0) },
    blueGreen: {
      ...{ envVar: 'SLOT', slots: ['blue', 'green'], switchCommand: 'true' },
      ...{ switchTimeout: ms(1000), statePath: '/kept/slot' },
    },
  },
});
const web = (tag: 'up' | 'down'): Service => ({ ...serviceIn(tag, spec), slot: 'green' });

const told = (
  service: Service,
  { kept, ...more }: Partial<Booted> & { readonly kept?: string },
  phase: SupervisorState['phase'] = 'running',
): readonly string[] => {
  const manifest = manifestOf(spec);
  const slots = kept === undefined ? {} : { slots: { [idOf('web')]: kept } };
  const load = { path: manifest.path, manifest, problems: [], ...slots };
  const event: Booted = {
    ...{ type: 'booted', settings: DEFAULT_SETTINGS, restored: [service], sameBoot: true, warnings: [] },
    registered: [{ path: manifest.path, load }],
    found: service.actual.tag === 'up' ? [{ service: idOf('web'), run: RUN, process: PROCESS }] : [],
    ...more,
  };
  const { effects } = step({ ...INITIAL_STATE, phase }, { at: NOW, event });
  return effects.flatMap((effect) => (effect.type === 'keep-slot' ? [`${effect.path} ${effect.slot}`] : []));
};

describe('the file of a slot, as a supervisor begins', () => {
  it('is written again where it says another one than who lives has, or was never written', () => {
    expect(told(web('up'), { kept: 'blue' })).toEqual(['/kept/slot green']);
    expect(told(web('up'), {})).toEqual(['/kept/slot green']);
  });

  it('is let be where it says what is so', () => {
    expect(told(web('up'), { kept: 'green' })).toEqual([]);
  });

  it('is believed where nobody lives', () => {
    expect(told({ ...web('down'), wanted: 'down' }, { kept: 'blue' })).toEqual([]);
  });

  it("is nobody's business of a program that goes on in the same process, or of a mere stop", () => {
    expect(told(web('up'), { kept: 'blue', continued: true })).toEqual([]);
    expect(told(web('up'), { kept: 'blue' }, 'stop-only')).toEqual([]);
  });
});
