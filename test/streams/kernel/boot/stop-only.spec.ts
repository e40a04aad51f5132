import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../../src/streams/domain/effect.ts';
import type { Event } from '../../../../src/streams/domain/event.ts';
import { requestId, runId } from '../../../../src/streams/domain/ids.ts';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import { DEFAULT_SETTINGS } from '../../../../src/streams/domain/declared/settings.ts';
import { seconds } from '../../../../src/streams/domain/time.ts';
import type { Watch } from '../../../../src/streams/domain/watch.ts';
import { loopOf } from '../../../../src/streams/kernel/loop.ts';
import { serviceAt, servicesOf } from '../../../../src/streams/kernel/service-table.ts';
import {
  asRecorded,
  onlyToStop,
  selectedIn,
  STOP_ONLY,
} from '../../../../src/streams/kernel/boot/stop-only.ts';
import { withRollout } from '../../../../src/streams/rollout/two-runs.ts';
import { NEVER } from 'rxjs';
import { emptyWorld } from '../../../support/empty-world.ts';
import { listen } from '../../../support/listen.ts';
import { idOf, manifestOf, needs, specOf } from '../../../support/spec.ts';
import { BEGAN, NOW, PROCESS, RUN, serviceIn, TAGS } from '../../../support/states.ts';

type Booted = Extract<Event, { type: 'booted' }>;

const named = (name: string, service: Service, changes: Parameters<typeof specOf>[1] = {}): Service => ({
  ...service,
  spec: specOf(name, changes),
});
const bootedWith = (restored: readonly Service[], found: Booted['found'] = []): Booted => {
  const manifest = manifestOf(...restored.map(({ spec }) => spec));
  return {
    type: 'booted',
    settings: { ...DEFAULT_SETTINGS, stopVerify: seconds(77) },
    registered: [{ path: manifest.path, load: { path: manifest.path, manifest, problems: [] } }],
    restored,
    found,
    sameBoot: true,
    warnings: [],
  };
};

/** Runs an offline stop of these services. Returns its loop, effects and watches. */
const stopping = (booted: Booted, ...names: readonly string[]) => {
  const asked = new Set(names.map(idOf));
  const effects: Effect[] = [];
  const watches: Watch[] = [];
  const loop = loopOf({ now: () => NOW }, STOP_ONLY);
  function open(watch: Watch): typeof NEVER {
    watches.push(watch);
    return NEVER;
  }
  listen(loop.run({ ...emptyWorld((effect) => effects.push(effect)), open }));
  loop.post(onlyToStop(booted, asked, NOW));
  for (const name of names)
    loop.post({
      type: 'requested',
      request: requestId(name),
      command: { type: 'stop', selection: { services: [name] } },
    });
  const service = (name: string): Service | undefined => serviceAt(loop.read().serviceTable, idOf(name));
  const recorded = (name: string): Service | undefined =>
    serviceAt(asRecorded(booted, asked)(loop.read()).serviceTable, idOf(name));
  return { loop, effects, watches, service, recorded };
};

