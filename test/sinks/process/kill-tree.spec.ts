import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defer, lastValueFrom, NEVER, type Observable, of, throwError } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killRun, signalSink } from '../../../src/sinks/process/kill-tree.ts';
import { processScanner } from '../../../src/sources/process/scan-members.ts';
import type { ProcessScanner } from '../../../src/streams/domain/ports.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import {
  all,
  pidIn,
  refOf,
  RUN,
  sh,
  specOf,
  until,
  world,
  type World,
} from '../../fixtures/processes/world.ts';
import { rxTest } from '../../support/rx-test.ts';

const nobody = (pid: number): ProcessRef => ({ pid, startTicks: 1 });
const quarry = { service: specOf(sh('')).id, run: RUN, leader: nobody(0), targets: [nobody(0)] };

/** Answers in turn, the last answer for ever. */
const answeringCensus = (...answers: readonly Observable<readonly ProcessRef[]>[]): ProcessScanner => {
  let asked = 0;
  const table: ProcessScanner = {
    membersOf() {
      return defer(() => {
        asked += 1;
        return answers[Math.min(asked, answers.length) - 1] ?? NEVER;
      });
    },
  };
  return table;
};

/** Kills a tree, and lists the stopped and the killed processes in order. */
const struckBy = (table: ProcessScanner): { hunt$: Observable<never>; struck: string[] } => {
  const struck: string[] = [];
  const blow =
    (name: string) =>
    (targets: readonly ProcessRef[]): void =>
      void struck.push(`${name} ${targets.map(({ pid }) => pid).join(' ')}`);
  return { hunt$: killRun(table, quarry, { freeze: blow('stop'), kill: blow('kill') }), struck };
};

describe('killing a tree', () => {
  it('killing a tree starts when a scan finds no new process, and ends after two such scans', () => {
    const seen = {
      a: [nobody(0), nobody(1)],
      b: [nobody(1)],
      c: [nobody(1), nobody(2)],
      d: [nobody(2)],
      e: [],
    };
    rxTest((rx) => {
      const { hunt$, struck } = struckBy(
        answeringCensus(...['a', 'b', 'c', 'd', 'e'].map((look) => rx.cold(`--(${look}|)`, seen))),
      );
      rx.expectObservable(hunt$).toBe('----------|');
      rx.flush();
      expect(struck).toEqual(['stop 0', 'stop 1', 'kill 0 1', 'stop 2', 'kill 2']);
    });
  });

  it('killing a tree that is cancelled leaves no process stopped', () => {
    rxTest((rx) => {
      const { hunt$, struck } = struckBy(
        answeringCensus(rx.cold('--(a|)', { a: [nobody(0), nobody(1)] }), NEVER),
      );
      rx.expectObservable(hunt$, '-----!').toBe('-');
      rx.flush();
      expect(struck).toEqual(['stop 0', 'stop 1', 'kill 0 1']);
    });
  });

  it('an unreadable process table does not count as an empty one', () => {
    rxTest((rx) => {
      const blind$ = throwError(() => new Error('EMFILE'));
      const table = answeringCensus(blind$, rx.cold('-(a|)', { a: [] }), blind$, rx.cold('-(a|)', { a: [] }));
      rx.expectObservable(struckBy(table).hunt$).toBe('50ms - 50ms --|');
    });
  });

  it('killing a tree is given up after a hundred rounds', () => {
    rxTest((rx) => {
      let born = 0;
      const endless$ = defer(() => of([nobody((born += 1))]));
      const { hunt$, struck } = struckBy(answeringCensus(endless$));
      rx.expectObservable(hunt$).toBe('|');
      rx.flush();
      expect(struck).toHaveLength(102);
      expect(struck.at(-1)).toMatch(/^kill 0 1 2 .* 99 100$/);
    });
  });

  it('killing a tree is given up after two seconds, with the round under way', () => {
    rxTest((rx) => {
      let born = 0;
      const slow$ = defer(() => rx.cold('600ms (a|)', { a: [nobody((born += 1))] }));
      const { hunt$, struck } = struckBy(answeringCensus(slow$));
      rx.expectObservable(hunt$).toBe('2400ms |');
      rx.flush();
      expect(struck).toEqual(['stop 0', 'stop 1', 'stop 2', 'stop 3', 'stop 4', 'kill 0 1 2 3 4']);
    });
  });
});

let here: World;
let scanner: ProcessScanner;
beforeEach(() => {
  here = world();
  scanner = processScanner({ dataDir: here.dataDir });
});
afterEach(() => here.remove());

