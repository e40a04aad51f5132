import { describe, expect, it } from 'vitest';
import type { ExitStatus } from '../../../src/streams/domain/service/exit-status.ts';
import type { In, Service, ServiceState, StopCause } from '../../../src/streams/domain/service/service.ts';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { finish } from '../../../src/streams/service/run-ended.ts';
import { idOf, specOf } from '../../support/spec.ts';
import { BEGAN, CONTEXT, serviceIn, STATES } from '../../support/states.ts';

const code = (value: number): ExitStatus => ({ tag: 'code', code: value });
const error = { code: 'ERR0104', service: idOf('web'), detail: 'HTTP 500' } as const;
const EXITED: StopCause = { tag: 'exited', wasReady: true };
const EARLY: StopCause = { tag: 'exited', wasReady: false };

const taken = { port: 8080, holder: { pid: 9000, name: 'nginx' } };
const daemon = { pid: 7000, name: 'nginx' };

interface Ending {
  readonly cause: StopCause;
  readonly exit?: ExitStatus;
  readonly spec?: Partial<ServiceSpec>;
  readonly service?: Partial<Service>;
  readonly again?: true;
  readonly evidence?: readonly string[];
  readonly awaitedCompletion?: boolean;
  readonly stopping?: Partial<In<'stopping'>>;
}

const finished = (given: Ending): ReturnType<typeof finish> =>
  finish({
    service: { ...serviceIn('stopping', given.spec), ...given.service },
    state: {
      ...STATES.stopping,
      cause: given.cause,
      exit: given.exit ?? code(1),
      survivors: [],
      evidence: given.evidence ?? [],
      ...(given.again && { again: true }),
      ...given.stopping,
    },
    context: { ...CONTEXT, awaitedCompletion: given.awaitedCompletion ?? false },
  });

const after = (given: Ending): ServiceState | undefined => finished(given).to;

const WAITING = { tag: 'waiting', for: 'dependencies' };
const downAs = (tag: string): object => ({ tag: 'down', why: { tag } });

