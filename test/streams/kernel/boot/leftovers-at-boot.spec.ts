import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/streams/domain/command.ts';
import type { Event, Found } from '../../../../src/streams/domain/event.ts';
import { requestId, runId } from '../../../../src/streams/domain/ids.ts';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import { serviceAt } from '../../../../src/streams/kernel/service-table.ts';
import { step, type Step } from '../../../../src/streams/kernel/step.ts';
import { idOf, manifestOf, specOf } from '../../../support/spec.ts';
import { bootWith } from '../../../support/boot.ts';
import { NOW, PROCESS, RUN, serviceIn, TAGS } from '../../../support/states.ts';

const ORPHAN = { pid: 77, startTicks: 770 };
const orphaned = (run: number): Found => ({
  service: idOf('web'),
  run: runId(run),
  process: ORPHAN,
  orphaned: true,
});
const then = ({ state }: Step, event: Event): Step => step(state, { at: NOW, event });
const webOf = ({ state }: Step): Service | undefined => serviceAt(state.serviceTable, idOf('web'));
const typesOf = ({ effects }: Step): readonly string[] => effects.map(({ type }) => type);
const surveyed = (run: number, ...alive: readonly (typeof ORPHAN)[]): Event => ({
  type: 'surveyed',
  service: idOf('web'),
  run: runId(run),
  alive,
  evidence: [],
});
const ask = (command: Command): Event => ({ type: 'requested', request: requestId('c:1'), command });

it('leftover runs keep a forgotten service until they are gone', () => {
  const manifest = manifestOf(specOf('web'));
  const booted = bootWith({
    registered: [{ path: manifest.path, load: { path: manifest.path, manifest, problems: [] } }],
    restored: [serviceIn('down')],
    found: [orphaned(RUN)],
  });
  const forgotten = then(booted, ask({ type: 'forget', manifest: manifest.path }));
  expect(typesOf(forgotten)).not.toContain('reply');
  expect(webOf(forgotten)).toMatchObject({ leaving: true, remnants: [{ run: RUN }] });
  const gone = then(forgotten, surveyed(RUN));
  expect(typesOf(gone)).toContain('reply');
  expect(webOf(gone)).toBeUndefined();
});

describe('a run whose leader is gone', () => {
  it.each(TAGS.filter((tag) => !('process' in serviceIn(tag).actual)))(
    'a leftover run blocks the next run of a service that was %s, and that run has a new number',
    (tag) => {
      const booted = bootWith({ restored: [serviceIn(tag)], found: [orphaned(7)] });
      expect(typesOf(booted)).not.toContain('spawn');
      expect(webOf(booted)).toMatchObject({ remnants: [{ run: 7, process: ORPHAN }], numbered: 7 });
    },
  );

  it('a leftover run is killed when it is seen, and the next run starts once it is gone', () => {
    const booted = bootWith({ restored: [serviceIn('spawning')], found: [orphaned(RUN)] });
    const seen = then(booted, surveyed(RUN, ORPHAN));
    expect(seen.effects).toMatchObject([{ type: 'signal', signal: 'SIGKILL', run: RUN, targets: [ORPHAN] }]);
    const gone = then(seen, surveyed(RUN));
    expect(webOf(gone)).toMatchObject({ runs: RUN + 1, actual: { tag: 'spawning', run: RUN + 1 } });
    expect(webOf(gone)).not.toHaveProperty('remnants');
  });

  it('a leftover run with a recorded run is cleared by the end of that run', () => {
    const booted = bootWith({ restored: [serviceIn('up')], found: [orphaned(RUN)] });
    expect(webOf(booted)).toMatchObject({ actual: { tag: 'up', process: PROCESS } });
    expect(webOf(booted)).not.toHaveProperty('remnants');
  });

  it('a leftover run is killed beside the run that continues', () => {
    const found = [orphaned(2), { service: idOf('web'), run: RUN, process: PROCESS }];
    expect(webOf(bootWith({ restored: [serviceIn('up')], found }))).toMatchObject({
      actual: { tag: 'up', run: RUN },
      remnants: [{ run: 2 }],
    });
  });

  it('a leftover run keeps a stop waiting until it is gone, and is reported if it stays', () => {
    const booted = bootWith({ restored: [serviceIn('down')], found: [orphaned(2)] });
    const asked = then(booted, ask({ type: 'stop', selection: {} }));
    expect(typesOf(asked)).not.toContain('reply');
    const gone = then(asked, surveyed(2));
    expect(gone.effects).toMatchObject([{ type: 'reply', reply: { ok: true } }]);
    const late: Event = { type: 'elapsed', service: idOf('web'), run: runId(2), timer: 'stop-verify' };
    expect(then(asked, late).effects).toMatchObject([
      { type: 'reply', reply: { ok: false, error: { code: 'ERR0112', survivors: [ORPHAN.pid] } } },
    ]);
  });

  it('a leftover run blocks the end of the supervisor', () => {
    const booted = bootWith({ restored: [serviceIn('down')], found: [orphaned(2)] });
    const closing = then(booted, ask({ type: 'shutdown' }));
    expect(typesOf(closing)).not.toContain('quit');
    expect(typesOf(then(closing, surveyed(2)))).toContain('quit');
  });
});

describe('live processes of an unknown service', () => {
  const found: readonly Found[] = [{ service: idOf('web'), run: RUN, process: PROCESS }];
  const manifest = manifestOf(specOf('web'));
  const load = { path: manifest.path, manifest, problems: [] };

  it('an undeclared run is remembered and adopted with its manifest', () => {
    const booted = bootWith({ found });
    expect(booted.state.undeclaredRuns).toEqual(found);
    const asked = then(booted, ask({ type: 'start', selection: { manifest: manifest.path } }));
    const started = then(asked, { type: 'manifests-loaded', request: requestId('c:1'), loads: [load] });
    expect(started.state.undeclaredRuns).toEqual([]);
    expect(webOf(started)).toMatchObject({ runs: RUN, actual: { tag: 'starting', process: PROCESS } });
    expect(typesOf(started)).not.toContain('spawn');
  });

  it('an undeclared run is adopted at once if its manifest is recorded', () => {
    const booted = bootWith({ found, registered: [{ path: manifest.path, load }] });
    expect(webOf(booted)).toMatchObject({ wanted: 'up', actual: { tag: 'starting', process: PROCESS } });
  });
});

describe('a manifest that is broken at boot', () => {
  it('a manifest that is broken at boot keeps its projects known', () => {
    const { manifest: path } = specOf('web');
    const load = { path, problems: [] };
    const { state } = bootWith({ restored: [serviceIn('up')], registered: [{ path, load }] });
    expect(Object.values(state.projects)).toMatchObject([{ id: 'shop', manifest: path }]);
  });
});
