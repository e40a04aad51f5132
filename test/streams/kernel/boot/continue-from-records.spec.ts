import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../src/streams/domain/event.ts';
import { runId } from '../../../../src/streams/domain/ids.ts';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { instant, ms, plus } from '../../../../src/streams/domain/time.ts';
import { DEFAULT_SETTINGS } from '../../../../src/streams/domain/declared/settings.ts';
import { serviceAt, servicesOf } from '../../../../src/streams/kernel/service-table.ts';
import { step, type Step } from '../../../../src/streams/kernel/step.ts';
import { isExhausted, probedOnce } from '../../../../src/streams/service/checks/health.ts';
import { watchesOf } from '../../../../src/streams/service/service-watches.ts';
import { NO_PROCESS } from '../../../../src/streams/domain/service/process.ts';
import { idOf, manifestOf, needs, specOf } from '../../../support/spec.ts';
import { bootWith } from '../../../support/boot.ts';
import { BEGAN, NOW, PROCESS, RUN, serviceIn, STATES, TAGS } from '../../../support/states.ts';
import { CHECK } from '../../../support/variants.ts';

type Booted = Extract<Event, { type: 'booted' }>;

const webOf = ({ state }: Step): Service | undefined => serviceAt(state.serviceTable, idOf('web'));
const effectsOf = ({ effects }: Step): readonly string[] => effects.map(({ type }) => type);
const found = (run = RUN): Booted['found'] => [{ service: idOf('web'), run, process: PROCESS }];
const registeredOf = (...specs: readonly ServiceSpec[]): Booted['registered'] => {
  const manifest = manifestOf(...specs);
  return [{ path: manifest.path, load: { path: manifest.path, manifest, problems: [] } }];
};

it('services keep the order of their declarations, with undeclared ones last', () => {
  const restored = ['gone', 'a', 'm', 'z'].map((name) => serviceIn('down', specOf(name)));
  const registered = registeredOf(specOf('z'), specOf('a'), specOf('m'));
  const { state } = bootWith({ restored, registered });
  expect(servicesOf(state.serviceTable).map(({ spec }) => spec.name)).toEqual(['z', 'a', 'm', 'gone']);
});

it.each(['starting', 'up', 'stopping'] as const)(
  'a service that was %s before a reboot starts again, although its record was rewritten since',
  (tag) => {
    const web = serviceIn(tag);
    const actual = { ...STATES[tag], process: NO_PROCESS };
    const booted = bootWith({ restored: [{ ...web, actual, resume: true, wanted: 'down' }], sameBoot: true });
    expect(webOf(booted)?.actual).not.toHaveProperty('process');
    expect(webOf(booted)).toMatchObject({ wanted: 'up' });
  },
);