const web = specOf(sh(''));
const started = (command: string): ProcessRef => {
  const child = spawn('/bin/sh', ['-c', command], {
    detached: true,
    stdio: 'ignore',
    env: {
      PATH: '/usr/bin:/bin',
      DIR: here.dataDir,
      SUP_UNIT: `${web.id}#${RUN}`,
      SUP_SUPERVISOR: here.dataDir,
    },
  });
  return refOf(child.pid!)!;
};
const signal = (
  name: string,
  leader: ProcessRef,
  targets: readonly ProcessRef[] = [leader],
): Promise<unknown> => {
  const effect = { type: 'signal', service: web.id, run: RUN, leader, targets, signal: name } as const;
  return all(signalSink({ scanner })(of(effect)));
};
const alive = async (leader: ProcessRef): Promise<number> =>
  (await lastValueFrom(scanner.membersOf(web.id, RUN, leader), { defaultValue: [] })).length;
const file = (name: string): string => join(here.dataDir, name);
/** As the supervisor does it: what the limit of one try leaves on a slow machine is found by the next scan. */
const killed = (leader: ProcessRef): Promise<boolean> =>
  until(async () => {
    await signal('SIGKILL', leader);
    return (await alive(leader)) === 0;
  });

describe('a signal', () => {
  it('a signal reaches each target once', async () => {
    const leader = started(
      'trap "echo got >> $DIR/got; exit" TERM; echo up > $DIR/up; while :; do sleep 0.01; done',
    );
    await until(() => pidIn(file('up')));
    await signal('SIGTERM', leader);
    await until(() => refOf(leader.pid) === undefined);
    expect(readFileSync(file('got'), 'utf8')).toBe('got\n');
  });

  it('a signal never reaches another process with a reused pid', async () => {
    const { pid } = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    const stranger = refOf(pid!)!;
    const before = { pid: stranger.pid, startTicks: stranger.startTicks - 1 };
    await signal('SIGTERM', before);
    await signal('SIGKILL', before);
    expect(refOf(stranger.pid)).toEqual(stranger);
    await signal('SIGKILL', stranger);
  });

  it('a signal to an exited process is no error, nor is an unknown signal', async () => {
    const gone = started('sleep 0.05');
    await until(() => refOf(gone.pid) === undefined);
    await signal('SIGTERM', gone);
    expect(await signal('SIGNONSENSE', refOf(process.pid)!)).toEqual([]);
  });
});

describe('SIGKILL', () => {
  it('SIGKILL ends a process that ignores SIGTERM, and its children', async () => {
    const leader = started('trap "" TERM; sleep 60 & echo up > $DIR/up; while :; do sleep 1; done');
    await until(() => pidIn(file('up')));
    await signal('SIGTERM', leader);
    expect(await alive(leader)).toBeGreaterThan(1);
    await signal('SIGKILL', leader);
    await until(async () => (await alive(leader)) === 0);
  });

  it('SIGKILL finds double forks in their own sessions', async () => {
    const leader = started('for i in 1 2 3; do (setsid sleep 60 &); done; echo up > $DIR/up; exec sleep 60');
    await until(() => pidIn(file('up')));
    await signal('SIGKILL', leader);
    await until(async () => (await alive(leader)) === 0);
  });

  it('SIGKILL ends the rest of a tree whose leader was killed by another program', async () => {
    const leader = started('sleep 60 & (setsid sleep 60 &); echo up > $DIR/up; wait');
    await until(() => pidIn(file('up')));
    process.kill(leader.pid, 'SIGKILL');
    await until(() => refOf(leader.pid) === undefined);
    await signal('SIGKILL', leader);
    await until(async () => (await alive(leader)) === 0);
  });

  it('SIGKILL ends two hundred processes that fork while they are killed', async () => {
    const bomb = 'f() { setsid sh -c "sleep 30" & sleep 0.002; setsid sh -c "sleep 30 & sleep 30" & };';
    const leader = started(
      `${bomb} i=0; while [ $i -lt 100 ]; do f; i=$((i+1)); done; echo up > $DIR/up; wait`,
    );
    await until(async () => (await alive(leader)) > 100);
    await killed(leader);
  });

  it('SIGKILL ends a chain in which each process forks the next and exits, in new sessions', async () => {
    const link = 'echo "setsid sh $DIR/link.sh &" > $DIR/link.sh; echo "exit 0" >> $DIR/link.sh';
    const leader = started(`${link}; sh $DIR/link.sh; echo up > $DIR/up; exec sleep 60`);
    await until(() => pidIn(file('up')));
    await killed(leader);
  });

  it('SIGKILL reaches no other process', async () => {
    const leader = started('exec sleep 60');
    const bystander = spawn('sleep', ['60'], { stdio: 'ignore', detached: true });
    const ref = refOf(bystander.pid!)!;
    await signal('SIGKILL', leader);
    expect(refOf(ref.pid)).toEqual(ref);
    bystander.kill('SIGKILL');
    expect(await signal('SIGTERM', ref, [])).toEqual([]);
  });
});
