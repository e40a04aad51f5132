import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../src/streams/domain/event.ts';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import { DEFAULT_SETTINGS } from '../../../../src/streams/domain/declared/settings.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
import { INITIAL_STATE, type SupervisorState } from '../../../../src/streams/kernel/state.ts';
import { rosterOf, serviceAt } from '../../../../src/streams/kernel/roster.ts';
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

/** What a service at rest has after its file was read, and what was said of that. */
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
  const { slot, slotKept } = serviceAt(state.roster, idOf('web')) ?? {};
  const said = effects.flatMap((effect) => (effect.type === 'note' ? [worded(effect).text] : []));
  return {
    ...(slot !== undefined && { slot }),
    ...(slotKept !== undefined && { slotKept }),
    ...(said.length > 0 && { said }),
  };
};

describe('the file of a slot, when nobody lives', () => {
  it('does not count as long as it says what it said before: the last write of it failed', () => {
    expect(taken({ ...web('down'), slotKept: 'blue' }, 'blue')).toEqual({ slot: 'green', slotKept: 'blue' });
  });

  it('counts when somebody else has written it', () => {
    expect(taken({ ...web('down'), slotKept: 'green' }, 'blue')).toEqual({ slot: 'blue', slotKept: 'blue' });
  });

  it('does not count where it says what is no slot, which is told', () => {
    expect(taken(web('down'), 'z\u001b[31m'.repeat(20))).toMatchObject({
      slot: 'green',
      said: [
        expect.stringMatching(
          /^state_path says "z\\u001b\[31m.{0,80}", which is no slot of it: green is used$/,
        ),
      ],
    });
  });

  it('is known to say what is so', () => {
    expect(taken(web('down'), 'green')).toEqual({ slot: 'green', slotKept: 'green' });
  });

  it('is known to say what was written', () => {
    const state = { ...INITIAL_STATE, roster: rosterOf([web('up')]) };
    const event = { type: 'slot-kept', service: idOf('web'), slot: 'green' } as const;
    const { roster } = step(state, { at: NOW, event }).state;
    expect(serviceAt(roster, idOf('web'))).toMatchObject({ slotKept: 'green' });
  });
});
