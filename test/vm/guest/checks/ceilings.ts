// A cgroup with its ceilings: there before the program, held by the kernel, gone with the service.
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { eventually, expectSame, type Check } from '../check.ts';
import { HIERARCHY, ROOT, cgroupFile, counter, numbersIn, processes, read } from '../kernel.ts';
import { failure, pidOf, serviceNamed, start, sup } from '../sup.ts';

const CGROUP = {
  root: ROOT,
  memory_max: '64M',
  memory_high: '48M',
  cpu_max: '50000 100000',
  cpu_weight: 50,
  pids_max: 16,
};
const DIRECTORY = `${ROOT}/__loose__:web`;

/** The first thing it does is to say what holds it; one child has a session of its own. */
const WEB = `cat ${DIRECTORY}/memory.max ${DIRECTORY}/cpu.max ${DIRECTORY}/cpu.weight /proc/self/cgroup > /tmp/first; sleep 999 & sh -c 'exec sleep 998' & exec sleep 1000`;

const inside = (): readonly number[] => numbersIn(cgroupFile('web', 'cgroup.procs'));

export const ceilings: readonly Check[] = [
  {
    title: 'the kernel has cgroup v2 with memory, cpu and pids',
    run: async () => {
      const there = read(`${HIERARCHY}/cgroup.controllers`).split(' ');
      expectSame(
        'controllers',
        ['memory', 'cpu', 'pids'].filter((name) => !there.includes(name)),
        [],
      );
      return Promise.resolve();
    },
  },
  {
    title: 'a service begins inside its cgroup, under its ceilings',
    run: async () => {
      start('web', { web: { command: WEB, limits: { cgroup: CGROUP } } });
      const first = await eventually('its first words', () => {
        const text = existsSync('/tmp/first') ? read('/tmp/first') : '';
        return text.includes('0::') ? text.split('\n') : undefined;
      });
      expectSame('what it saw', first, ['67108864', '50000 100000', '50', '0::/vm/sup/__loose__:web']);
    },
  },
  {
    title: 'the kernel holds the ceilings as declared',
    run: async () => {
      const files = ['memory.max', 'memory.high', 'cpu.max', 'cpu.weight', 'pids.max'];
      const seen = files.map((file) => cgroupFile('web', file));
      expectSame(files.join(', '), seen, ['67108864', '50331648', '50000 100000', '50', '16']);
      return Promise.resolve();
    },
  },
  {
    title: 'controllers are enabled on the way down, and not in the cgroup itself',
    run: async () => {
      const controlled = (directory: string): readonly string[] =>
        read(`${directory}/cgroup.subtree_control`).split(' ').filter(Boolean).sort();
      for (const directory of [HIERARCHY, `${HIERARCHY}/vm`, ROOT])
        expectSame(directory, controlled(directory), ['cpu', 'memory', 'pids']);
      expectSame(DIRECTORY, controlled(DIRECTORY), []);
      return Promise.resolve();
    },
  },
  {
    title: 'all that it starts is inside, and nobody else',
    run: async () => {
      const pid = pidOf('web');
      const own = processes().filter((one) => one.pid === pid || one.parent === pid);
      expectSame('processes of the service', own.length, 3);
      expectSame('cgroup.procs', [...inside()].sort(), own.map((one) => one.pid).sort());
      return Promise.resolve();
    },
  },
  {
    title: 'cpu.max is enforced',
    run: async () => {
      const cgroup = { root: ROOT, cpu_max: '10000 100000' };
      start('busy', { busy: { command: 'while :; do :; done', limits: { cgroup } } });
      await eventually('the kernel to hold it back', () =>
        counter(cgroupFile('busy', 'cpu.stat'), 'nr_throttled') > 5 ? true : undefined,
      );
      sup('stop', '--sys', '--service', 'busy');
    },
  },
  {
    title: 'pids.max is enforced: the service cannot fork any more, and lives',
    run: async () => {
      const command = '(for i in 1 2 3 4 5 6; do sleep 995 & done); exec sleep 994';
      start('forks', { forks: { command, limits: { cgroup: { root: ROOT, pids_max: 4 } } } });
      await eventually('the kernel to refuse a process', () =>
        counter(cgroupFile('forks', 'pids.events'), 'max') > 0 ? true : undefined,
      );
      expectSame('pids.current', Number(cgroupFile('forks', 'pids.current')) <= 4, true);
      expectSame('state', serviceNamed('forks').state, 'running');
      sup('stop', '--sys', '--service', 'forks');
    },
  },
  {
    title: 'memory.high is enforced: the service is held back, and lives',
    run: async () => {
      const cgroup = { root: ROOT, memory_high: '8M' };
      start('greedy', { greedy: { command: 'sleep 3; exec tail /dev/zero', limits: { cgroup } } });
      await eventually('the kernel to hold it back', () =>
        counter(cgroupFile('greedy', 'memory.events'), 'high') > 0 ? true : undefined,
      );
      expectSame('state', serviceNamed('greedy').state, 'running');
      sup('stop', '--sys', '--service', 'greedy');
    },
  },
  {
    title: 'a restart begins in a new cgroup',
    run: async () => {
      const before = pidOf('web');
      sup('restart', '--sys', '--service', 'web');
      const after = pidOf('web');
      expectSame('the same process', before === after, false);
      expectSame('inside', inside().includes(after), true);
      expectSame('memory.max', cgroupFile('web', 'memory.max'), '67108864');
      return Promise.resolve();
    },
  },
  {
    title: 'a stop is undecided while a member is left that nothing else proves, and does not end it',
    run: async () => {
      const { pid: stranger = 0 } = spawn('sleep', ['997'], {
        detached: true,
        stdio: 'ignore',
        env: {},
      });
      const cgroup = { root: ROOT, memory_max: '64M' };
      start('joined', { joined: { exec: ['sleep', '996'], stop_timeout: '1s', limits: { cgroup } } });
      writeFileSync(`${ROOT}/__loose__:joined/cgroup.procs`, String(stranger));
      const refused = failure('stop', '--sys', '--service', 'joined');
      expectSame(
        'the error',
        [refused.includes('ERR0112'), refused.includes(String(stranger))],
        [true, true],
      );
      expectSame(
        'the stranger is alive',
        processes().some(({ pid }) => pid === stranger),
        true,
      );
      process.kill(stranger, 'SIGKILL');
      await eventually('the end of the stop', () =>
        serviceNamed('joined').state === 'stopped' ? true : undefined,
      );
    },
  },
  {
    title: 'it is removed when the service is gone',
    run: async () => {
      sup('stop', '--sys', '--service', 'web');
      await eventually('no cgroup', () => (existsSync(DIRECTORY) ? undefined : true));
      expectSame('that of the other one', existsSync(`${ROOT}/__loose__:busy`), false);
    },
  },
];
