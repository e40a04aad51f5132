// Needs the native addon.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KnownService } from '../../../src/sources/process/services-to-search.ts';
import { runId, type ServiceId } from '../../../src/streams/domain/ids.ts';
import { environmentOf, nameOfProcess, type UserIds, userIdsOf } from '../../../src/os/proc/process-facts.ts';
import { livingRuns, scanForLiving } from '../../../src/sources/process/living-runs.ts';
import { type Marks, marks } from '../../../src/sources/process/read-tags.ts';
import { processScanner } from '../../../src/sources/process/scan-members.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import { idOf } from '../../support/spec.ts';
import { pidIn, refOf, start, until, world, type World } from '../../fixtures/processes/world.ts';

const known = (id: ServiceId): readonly KnownService[] => [{ id, users: new Set(), recorded: [] }];

let here: World;
const begun: number[] = [];
beforeEach(() => {
  here = world();
});
afterEach(() => {
  for (const pid of begun.splice(0)) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  }
  here.remove();
});

const begin = (mark: string, program: string, ...args: readonly string[]): number => {
  const env = { PATH: '/usr/bin:/bin', DIR: here.dataDir, SUP_UNIT: mark, SUP_SUPERVISOR: here.dataDir };
  const { pid = 0 } = spawn(program, args, { detached: true, stdio: 'ignore', env });
  begun.push(pid);
  return pid;
};

/** Resolves once the process is a `sleep` that has its environment: during `exec` it has none. */
const sleeping = (pid: number): Promise<ProcessRef> =>
  until(() => nameOfProcess(pid) === 'sleep' && environmentOf(pid).length > 0 && refOf(pid));

/** A session leader with this mark, once it is what it will be. */
const leader = (mark: string): Promise<ProcessRef> => {
  const pid = begin(mark, 'sleep', '60');
  return sleeping(pid);
};
/** A process that is left when its leader is gone, which is soon. */
const orphan = async (mark: string): Promise<ProcessRef> => {
  const gone = begin(mark, '/bin/sh', '-c', 'sleep 60 & echo $! > $DIR/orphan');
  const pid = await pidIn(join(here.dataDir, 'orphan'));
  await until(() => refOf(gone) === undefined);
  return sleeping(pid);
};

/** It has left its session, its parents are gone, and it has nothing in its environment. */
const stray = async (mark: string): Promise<ProcessRef> => {
  const leave = 'env -i setsid sh -c "sleep 60 & echo \\$! > $DIR/stray"';
  const child = await start({
    argv: ['/bin/sh', '-c', leave],
    directory: '/',
    environment: { PATH: '/usr/bin:/bin', DIR: here.dataDir, SUP_UNIT: mark, SUP_SUPERVISOR: here.dataDir },
  });
  await child.exit;
  const pid = await pidIn(join(here.dataDir, 'stray'));
  begun.push(pid);
  return until(() => refOf(pid));
};

describe('runs that outlived a supervisor', () => {
  it('living runs are reported with service, run and leader', async () => {
    const process = await leader('shop/web#4');
    const found = [{ service: 'shop/web', run: 4, process }];
    await until(async () => (await livingRuns(here.dataDir, [])).length === 1);
    const runs = await livingRuns(here.dataDir, []);
    expect(runs).toMatchObject(found);
    const age = Date.now() - (runs[0]?.since ?? 0);
    expect(age).toBeGreaterThan(-1_000);
    expect(age).toBeLessThan(60_000);
  });

  it('commands of the supervisor and of other supervisors are no living runs', async () => {
    await leader('!command/1#1');
    await leader('shop/web#1');
    await until(async () => (await livingRuns(here.dataDir, [])).length === 1);
    expect(await livingRuns('/another', [])).toEqual([]);
  });

  it('a living run without its leader is reported', async () => {
    const process = await orphan('shop/web#2');
    expect(await livingRuns(here.dataDir, [])).toMatchObject([
      { service: 'shop/web', run: 2, process, orphaned: true },
    ]);
  });

  it('a living run is reported although no process has a mark in its environment', async () => {
    const process = await stray('shop/web#5');
    const service = idOf('web');
    await until(async () => (await livingRuns(here.dataDir, known(service))).length === 1);
    expect(await livingRuns(here.dataDir, known(service))).toMatchObject([
      { service, run: 5, process, orphaned: true },
    ]);
    expect(await livingRuns(here.dataDir, known(idOf('db')))).toEqual([]);
    expect(await livingRuns('/another', known(service))).toEqual([]);
  });

  it('a scan of members does not read again the tags that were read for the living runs', async () => {
    const process = await leader('shop/web#1');
    await until(async () => (await livingRuns(here.dataDir, [])).length === 1);
    const counts = { asked: 0, read: 0 };
    const userIds = (pid: number): UserIds | undefined => {
      if (pid === process.pid) counts.read += 1;
      return userIdsOf(pid);
    };
    // As root: then the users of a process are read before its environment.
    const known = marks(here.dataDir, { uid: 0, userIds });
    const tags: Marks = {
      markOf: (stat) => {
        if (stat.pid === process.pid) counts.asked += 1;
        return known.markOf(stat);
      },
      rlimitTagOf: (stat) => known.rlimitTagOf(stat),
      claimOf: (stat) => known.claimOf(stat),
      isTold: (stat) => known.isTold(stat),
      retain: (alive) => known.retain(alive),
    };
    await scanForLiving(here.dataDir, [], tags);
    const before = { ...counts };
    const member$ = processScanner({ dataDir: here.dataDir, tags }).membersOf(idOf('web'), runId(1), process);
    await lastValueFrom(member$, { defaultValue: [] });
    expect({ before, after: counts }).toEqual({
      before: { asked: 1, read: 1 },
      after: { asked: 2, read: 1 },
    });
  });
});
