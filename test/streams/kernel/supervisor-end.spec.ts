import { describe, expect, it } from 'vitest';
import type { Closing } from '../../../src/streams/domain/effect.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import { DEFAULT_SETTINGS } from '../../../src/streams/domain/declared/settings.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { closingOf } from '../../../src/streams/kernel/supervisor-end.ts';
import { serviceAt, servicesOf } from '../../../src/streams/kernel/service-table.ts';
import { INITIAL_STATE } from '../../../src/streams/kernel/state.ts';
import { step, type Step } from '../../../src/streams/kernel/step.ts';
import { kernel, type Kernel } from '../../support/kernel.ts';
import { idOf, needs, specOf } from '../../support/spec.ts';
import { NOW, PROCESS, RUN, serviceIn } from '../../support/states.ts';

type Booted = Extract<Event, { type: 'booted' }>;

const running = (): Kernel => {
  const sup = kernel();
  sup.start(specOf('web', { dependsOn: needs('db') }), specOf('db'));
  sup.up('db', 'web');
  return sup;
};

describe('the end of the supervisor', () => {
  it('no end is under way while the supervisor runs', () => {
    expect(closingOf(running().state())).toBeUndefined();
  });

  it('an end by a signal keeps services wanted, also if nothing is left to stop', () => {
    const sup = running();
    sup.post({ type: 'signalled', signal: 'SIGTERM' });
    expect(closingOf(sup.state())).toEqual({ resume: true });
    sup.exit('web', 143);
    sup.exit('db', 143);
    expect(closingOf(sup.state())).toEqual({ resume: true });
  });

  it('an end by a user leaves no service wanted, whatever asked first', () => {
    const sup = running();
    sup.post({ type: 'signalled', signal: 'SIGTERM' });
    sup.ask({ type: 'shutdown' });
    expect(closingOf(sup.state())).toEqual({ resume: false });
    sup.exit('web', 143);
    sup.exit('db', 143);
    expect(sup.state().phase).toBe('closed');
    expect(closingOf(sup.state())).toEqual({ resume: false });
  });

  it('an end without a request has its exit status', () => {
    const endReason = { tag: 'refused' } as const;
    const state = { ...running().state(), phase: 'closing', endReason } as const;
    expect(closingOf(state)).toEqual({ resume: true, verdict: endReason });
  });
});

describe('a program that starts during an end', () => {
  const begun = (closing: Closing, ...restored: readonly Service[]): Step => {
    const alive = restored.filter(({ actual }) => 'process' in actual).map(({ spec }) => spec.id);
    const event: Booted = {
      ...{ type: 'booted', settings: DEFAULT_SETTINGS, registered: [], warnings: [], sameBoot: true },
      ...{ restored, found: alive.map((service) => ({ service, run: RUN, process: PROCESS })), closing },
    };
    return step(INITIAL_STATE, { at: NOW, event });
  };
  const named = ({ state }: Step, name: string): Service | undefined =>
    serviceAt(state.serviceTable, idOf(name));
  const effects = (made: Step): readonly string[] => made.effects.map(({ type }) => type);

  it('a program that starts during an end continues it: nothing starts, stopped services stay wanted', () => {
    const [web, db, mail] = [
      { ...serviceIn('stopping'), wanted: 'down', resume: true } as const,
      serviceIn('up', specOf('db')),
      { ...serviceIn('down', specOf('mail')), wanted: 'down', resume: true } as const,
    ];
    const made = begun({ resume: true }, web, db, mail);
    expect(made.state.phase).toBe('closing');
    expect(effects(made)).not.toContain('spawn');
    expect(servicesOf(made.state.serviceTable).map(({ actual }) => actual.tag)).toEqual([
      'stopping',
      'stopping',
      'down',
    ]);
    for (const name of ['web', 'db', 'mail'])
      expect(named(made, name)).toMatchObject({ wanted: 'down', resume: true });
  });

  it('a program that starts during a shutdown leaves no service wanted, whatever is recorded', () => {
    const made = begun({ resume: false }, { ...serviceIn('up'), resume: true });
    expect(named(made, 'web')).toMatchObject({ wanted: 'down', resume: false });
  });

  it('a program that starts during an end exits at once with its status if no process is left', () => {
    const endReason = { tag: 'refused' } as const;
    const stopped = { ...serviceIn('down'), wanted: 'down', resume: true } as const;
    const made = begun({ resume: true, verdict: endReason }, stopped);
    expect(made.state.phase).toBe('closed');
    expect(made.effects).toContainEqual({ type: 'quit', endReason });
    expect(named(made, 'web')).toMatchObject({ wanted: 'down', resume: true });
  });
});
