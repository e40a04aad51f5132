import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../src/streams/domain/event.ts';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import { DEFAULT_SETTINGS } from '../../../../src/streams/domain/declared/settings.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
import { INITIAL_STATE, type SupervisorState } from '../../../../src/streams/kernel/state.ts';
import { serviceTableOf, serviceAt } from '../../../../src/streams/kernel/service-table.ts';
import { step } from '../../../../src/streams/kernel/step.ts';
import { worded } from '../../../../src/streams/views/notes/note-text.ts';
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

describe('the slot file at boot', () => {
  it('the slot file is written again at boot if it is missing or names a slot other than the live one', () => {
    expect(told(web('up'), { kept: 'blue' })).toEqual(['/kept/slot green']);
    expect(told(web('up'), {})).toEqual(['/kept/slot green']);
  });

  it('the slot file is not written at boot if it is right', () => {
    expect(told(web('up'), { kept: 'green' })).toEqual([]);
  });

  it('the slot file is trusted at boot if no run is alive', () => {
    expect(told({ ...web('down'), wanted: 'down' }, { kept: 'blue' })).toEqual([]);
  });

  it('the slot file is ignored during an upgrade or a stop without a supervisor', () => {
    expect(told(web('up'), { kept: 'blue', continued: true })).toEqual([]);
    expect(told(web('up'), { kept: 'blue' }, 'stop-only')).toEqual([]);
  });
});

/**
 * Returns the slot of a service that is down after its slot file was read, and the log lines about the file.
 */
const taken = (
  service: Service,
  kept: string,
): Pick<Service, 'slot' | 'slotKept'> & { readonly said?: readonly string[] } => {
  const manifest = manifestOf(spec);
  const load = { path: manifest.path, manifest, problems: [], slots: { [idOf('web')]: kept } };
  const booted = {
    type: 'booted',
    settings: DEFAULT_SETTINGS,
    sameBoot: true,
    warnings: [],
    found: [],
  } as const;
  const event: Booted = {
    ...booted,
    restored: [{ ...service, wanted: 'down' }],
    registered: [{ path: manifest.path, load }],
  };
  const { state, effects } = step(INITIAL_STATE, { at: NOW, event });
  const { slot, slotKept } = serviceAt(state.serviceTable, idOf('web')) ?? {};
  const said = effects.flatMap((effect) => (effect.type === 'note' ? [worded(effect).text] : []));
  return {
    ...(slot !== undefined && { slot }),
    ...(slotKept !== undefined && { slotKept }),
    ...(said.length > 0 && { said }),
  };
};

describe('the slot file without a live run', () => {
  it('the slot file is ignored while it still has the old content after a failed write', () => {
    expect(taken({ ...web('down'), slotKept: 'blue' }, 'blue')).toEqual({ slot: 'green', slotKept: 'blue' });
  });

  it('the slot file is used if another program has written it', () => {
    expect(taken({ ...web('down'), slotKept: 'green' }, 'blue')).toEqual({ slot: 'blue', slotKept: 'blue' });
  });

  it('a slot file without a valid slot is ignored and reported', () => {
    expect(taken(web('down'), 'z\u001b[31m'.repeat(20))).toMatchObject({
      slot: 'green',
      said: [
        expect.stringMatching(
          /^state_path says "z\\u001b\[31m.{0,80}", which is no slot of it: green is used$/,
        ),
      ],
    });
  });

  it('the slot file is known to be right', () => {
    expect(taken(web('down'), 'green')).toEqual({ slot: 'green', slotKept: 'green' });
  });

  it('the slot file is known to have the written content', () => {
    const state = { ...INITIAL_STATE, serviceTable: serviceTableOf([web('up')]) };
    const event = { type: 'slot-kept', service: idOf('web'), slot: 'green' } as const;
    const { serviceTable } = step(state, { at: NOW, event }).state;
    expect(serviceAt(serviceTable, idOf('web'))).toMatchObject({ slotKept: 'green' });
  });
});