describe('the end of a run', () => {
  it.each<[string, Ending, object]>([
    ['asked to stop', { cause: { tag: 'asked' }, service: { wanted: 'down' } }, downAs('asked')],
    ['crashed when it was to stop', { cause: EXITED, service: { wanted: 'down' } }, downAs('asked')],
    [
      'crashed before the stop that the end of the supervisor brings',
      { cause: EXITED, service: { wanted: 'down', resume: true } },
      { tag: 'backing-off', error: { code: 'ERR0101' } },
    ],
    [
      'was done before the stop that the end of the supervisor brings',
      { cause: EARLY, exit: code(0), service: { wanted: 'down', resume: true } },
      downAs('completed'),
    ],
    [
      'ended when the end of the supervisor had begun',
      { cause: { ...EXITED, asked: true }, service: { wanted: 'down', resume: true } },
      downAs('asked'),
    ],
    ['was done, and all are started', { cause: EARLY, exit: code(0), again: true }, downAs('completed')],
    [
      'was done, and is started by name',
      { cause: EARLY, exit: code(0), again: true, stopping: { named: true } },
      WAITING,
    ],
    [
      'was done, and is declared anew',
      { cause: EARLY, exit: code(0), again: true, service: { revised: specOf('web') } },
      WAITING,
    ],
    ['stopped, and wanted again', { cause: { tag: 'asked' } }, WAITING],
    ['restarted by hand', { cause: { tag: 'restart' } }, WAITING],
    ['felled', { cause: { tag: 'felled', of: [idOf('db')] } }, { tag: 'casualty', of: [idOf('db')] }],
    ['felled, and asked for', { cause: { tag: 'felled', of: [idOf('db')] }, again: true }, WAITING],
    ['crashed, and asked for', { cause: EXITED, again: true, spec: { restartPolicy: 'never' } }, WAITING],
    ['crashed', { cause: EXITED }, { tag: 'backing-off', error: { code: 'ERR0101' } }],
    ['unhealthy', { cause: { tag: 'unhealthy', wasReady: true, error } }, { tag: 'backing-off', error }],
    ['exited with 0', { cause: EXITED, exit: code(0) }, downAs('ended')],
    ['exited with 0 early', { cause: EARLY, exit: code(0) }, downAs('completed')],
    [
      'exited with 0 early, and left two behind, which were stopped',
      {
        cause: EARLY,
        exit: code(0),
        stopping: {
          asked: [
            { pid: 8_000, startTicks: 1 },
            { pid: 8_001, startTicks: 2 },
          ],
        },
      },
      { tag: 'down', why: { tag: 'completed', left: 2 } },
    ],
    [
      'exited with 0, awaited',
      { cause: EXITED, exit: code(0), awaitedCompletion: true },
      downAs('completed'),
    ],
    [
      'exited with 0 under always',
      { cause: EXITED, exit: code(0), spec: { restartPolicy: 'always' } },
      { tag: 'backing-off', error: { code: 'ERR0101', status: code(0) } },
    ],
  ])('the end of a run of a service that %s', (_, ending, state) => {
    expect(after(ending)).toMatchObject(state);
  });

  it.each<[string, Ending]>([
    ['a stop', { cause: EXITED, service: { wanted: 'down' } }],
    ['a start', { cause: EXITED, again: true }],
  ])('the end of a failed run is kept as failed, though %s was requested meanwhile', (_, ending) => {
    expect(finished(ending).patch?.lastFailure).toMatchObject({ error: { code: 'ERR0101' }, exit: code(1) });
  });

  it.each([
    [['ready soon'], 'ERR0102'],
    [['listen EADDRINUSE: :::80'], 'ERR0105'],
    [['bind: Address already in use'], 'ERR0105'],
    [['address is already in use', 'bye'], 'ERR0105'],
  ])('the end of a run that was not ready and printed %j: %s', (evidence, failure) => {
    expect(after({ cause: EARLY, evidence })).toMatchObject({ error: { code: failure, evidence } });
  });

  it('the end of a ready run that reported its address in use: ERR0105', () => {
    const evidence = ['EADDRINUSE'];
    expect(after({ cause: EXITED, evidence })).toMatchObject({ error: { code: 'ERR0105', evidence } });
  });

  it('the end of a silent run whose port another process holds: ERR0105', () => {
    const error = { code: 'ERR0105', status: code(1), taken };
    expect(after({ cause: EXITED, stopping: { taken } })).toMatchObject({ error });
  });

  it('the end of an unhealthy run that reported its address in use: ERR0105', () => {
    const cause = { tag: 'unhealthy', wasReady: false, error } as const;
    const evidence = ['EADDRINUSE'];
    expect(after({ cause, evidence })).toMatchObject({ error: { code: 'ERR0105', evidence } });
    expect(after({ cause, evidence: ['slow'] })).toMatchObject({ error: { ...error, evidence: ['slow'] } });
  });

  it('the error of an opened breaker contains the last error, with the printed output', () => {
    const service = { attempts: 8 };
    expect(after({ cause: EXITED, evidence: ['EADDRINUSE'], service })).toMatchObject({
      error: { code: 'ERR0110', last: { code: 'ERR0105', evidence: ['EADDRINUSE'] } },
    });
    expect(after({ cause: EXITED, evidence: ['oops'], service })).toMatchObject({
      error: { code: 'ERR0110', last: { code: 'ERR0101', evidence: ['oops'] } },
    });
  });

  it.each<[string, Partial<Ending>, object]>([
    ['is a failure', {}, { tag: 'backing-off', error: { code: 'ERR0118', daemon } }],
    ['is none of a job that is never restarted', { spec: { restartPolicy: 'never' } }, downAs('completed')],
    ['is none of a job that is waited for', { awaitedCompletion: true }, downAs('completed')],
    ['is none once it was ready', { cause: EXITED }, downAs('ended')],
  ])(
    'the end of a run with 0 while a process of it lived in another session: that %s',
    (_, ending, state) => {
      expect(after({ ...{ cause: EARLY, exit: code(0), stopping: { daemon } }, ...ending })).toMatchObject(
        state,
      );
    },
  );

  it('the end of a run with unknown status is a failure', () => {
    expect(after({ cause: EXITED, exit: { tag: 'unknown' } })).toMatchObject({ tag: 'backing-off' });
  });
});

describe('the end of a scheduled run', () => {
  const cron: Partial<ServiceSpec> = { kind: 'cron' };
  const runs = [{ due: BEGAN, result: 'running', startedAt: BEGAN }] as const;

  it.each<[string, Ending, object]>([
    ['by itself', { cause: EXITED }, { tag: 'scheduled' }],
    ['by a stop', { cause: { tag: 'asked' }, service: { wanted: 'down' } }, downAs('asked')],
    ['by a restart of everything', { cause: { tag: 'restart' } }, { tag: 'scheduled' }],
    ['by a restart by name', { cause: { tag: 'restart' }, service: { insisted: true } }, WAITING],
    ['while it was asked for by name', { cause: EXITED, again: true, service: { insisted: true } }, WAITING],
    ['that was asked for by name', { cause: EXITED, service: { insisted: true } }, { tag: 'scheduled' }],
  ])('the end of a scheduled run: %s', (_, ending, state) => {
    const service = { ...ending.service, schedule: { runs } };
    expect(after({ ...ending, service, spec: cron })).toMatchObject(state);
  });

  it('the end of a scheduled run has the time of its leader like the last exit, and the time of its last process', () => {
    const lastExit = { status: code(1), at: BEGAN };
    const service = { ...serviceIn('stopping', cron), lastExit, schedule: { runs } };
    const state = { ...STATES.stopping, cause: EXITED, exit: code(1), survivors: [] };
    const { patch } = finish({ service, state, context: CONTEXT });
    expect(patch?.schedule?.runs).toMatchObject([{ exit: code(1), exitedAt: BEGAN, endedAt: CONTEXT.at }]);
  });
});