describe('a stop without a supervisor', () => {
  it.each(TAGS)('a stop without a supervisor starts no service in state %s, selected or not', (tag) => {
    const [web, db] = [serviceIn(tag), named('db', serviceIn(tag))];
    const { effects, service } = stopping(bootedWith([web, db]), 'web');
    expect(effects.map(({ type }) => type)).not.toContain('spawn');
    expect(service('web')).toMatchObject({ wanted: 'down', resume: false });
  });

  it.each(TAGS)('a stop without a supervisor records an unselected service in state %s unchanged', (tag) => {
    const db: Service = { ...named('db', serviceIn(tag)), resume: true };
    const booted = bootedWith([serviceIn('up'), db]);
    const { watches, effects, recorded } = stopping(booted, 'web');
    const about = [...watches, ...effects].flatMap((each) => ('service' in each ? [each.service] : []));
    expect(about).not.toContain(idOf('db'));
    expect(recorded('db')).toBe(db);
  });

  it('a stop without a supervisor does not touch rollouts of unselected services', () => {
    const rolling = (service: Service): Service => withRollout(service, NOW, false);
    const db = rolling(named('db', serviceIn('up')));
    const { service, recorded } = stopping(bootedWith([serviceIn('up'), db]), 'web');
    expect(service('db')?.rollout).toBeUndefined();
    expect(recorded('db')).toBe(db);
  });

  it('a stop without a supervisor signals a selected service at the first scan, without a probe', () => {
    const check = { probe: { tag: 'http', url: 'http://127.0.0.1/' } } as never;
    const web = serviceIn('up', { deployment: { ...specOf('web').deployment, healthCheck: check } });
    const { watches, service } = stopping(bootedWith([web]), 'web');
    expect(watches.map(({ type }) => type).toSorted()).toEqual(['exit', 'timer', 'tree']);
    expect(service('web')?.actual).toMatchObject({ tag: 'stopping', cause: { tag: 'asked' } });
  });

  it('a stop without a supervisor keeps the order across unselected services', () => {
    const api = named('api', serviceIn('up'), { dependsOn: needs('mid') });
    const mid = named('mid', serviceIn('up'), { dependsOn: needs('db') });
    const db = named('db', serviceIn('up'));
    const { service } = stopping(bootedWith([api, mid, db]), 'api', 'db');
    expect([service('api')?.actual.tag, service('db')?.actual.tag]).toEqual(['stopping', 'up']);
  });

  it('a stop without a supervisor adopts an unrecorded run and answers when it is gone', () => {
    const run = runId(RUN + 1);
    const found = [
      { service: idOf('web'), run: RUN, process: { pid: 1, startTicks: 1 } },
      { service: idOf('web'), run, process: PROCESS },
    ];
    const { loop, effects, service } = stopping(bootedWith([serviceIn('backing-off')], found), 'web');
    expect(service('web')).toMatchObject({ runs: run, actual: { tag: 'stopping', process: PROCESS } });
    const about = { service: idOf('web'), run };
    loop.post({ ...about, type: 'exited', status: { tag: 'unknown' } });
    loop.post({ ...about, type: 'surveyed', alive: [], evidence: [] });
    expect(effects.at(-1)).toMatchObject({ type: 'reply', reply: { ok: true } });
    expect(service('web')).toMatchObject({ wanted: 'down', actual: { tag: 'down', why: { tag: 'asked' } } });
  });

  it('a stop without a supervisor verifies with its settings, and again what was not verified', () => {
    const web = serviceIn('stopping');
    const { actual } = web;
    const late = { ...web, actual: { ...actual, phase: 'unverified', phaseSince: BEGAN } } as Service;
    const { watches, effects } = stopping(bootedWith([late]), 'web');
    expect(effects).toEqual([]);
    expect(watches.find(({ type }) => type === 'timer')).toMatchObject({
      timer: 'stop-verify',
      due: NOW + 77_000,
    });
  });

  it('a stop without a supervisor knows the same services as a supervisor and refuses the same requests', () => {
    const booted = bootedWith([serviceIn('up'), named('db', serviceIn('down'))]);
    expect(selectedIn(booted, NOW, { services: ['db'] })).toEqual({ ok: true, ids: [idOf('db')] });
    expect(selectedIn({ ...booted, restored: [] }, NOW, {})).toMatchObject({
      ids: [idOf('web'), idOf('db')],
    });
    expect(selectedIn(booted, NOW, { projects: ['bank'] })).toMatchObject({ error: { code: 'ERR0202' } });
  });

  it('a stop without a supervisor keeps all fields of a record', () => {
    const booted = bootedWith([serviceIn('up'), named('db', serviceIn('up'))]);
    const { loop } = stopping(booted, 'web');
    const recorded = asRecorded(booted, new Set([idOf('web')]))(loop.read());
    expect(servicesOf(recorded.serviceTable).map(({ spec }) => spec.name)).toEqual(['web', 'db']);
  });

  it('a stop without a supervisor records nothing about unrecorded, unselected services', () => {
    const booted = bootedWith([serviceIn('up'), named('db', serviceIn('up'))]);
    const found = [{ service: idOf('db'), run: RUN, process: PROCESS }];
    const { recorded } = stopping({ ...booted, restored: [], found }, 'web');
    expect(recorded('db')).toBeUndefined();
    expect(recorded('web')).toMatchObject({ wanted: 'down' });
  });
});
