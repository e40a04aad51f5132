import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMPTY, firstValueFrom, of, timeout } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { openWatch, type WatchPorts } from '../../../src/supervisor/machine/loop-ports.ts';
import { startTicksOf } from '../../../src/os/proc/process-stat.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import type { Capture, ProcessScanner, CommandRunner } from '../../../src/streams/domain/ports.ts';
import { requestId, runId } from '../../../src/streams/domain/ids.ts';
import { instant, ms } from '../../../src/streams/domain/time.ts';
import type { Watch } from '../../../src/streams/domain/watch.ts';
import { idOf, specOf } from '../../support/spec.ts';

const OURS = { pid: process.pid, startTicks: startTicksOf(process.pid) ?? 0 };
const ENDED = { tag: 'code', code: 0 } as const;
const spec = specOf('web');
const web = { key: 'k', service: idOf('web'), run: runId(1) } as const;

const scanner: ProcessScanner = {
  membersOf() {
    return of([]);
  },
};
const capture: Pick<Capture, 'tail' | 'drained'> = {
  tail: () => ['last words'],
  drained() {
    return of(undefined);
  },
};
const runner: CommandRunner = {
  hooksLeft: () => [],
  run() {
    return of({ tag: 'ended', status: ENDED, evidence: [] } as const);
  },
};

/** A world in which everything that can be asked has an answer. */
const PORTS: WatchPorts = {
  environment: {},
  dataDir: '/nowhere',
  ledger: { exitOf: () => Promise.resolve(ENDED), forget: () => undefined, record: () => undefined },
  scanner,
  // What no watch asks for is left out.
  capture: capture as Capture,
  witness: {
    strangerAt: () => Promise.resolve(undefined),
    acceptorOf: () => Promise.resolve('unknown'),
    isShared: () => Promise.resolve(false),
  },
  runner,
  notifications: { notices: () => EMPTY, watchdogs: () => EMPTY },
  load: { environment: {}, uid: 0, sys: false },
  traces: { peers: { of: () => ({ tag: 'unknown', detail: 'nobody' }) }, privileged: false },
};

const WATCHES: { readonly [T in Exclude<Watch['type'], 'alarm' | 'files'>]: Extract<Watch, { type: T }> } = {
  timer: { ...web, type: 'timer', timer: 'backoff', due: instant(Date.now()) },
  deadline: { key: 'd', type: 'deadline', request: requestId('r'), due: instant(Date.now()) },
  peak: { ...web, type: 'peak', process: OURS },
  exit: { ...web, type: 'exit', process: OURS },
  tree: { ...web, type: 'tree', process: OURS, fifoPair: 0 },
  notify: { ...web, type: 'notify', process: OURS },
  watchdog: { ...web, type: 'watchdog', limit: ms(1000) },
  probe: {
    ...web,
    type: 'probe',
    spec,
    pace: 'starting',
    process: OURS,
    check: {
      probe: { tag: 'command', command: 'true' },
      interval: ms(10),
      startInterval: ms(10),
      attemptTimeout: ms(1000),
      totalTimeout: ms(1000),
      retries: 1,
    },
  },
  verify: {
    ...web,
    type: 'verify',
    spec,
    pace: 'starting',
    process: OURS,
    check: {
      probe: { tag: 'command', command: 'true' },
      interval: ms(10),
      startInterval: ms(10),
      attemptTimeout: ms(1000),
      totalTimeout: ms(1000),
      retries: 1,
    },
  },
  command: { ...web, type: 'command', purpose: 'skip', command: 'true', spec, budget: ms(1000) },
  memory: { ...web, type: 'memory', limit: 1, trees: [{ run: web.run, process: OURS }] },
  resident: { ...web, type: 'resident', process: OURS, limit: 1, every: ms(1_000) },
  trace: { key: 't', type: 'trace', request: requestId('r'), users: [] },
  manifests: { key: 'm', type: 'manifests', request: requestId('r'), paths: ['/nowhere/sup.yaml'] },
};

const heard = (watch: Watch): Promise<Event | undefined> =>
  firstValueFrom(openWatch(PORTS, watch).pipe(timeout(10_000)), { defaultValue: undefined });

describe('a watch', () => {
  it.each([
    ['timer', { type: 'elapsed', timer: 'backoff', service: idOf('web'), run: 1 }],
    ['deadline', { type: 'request-expired', request: 'r' }],
    ['exit', { type: 'exited', status: ENDED, service: idOf('web'), run: 1 }],
    ['tree', { type: 'surveyed', alive: [], evidence: ['last words'], service: idOf('web'), run: 1 }],
    ['peak', { type: 'peaked', peakBytes: expect.any(Number) as number, service: idOf('web'), run: 1 }],
    ['probe', { type: 'probed', result: { tag: 'passed' }, service: idOf('web'), run: 1 }],
    ['command', { type: 'command-ended', purpose: 'skip', service: idOf('web'), run: 1 }],
    ['memory', { type: 'weighed', service: idOf('web'), run: 1 }],
    ['resident', { type: 'measured', service: idOf('web'), run: 1 }],
    ['trace', { type: 'traced', request: 'r', ancestry: { tag: 'unknown', detail: 'nobody' } }],
    ['manifests', { type: 'manifests-loaded', request: 'r', loads: [{ path: '/nowhere/sup.yaml' }] }],
  ] as const)('the watch %s is served by the source of its kind', async (type, event) => {
    expect(await heard(WATCHES[type])).toMatchObject(event);
  });

  it('the watch files is served by the source of its kind', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'watch-'));
    const watch = { type: 'files', key: 'f', service: idOf('web'), directory, debounce: ms(20) } as const;
    const event = heard({ ...watch, paths: [join(directory, 'made')] });
    setTimeout(() => {
      writeFileSync(join(directory, 'made'), '');
    }, 100);
    expect(await event).toMatchObject({ type: 'changed', file: 'made' });
    rmSync(directory, { recursive: true });
  });

  it('the watch alarm is served by the source of its kind', async () => {
    const alarm = { type: 'alarm', key: 'a', service: idOf('web'), due: instant(Date.now()) } as const;
    expect(await heard(alarm)).toMatchObject({ type: 'rang', due: alarm.due });
  });
});
