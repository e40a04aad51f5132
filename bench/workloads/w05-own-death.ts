// W5: services print a number every millisecond while the supervisor is killed with -9 and started again two seconds
// later. Which lines are missing or doubled in the logs, and whose pid changed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { projectId, serviceId } from '../../src/streams/domain/ids.ts';
import { layoutOf } from '../../src/streams/wire/layout.ts';
import { inOwnDirectory, type Place } from '../measure/own-directory.ts';
import { isAlive } from '../measure/processes.ts';
import { sum } from '../measure/statistics.ts';
import { until } from '../measure/until.ts';
import { projectOf } from '../subjects/manifest.ts';
import { openSup, type Sup } from '../subjects/sup.ts';
import type { Bench, Workload } from '../workload.ts';

const NAMES = ['one', 'two', 'three'] as const;

const manifest = ({ root }: Bench, { directory }: Place): string =>
  projectOf(
    Object.fromEntries(
      NAMES.map((name) => [
        name,
        { exec: [process.execPath, join(root, 'bench/fixtures/counter.js'), join(directory, name)] },
      ]),
    ),
  );

const pidsOf = async (sup: Sup): Promise<readonly (number | null)[]> => {
  const client = await sup.connect();
  const { projects } = await client.call('status', {});
  client.close();
  return projects.flatMap(({ services }) => services.map(({ pid }) => pid));
};

const killSupervisor = async (sup: Sup): Promise<void> => {
  const pid = sup.pid();
  process.kill(pid, 'SIGKILL');
  await until(() => (isAlive(pid) ? undefined : true), {
    what: 'the death of the supervisor',
    limitMs: 5_000,
  });
};

interface Account {
  readonly lost: number;
  readonly doubled: number;
}

const accountOf = async (sup: Sup, name: string, { directory }: Place): Promise<Account> => {
  const log = await readFile(layoutOf(sup.dataDir).log(serviceId(projectId('bench'), name)), 'utf8');
  const numbers = log.split('\n').flatMap((line) => (line === '' ? [] : [Number(line.split(' ')[2])]));
  const printed = Number(await readFile(join(directory, name), 'utf8'));
  const distinct = new Set(numbers).size;
  return { lost: printed - distinct, doubled: numbers.length - distinct };
};

export const ownDeath: Workload = {
  id: 'W5',
  title: 'own death',
  run: (bench) =>
    inOwnDirectory(bench.scratch, async (place) => {
      const sup = openSup(bench.dist, place);
      const start = ['start', '-c', await sup.write(manifest(bench, place)), '--daemonize'];
      await sup.cli(start);
      await pause(1_000);
      const before = await pidsOf(sup);
      await killSupervisor(sup);
      await pause(2_000);
      await sup.cli(start);
      await pause(1_000);
      const after = await pidsOf(sup);
      await sup.end();
      const accounts = await Promise.all(NAMES.map((name) => accountOf(sup, name, place)));
      const common = { subject: 'sup', unit: '', goal: { atMost: 0 } };
      return [
        { ...common, what: 'lines lost', value: sum(accounts.map(({ lost }) => lost)) },
        { ...common, what: 'lines doubled', value: sum(accounts.map(({ doubled }) => doubled)) },
        { ...common, what: 'pids changed', value: before.filter((pid, at) => pid !== after[at]).length },
      ];
    }),
};
