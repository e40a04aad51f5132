// The services that a machine of the test runs: the example shop as a user, and a counter as the privileged supervisor.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from './machine.ts';
import { expectThat } from './report.ts';
import { until } from './shell.ts';

interface Service {
  readonly name: string;
  readonly state: string;
  readonly pid: number | null;
}

interface Status {
  readonly supervisor: {
    readonly pid: number | null;
    readonly version: string | null;
    readonly warnings: readonly string[];
  };
  readonly projects: readonly { readonly services: readonly Service[] }[];
}

/** A way to call `sup` in a machine: as which user, with which words before and after. */
export interface Sup {
  readonly machine: Machine;
  readonly user: string;
  readonly program: string;
  readonly more: string;
}

export const call = ({ machine, user, program, more }: Sup, words: string): string =>
  machine.run(`${program} ${words}${more}`, user);

export const statusOf = (sup: Sup): Status => {
  // 1 means that a service fails right now, which the shop's recommender does at times.
  const { stdout, stderr } = sup.machine.attempt(`${sup.program} status --json${sup.more}`, sup.user);
  try {
    return JSON.parse(stdout) as Status;
  } catch {
    throw new Error(`status --json printed: ${stdout}${stderr}`);
  }
};

/** Returns the pids of the services that run, by name. */
export const pidsOf = (sup: Sup): ReadonlyMap<string, number> =>
  new Map(
    statusOf(sup)
      .projects.flatMap(({ services }) => services)
      // The recommender ends now and then, as it should.
      .filter(({ name, pid }) => pid !== null && name !== 'recommender')
      .map(({ name, pid }) => [name, pid ?? 0]),
  );

const text = (pids: ReadonlyMap<string, number>): string =>
  [...pids].map(([name, pid]) => `${name} ${pid}`).join(', ');

export const expectSamePids = (
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): void =>
  expectThat(
    before.size > 0 && text(before) === text(after),
    `pids before: ${text(before)}; after: ${text(after)}`,
  );

const COUNTER = `version: 3
projects:
  ticks:
    services:
      counter:
        exec: [sh, -c, 'i=0; while :; do i=$((i+1)); echo $i; sleep 0.02; done']
        user: nobody
        working_dir: /
        restart_policy: always
`;

/** Starts the counter, which needs the privileged supervisor and the native addon, because it has a user. */
export const startCounter = (sup: Sup): ReadonlyMap<string, number> => {
  sup.machine.run('mkdir -p /etc/sup');
  writeFileSync(join(sup.machine.root, 'etc/sup/ticks.yaml'), COUNTER);
  call(sup, 'start --daemonize -c /etc/sup/ticks.yaml');
  return pidsOf(sup);
};

/** Throws unless the counter's log has every number once, in order. Returns how many there are. */
export const expectWholeLog = (sup: Sup): number => {
  const numbers = call(sup, 'logs ticks/counter -n 1000000 --raw').trim().split('\n').map(Number);
  const wrong = numbers.findIndex((number, at) => number !== at + 1);
  expectThat(wrong === -1, `line ${wrong + 1} of the log is ${numbers[wrong]}`);
  expectThat(numbers.length > 10, `the log has ${numbers.length} lines`);
  return numbers.length;
};

/** Starts the example shop with the Node of the package. Its user must exist. */
export const startShop = (sup: Sup, from: string, node: string): ReadonlyMap<string, number> => {
  const { machine, user } = sup;
  machine.run(
    `rm -rf /home/${user}/shop; cp -r ${from} /home/${user}/shop; chown -R ${user}: /home/${user}/shop`,
  );
  const ports = 'SHOP_API_PORT=28431 SHOP_SITE_PORT=28432';
  const path = `PATH=${node}:$PATH`;
  machine.run(`cd ~/shop && ${ports} ${path} ${sup.program} start -c sup.yaml --daemonize`, user);
  const pids = pidsOf(sup);
  for (const name of ['api', 'worker', 'site'])
    expectThat(pids.has(name), `${name} does not run: ${text(pids)}`);
  return pids;
};

/** Kills the supervisor, and waits until another one has its services, with their pids. */
export const killSupervisor = async (sup: Sup, before: ReadonlyMap<string, number>): Promise<void> => {
  const { pid } = statusOf(sup).supervisor;
  sup.machine.run(`kill -9 ${pid ?? 'none'}`);
  await until('another supervisor answers', () => {
    const found = statusOf(sup).supervisor.pid;
    return found !== null && found !== pid;
  });
  expectSamePids(before, pidsOf(sup));
};