describe('a service of the previous supervisor', () => {
  it('a recovered service records no runs from before the start of its process', () => {
    const [one] = found();
    const began = instant(BEGAN - 60_000);
    const booted = bootWith({
      restored: [serviceIn('spawning')],
      found: one ? [{ ...one, since: began }] : [],
    });
    expect(webOf(booted)).toMatchObject({ actual: { tag: 'starting', since: began } });
  });

  it('a recovered service without a recorded check start has its whole health window from now on', () => {
    const [one] = found();
    const booted = bootWith({
      restored: [serviceIn('spawning')],
      found: one ? [{ ...one, since: instant(BEGAN - 600_000) }] : [],
    });
    const { actual } = webOf(booted) ?? {};
    if (actual?.tag !== 'starting') throw new Error('not adopted');
    const check = { ...CHECK, retries: 1, totalTimeout: ms(20_000) };
    const failed = { service: idOf('web'), check, result: { tag: 'timed-out' } } as const;
    const later = plus(NOW, ms(19_000));
    const failing = probedOnce(actual.health, { ...failed, startedAt: actual.since, at: later });
    expect(isExhausted(failing, check, later)).toBe(false);
    expect(isExhausted(failing, check, plus(NOW, ms(20_000)))).toBe(true);
  });

  it.each(['starting', 'up', 'stopping', 'backing-off', 'broken'] as const)(
    '%s is recovered in that state with the same run if its processes can be inspected',
    (tag) => {
      const web = serviceIn(tag);
      const booted = bootWith({ restored: [web], found: 'process' in web.actual ? found() : [] });
      expect(webOf(booted)).toMatchObject({ runs: web.runs, actual: { tag } });
      expect(effectsOf(booted)).not.toContain('spawn');
    },
  );

  it('a recovered service that is stopping gets no second stop signal and no extra time', () => {
    const actual = { ...STATES.stopping, survivors: [PROCESS] };
    const booted = bootWith({ restored: [{ ...serviceIn('stopping'), actual }], found: found() });
    const web = webOf(booted);
    const due = BEGAN + (web?.spec.stopTimeout ?? 0);
    expect(web && watchesOf(web, DEFAULT_SETTINGS)).toContainEqual(
      expect.objectContaining({ timer: 'stop-timeout', due }),
    );
    const survey = {
      type: 'surveyed',
      service: idOf('web'),
      run: RUN,
      alive: [PROCESS],
      evidence: [],
    } as const;
    expect(step(booted.state, { at: NOW, event: survey }).effects).toEqual([]);
  });

  it.each(TAGS)('a recovered service in state %s is never spawned beside one of its processes', (tag) => {
    const booted = bootWith({ restored: [serviceIn(tag)], found: found() });
    expect(effectsOf(booted)).not.toContain('spawn');
    const isAlive = 'process' in STATES[tag] || tag === 'preparing' || tag === 'spawning';
    expect(webOf(booted)).toMatchObject(
      isAlive ? { actual: { process: PROCESS } } : { remnants: [{ run: RUN, process: PROCESS }] },
    );
  });

  it('a recovered service keeps its recorded process, whatever run number another process claims', () => {
    const other = { pid: 301, startTicks: 3001 };
    const [one] = found();
    const booted = bootWith({
      restored: [serviceIn('spawning')],
      found: one ? [{ ...one, run: runId(RUN + 1) }] : [],
    });
    expect(webOf(booted)?.actual).not.toHaveProperty('process');
    const up = bootWith({ restored: [serviceIn('up')], found: one ? [{ ...one, process: other }] : [] });
    expect(webOf(up)?.actual).not.toMatchObject({ process: other });
  });

  it.each(['preparing', 'spawning', 'waiting'] as const)(
    'a recovered service that was %s starts again',
    (tag) => {
      const booted = bootWith({ restored: [serviceIn(tag)] });
      expect(webOf(booted)).toMatchObject({ runs: 4, actual: { tag: 'spawning' } });
    },
  );

  it.each(['starting', 'up', 'stopping'] as const)(
    'a recovered service that was %s starts again after a reboot',
    (tag) => {
      const booted = bootWith({ restored: [serviceIn(tag)], sameBoot: false });
      expect(webOf(booted)).toMatchObject({ runs: 4, actual: { tag: 'spawning' } });
    },
  );

  it.each(['preparing', 'spawning', 'starting', 'up', 'stopping'] as const)(
    'a recovered service that was %s and no longer wanted is down after a reboot',
    (tag) => {
      const web: Service = { ...serviceIn(tag), wanted: 'down' };
      const booted = bootWith({ restored: [web], sameBoot: false });
      expect(webOf(booted)?.actual).toEqual({ tag: 'down', why: { tag: 'asked' } });
    },
  );

  it('a service stopped by an orderly end starts again, one stopped by a user does not', () => {
    const web: Service = { ...serviceIn('down'), resume: true };
    expect(webOf(bootWith({ restored: [web] }))).toMatchObject({
      wanted: 'up',
      resume: false,
      actual: { tag: 'spawning' },
    });
    expect(webOf(bootWith({ restored: [serviceIn('down')] }))?.actual.tag).toBe('down');
  });

  it('a service that was being removed is still removed, and starts again if it is declared by now', () => {
    const web: Service = { ...serviceIn('stopping'), wanted: 'down', leaving: true, resume: true };
    const removed = webOf(bootWith({ restored: [web], found: found() }));
    expect(removed).toMatchObject({ wanted: 'down', leaving: true, resume: true });
    const registered = registeredOf(specOf('web'));
    const back = webOf(bootWith({ restored: [web], found: found(), registered }));
    expect(back).toMatchObject({ wanted: 'up', leaving: false, resume: false, actual: { again: true } });
  });

  it('a recovered service keeps its restart count and forgets its waiters', () => {
    const resumed: Service = { ...serviceIn('down'), attempts: 3, resume: true };
    expect(webOf(bootWith({ restored: [resumed] }))).toMatchObject({ attempts: 3 });
    const waiting: Service = { ...serviceIn('waiting'), attempts: 3 };
    expect(webOf(bootWith({ restored: [waiting] }))).toMatchObject({ attempts: 3 });
    const web: Service = { ...serviceIn('backing-off'), attempts: 3, awaitedBy: ['client:1' as never] };
    expect(webOf(bootWith({ restored: [web] }))).toMatchObject({ attempts: 3, awaitedBy: [], gate: 'none' });
  });

  it('a recovered service passes the gate like all others', () => {
    const restored = ['a', 'b', 'c'].map((name): Service => ({
      ...serviceIn('waiting'),
      spec: specOf(name),
    }));
    const { state } = bootWith({ restored, settings: { ...DEFAULT_SETTINGS, maxConcurrent: 1 } });
    expect(state.gate).toEqual({ queue: [idOf('b'), idOf('c')], inside: [idOf('a')] });
  });

  it('a recovered casualty stays one until its failed dependency is back', () => {
    const db: Service = { ...serviceIn('backing-off'), spec: specOf('db') };
    const web = serviceIn('casualty', { dependsOn: needs('db') });
    expect(webOf(bootWith({ restored: [web, db] }))?.actual).toEqual(STATES.casualty);
    expect(webOf(bootWith({ restored: [serviceIn('casualty')] }))?.actual.tag).toBe('spawning');
  });

  it('a recovered service waits for its dependencies, as in any start', () => {
    const db: Service = { ...serviceIn('waiting'), spec: specOf('db') };
    const booted = bootWith({ restored: [serviceIn('waiting', { dependsOn: needs('db') }), db] });
    expect(webOf(booted)?.actual).toEqual({ tag: 'waiting', for: 'dependencies' });
  });
});

