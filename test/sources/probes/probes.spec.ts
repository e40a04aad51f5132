import { NEVER, Observable, delay, of, take, tap, type Subscriber } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandRunner } from '../../../src/sinks/process/commands/command-runner.ts';
import { pacesFrom } from '../../../src/sources/probes/probe-pauses.ts';
import { probes } from '../../../src/sources/probes/probes.ts';
import type { CommandOutcome, Event } from '../../../src/streams/domain/event.ts';
import type { CommandRunner, PortWitness } from '../../../src/streams/domain/ports.ts';
import type { HealthCheck } from '../../../src/streams/domain/declared/health-check.ts';
import { ms, seconds } from '../../../src/streams/domain/time.ts';
import type { ProbeWatch } from '../../../src/streams/domain/watch.ts';
import { all, RUN, sh, specOf, start, world, type World } from '../../fixtures/processes/world.ts';

const CHECK: HealthCheck = {
  probe: { tag: 'command', command: 'true' },
  interval: seconds(2),
  startInterval: ms(100),
  attemptTimeout: seconds(30),
  totalTimeout: ms(0),
  retries: 3,
};
const watchOf = (check: Partial<HealthCheck>, changes: Partial<ProbeWatch> = {}): ProbeWatch => {
  const spec = specOf(sh('true'));
  return {
    type: 'probe',
    key: 'k',
    service: spec.id,
    run: RUN,
    process: { pid: 2 ** 30, startTicks: 1 },
    spec,
    check: { ...CHECK, ...check },
    pace: 'starting',
    ...changes,
  };
};
const NOBODY: PortWitness = {
  strangerAt: () => Promise.resolve(undefined),
  acceptorOf: () => Promise.resolve('unknown'),
  isShared: () => Promise.resolve(false),
};
const ENVIRONMENT = { PATH: '/usr/bin:/bin' };

describe('probe attempts', () => {
  const passed: CommandOutcome = { tag: 'ended', status: { tag: 'code', code: 0 }, evidence: [] };

  /** When each attempt of an endless check begins, in virtual milliseconds, with attempts that take `length`. */
  const begun = (pace: 'starting' | 'steady', length: number, attempts: number): number[] => {
    const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
    const moments: number[] = [];
    scheduler.run(({ flush }) => {
      const runner: CommandRunner = {
        hooksLeft: () => [],
        run: () =>
          new Observable((subscriber: Subscriber<CommandOutcome>) => {
            moments.push(scheduler.now());
            return of(passed).pipe(delay(length, scheduler)).subscribe(subscriber);
          }),
      };
      const ports = { runner, environment: ENVIRONMENT, witness: NOBODY, dataDir: '/d', scheduler };
      probes(ports)(watchOf({}, { pace })).pipe(take(attempts)).subscribe();
      flush();
    });
    return moments;
  };

  it('while starting attempts begin at once, then after growing pauses', () => {
    expect(begun('starting', 0, 5)).toEqual([0, 100, 300, 700, 1500]);
  });

  it('attempts of a started service begin after the interval', () => {
    expect(begun('steady', 0, 3)).toEqual([2000, 4000, 6000]);
  });

  it('attempts never overlap: the pause begins when the last one has ended', () => {
    expect(begun('steady', 5000, 3)).toEqual([2000, 9000, 16_000]);
  });
});

describe('a probe that was under way in the previous program', () => {
  it('a probe that was under way is repeated in the same turn; one that is due later is not', () => {
    const asked: string[] = [];
    const runner: CommandRunner = {
      hooksLeft: () => [],
      run: ({ key = '' }) => NEVER.pipe(tap({ subscribe: () => asked.push(key) })),
    };
    const paces = pacesFrom({ 'under way': 0, later: 1 }, () => ms(1_000));
    const ports = { runner, environment: ENVIRONMENT, witness: NOBODY, dataDir: '/d', paces };
    const open = ['under way', 'later', 'new'].map((key) =>
      probes(ports)(watchOf({}, { key, pace: 'steady' })).subscribe(),
    );
    expect(asked).toEqual(['under way']);
    open.forEach((subscription) => subscription.unsubscribe());
  });
});

describe('a command check', () => {
  let here: World;
  beforeEach(() => {
    here = world();
  });
  afterEach(() => here.remove());

  const probe = async (command: string, attemptTimeout = seconds(30)): Promise<Event | undefined> => {
    const ports = {
      runner: commandRunner({ start, capture: here.capture }),
      environment: ENVIRONMENT,
      witness: NOBODY,
      dataDir: here.dataDir,
    };
    const watch = watchOf({ probe: { tag: 'command', command }, attemptTimeout });
    return (await all(probes(ports)(watch).pipe(take(1))))[0];
  };

  it('a command check passes with status 0', async () => {
    expect(await probe('exit 0')).toEqual({
      type: 'probed',
      service: specOf(sh('')).id,
      run: RUN,
      result: { tag: 'passed' },
    });
  });

  it('a command check with another status is unhealthy and quotes the last line', async () => {
    expect(await probe('echo first; echo "queue is full"; exit 2')).toMatchObject({
      result: { tag: 'unhealthy', detail: 'check command exited with 2: queue is full' },
    });
  });

  it('a command check quotes no more than a URL check', async () => {
    expect(await probe('printf "%0300d" 0; exit 2')).toMatchObject({
      result: { detail: `check command exited with 2: ${'0'.repeat(200)}` },
    });
  });

  it('a command check without its program is unreachable', async () => {
    expect(await probe('no-such-check')).toMatchObject({
      result: { tag: 'unreachable', detail: expect.stringContaining('no-such-check') as unknown },
    });
  });

  it('a command check that takes too long is a timeout', async () => {
    expect(await probe('sleep 60', ms(50))).toMatchObject({ result: { tag: 'timed-out' } });
  });

  it('a command check has the environment of the service', async () => {
    expect(await probe('test "$SUP_SERVICE" = web && test "$PWD" = /tmp')).toMatchObject({
      result: { tag: 'passed' },
    });
  });
});
