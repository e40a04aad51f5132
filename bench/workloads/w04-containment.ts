// W4: a service with a child, a grandchild below a shell, and a double-forked process in its own session.
// Counts the processes that survive a stop, and those that survive a SIGKILL of the main process.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inOwnDirectory } from '../measure/own-directory.ts';
import { isAlive } from '../measure/processes.ts';
import { repeat } from '../measure/repeat.ts';
import { sum } from '../measure/statistics.ts';
import { until } from '../measure/until.ts';
import { projectOf } from '../subjects/manifest.ts';
import { openSup, type Sup } from '../subjects/sup.ts';
import type { Bench, Workload } from '../workload.ts';

const FAMILY = ['leader', 'child', 'grandchild', 'escaped'] as const;

const pidIn = async (file: string): Promise<number | undefined> => {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.endsWith('\n') ? Number(text) : undefined;
};

interface Family {
  readonly sup: Sup;
  /** Pids of the processes, in the order of `FAMILY`. */
  readonly pids: readonly number[];
}

const survivorsOf = (bench: Bench, end: (family: Family) => Promise<unknown>): Promise<number> =>
  inOwnDirectory(bench.scratch, async (place) => {
    const sup = openSup(bench.dist, place);
    const home = join(place.directory, 'family');
    await mkdir(home);
    const exec = ['/bin/sh', join(bench.root, 'bench/fixtures/family.sh'), home];
    const file = await sup.write(projectOf({ family: { exec, restart_policy: 'never' } }));
    await sup.cli(['start', '-c', file, '--daemonize']);
    const pids = await Promise.all(
      FAMILY.map((name) => until(() => pidIn(join(home, name)), { what: name, limitMs: 5_000 })),
    );
    if (!pids.every(isAlive)) throw new Error('the family is not complete');
    await end({ sup, pids });
    const left = pids.filter(isAlive).length;
    await sup.end();
    return left;
  });

const stopped = ({ sup }: Family): Promise<unknown> => sup.cli(['stop']);

/** Kills the main process and waits at most three seconds for the others to end. */
const beheaded = async ({ pids }: Family): Promise<void> => {
  const [leader] = pids;
  if (leader !== undefined) process.kill(leader, 'SIGKILL');
  await until(() => (pids.some(isAlive) ? undefined : true), { what: 'their end', limitMs: 3_000 }).catch(
    () => pause(0),
  );
};

export const containment: Workload = {
  id: 'W4',
  title: 'containment',
  run: async (bench) => {
    const rounds = bench.quick ? 1 : 5;
    const byStop = await repeat(rounds, () => survivorsOf(bench, stopped));
    const byKill = await repeat(rounds, () => survivorsOf(bench, beheaded));
    const common = { subject: 'sup', unit: '', goal: { atMost: 0 } };
    return [
      { ...common, what: `survivors of a stop, ${rounds} rounds`, value: sum(byStop) },
      { ...common, what: `survivors of kill -9 of the leader, ${rounds} rounds`, value: sum(byKill) },
    ];
  },
};