describe('a process with a run tag of this supervisor', () => {
  it('a tagged process is killed, not adopted, if its run number was never recorded', () => {
    const booted = bootWith({ restored: [serviceIn('up')], found: found(runId(5)) });
    expect(webOf(booted)).toMatchObject({ runs: 3, remnants: [{ run: 5, process: PROCESS }] });
  });

  it('a tagged process of an older run does not replace a newer run', () => {
    const booted = bootWith({ restored: [serviceIn('backing-off')], found: found(runId(2)) });
    expect(webOf(booted)).toMatchObject({ runs: 3, actual: { tag: 'backing-off' } });
  });

  it('a tagged process is adopted and wanted if its manifest is recorded and its state is lost', () => {
    const booted = bootWith({ registered: registeredOf(specOf('web')), found: found() });
    expect(webOf(booted)).toMatchObject({ wanted: 'up', runs: 3, actual: { tag: 'starting' } });
  });
});

describe('a recorded manifest', () => {
  it('a recorded manifest declares services that no command has started', () => {
    const booted = bootWith({ registered: registeredOf(specOf('web')) });
    expect(webOf(booted)).toMatchObject({ wanted: 'down', actual: { tag: 'down', why: { tag: 'new' } } });
  });

  it('a recorded manifest that has changed is used at the next start of its service', () => {
    const newer = specOf('web', { digest: 'newer' });
    const booted = bootWith({ restored: [serviceIn('backing-off')], registered: registeredOf(newer) });
    expect(webOf(booted)?.revised).toEqual(newer);
  });

  it('a recorded manifest that no longer loads stays recorded, with its problems', () => {
    const problem = { code: 'ERR0203', severity: 'error', path: '', message: 'gone' } as const;
    const load = { path: '/x.yaml', problems: [problem] };
    const { state } = bootWith({ registered: [{ path: '/x.yaml', load }] });
    expect(state.manifests).toEqual({ '/x.yaml': [problem] });
  });
});

it('an unusable record is a warning, and its service and process are still known', () => {
  const broken: Service = {
    ...serviceIn('up'),
    get remnants(): never {
      throw new RangeError('Invalid time value');
    },
  };
  const booted = bootWith({ restored: [broken], registered: registeredOf(specOf('web')), found: found() });
  expect(webOf(booted)).toMatchObject({ wanted: 'up', actual: { tag: 'starting', process: PROCESS } });
  const text =
    'shop/web begins as if it had never run, because its record cannot be continued: Invalid time value';
  expect(booted.state.warnings).toEqual([text]);
  expect(booted.effects).toContainEqual({ type: 'note', level: 'warn', text });
});
